// Without a mail server every mail becomes a file that people and mail programs can open.
import { randomBytes, randomUUID } from 'node:crypto'
import { mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { CheckedMessage } from './message.js'

export function openOutbox(folder: string, onWritten: (file: string) => void) {
  return {
    send: async (message: CheckedMessage): Promise<void> => {
      // Mails hold keys that open accounts: nobody else on the machine reads them.
      await mkdir(folder, { recursive: true, mode: 0o700 })
      const name = `${sortableNow()}-${randomBytes(4).toString('hex')}.eml`
      const unfinished = join(folder, `.${name}.new`)
      try {
        await writeFile(unfinished, compose(message), { flag: 'wx', mode: 0o600 })
        await rename(unfinished, join(folder, name))
      } catch (error) {
        await rm(unfinished, { force: true })
        throw error
      }
      onWritten(join(folder, name))
    },
    close: async (): Promise<void> => {},
  }
}

/** `20260131T235959.123Z`: sorts by time and is a file name everywhere. */
const sortableNow = () => new Date().toISOString().replace(/[-:]/g, '')

/**
 * 8bit, not quoted-printable: there a line over 76 characters is broken with `=`, and the link in a mail is the thing
 * that one looks for.
 */
function compose({ from, to, subject, text, html, messageId }: CheckedMessage): string {
  const head = [
    `From: ${from.name === '' ? '' : `${encodeWord(from.name)} `}<${from.address}>`,
    `To: <${to}>`,
    `Subject: ${encodeWord(subject)}`,
    `Date: ${new Date().toUTCString().replace('GMT', '+0000')}`,
    `Message-ID: ${messageId ?? `<${randomUUID()}@${from.address.slice(from.address.lastIndexOf('@') + 1)}>`}`,
    'MIME-Version: 1.0',
  ]
  if (html === undefined) return message([...head, ...part('plain')], text)
  const boundary = randomUUID()
  const lines = [
    ...[`--${boundary}`, message(part('plain'), text)],
    ...[`--${boundary}`, message(part('html'), html)],
    `--${boundary}--`,
  ]
  return message([...head, `Content-Type: multipart/alternative; boundary="${boundary}"`], lines.join('\n'))
}

const part = (subtype: string) => [`Content-Type: text/${subtype}; charset=utf-8`, 'Content-Transfer-Encoding: 8bit']

const message = (headers: string[], body: string) => `${headers.join('\n')}\n\n${body.replace(/\r\n?/g, '\n')}\n`

/** RFC 2047, in words of at most 75 characters; ASCII stays as it is. */
function encodeWord(text: string): string {
  if (/^[\x20-\x7e]*$/.test(text)) return text
  const words: string[] = []
  let piece = ''
  for (const character of text) {
    if (Buffer.byteLength(piece + character) > 45) {
      words.push(piece)
      piece = ''
    }
    piece += character
  }
  words.push(piece)
  return words.map((word) => `=?UTF-8?B?${Buffer.from(word).toString('base64')}?=`).join('\n ')
}
