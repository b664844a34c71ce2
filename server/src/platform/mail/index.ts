// Outgoing mail: by SMTP, or as files in a folder.
export { MailAddressRefused, parseSender } from './address.js'
export { type Mail, type MailSettings, openMail } from './mail.js'
export type { MailMessage } from './message.js'
export { checkSmtpUrl } from './smtp.js'
