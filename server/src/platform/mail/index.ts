// Outgoing mail: by SMTP, or as files in a folder.
export { MailAddressRefused, parseSender } from './address.js'
export { type Mail, type MailMessage, type MailSettings, openMail } from './mail.js'
export { checkSmtpUrl } from './smtp.js'
