import { parseSender } from './address.js'
import { checkMessage, type MailMessage } from './message.js'
import { openOutbox } from './outbox.js'
import { openSmtp } from './smtp.js'

export interface Mail {
  /** Throws MailAddressRefused, or what the mail server said. Returns once the server has taken the mail. */
  send(message: MailMessage): Promise<void>
  /** Waits for what is being sent. */
  close(): Promise<void>
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
      const sending = transport.send(checkMessage(message, sender))
      pending.add(sending)
      await sending.finally(() => pending.delete(sending))
    },
    close: async () => {
      await Promise.allSettled(pending)
      await transport.close()
    },
  }
}
