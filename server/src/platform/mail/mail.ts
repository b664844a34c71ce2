import type { Address } from './address.js'
import { checkAddress, MailAddressRefused, oneLine, parseSender, plainText } from './address.js'
import { openOutbox } from './outbox.js'
import { openSmtp } from './smtp.js'

export interface MailMessage {
  /** One address, without a name. */
  readonly to: string
  /** One line; line breaks become blanks. */
  readonly subject: string
  readonly text: string
  readonly html?: string
  /** `<something@somewhere>`; the same for a retry lets the receiver drop the double. */
  readonly messageId?: string
}

export interface Mail {
  /** Throws MailAddressRefused, or what the mail server said. Returns once the server has taken the mail. */
  send(message: MailMessage): Promise<void>
  /** Waits for what is being sent. */
  close(): Promise<void>
}

/** A message whose every part is safe to put in a header. */
export interface CheckedMessage extends MailMessage {
  readonly from: Address
}

export interface MailSettings {
  /** `smtp://user:password@host:587` or `smtps://…:465`. Without it, mails become files. */
  readonly smtpUrl?: string
  /** `no-reply@example.org` or `Sheaf <no-reply@example.org>`. */
  readonly from: string
  readonly outboxFolder: string
  readonly onWritten?: (file: string) => void
}

export function openMail({ smtpUrl, from, outboxFolder, onWritten = () => {} }: MailSettings): Mail {
  const sender = parseSender(from)
  const transport = smtpUrl === undefined ? openOutbox(outboxFolder, onWritten) : openSmtp(smtpUrl)
  const pending = new Set<Promise<void>>()
  return {
    send: async (message) => {
      const sending = transport.send(check(message, sender))
      pending.add(sending)
      await sending.finally(() => pending.delete(sending))
    },
    close: async () => {
      await Promise.allSettled(pending)
      await transport.close()
    },
  }
}

function check(message: MailMessage, from: Address): CheckedMessage {
  const { messageId } = message
  if (
    messageId !== undefined &&
    !/^<[\x21-\x3b\x3d\x3f\x41-\x7e]{1,200}@[\x21-\x3b\x3d\x3f\x41-\x7e]{1,200}>$/.test(messageId)
  ) {
    throw new MailAddressRefused(`${JSON.stringify(messageId.slice(0, 100))} is not a message id`)
  }
  const { to, subject, text } = message
  return { ...message, from, to: checkAddress(to), subject: oneLine(subject), text: plainText(text) }
}
