// One mail, as it is asked for and as the transports are given it.
import { type Address, checkAddress, MailAddressRefused, oneLine, plainText } from './address.js'

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

/** A message whose every part is safe to put in a header. */
export interface CheckedMessage extends MailMessage {
  readonly from: Address
}

export function checkMessage(message: MailMessage, from: Address): CheckedMessage {
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
