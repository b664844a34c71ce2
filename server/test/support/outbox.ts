// Mails as their receiver sees them, read from the files that the server wrote.
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'

export interface ReceivedMail {
  to: string
  subject: string
  text: string
  /** The first web address in the text. */
  link: URL | undefined
}

const decodeText = (body: string, encoding: string): string => {
  if (encoding === 'base64') return Buffer.from(body, 'base64').toString('utf8')
  if (encoding !== 'quoted-printable') return body
  const bytes = body
    .replace(/=\r?\n/g, '')
    .replace(/=([0-9A-F]{2})/g, (_match, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
  return Buffer.from(bytes, 'latin1').toString('utf8')
}

const decodeWords = (header: string): string =>
  header.replace(/=\?utf-8\?([BQ])\?([^?]*)\?=\s*/gi, (_match, kind: string, text: string) =>
    kind.toUpperCase() === 'B'
      ? Buffer.from(text, 'base64').toString('utf8')
      : decodeText(text.replaceAll('_', ' '), 'quoted-printable'),
  )

const parse = (raw: string): ReceivedMail => {
  const [head = '', ...rest] = raw.split(/\r?\n\r?\n/)
  const unfolded = head.replace(/\r?\n[ \t]+/g, ' ')
  const header = (name: string) => new RegExp(`^${name}: *(.*)$`, 'im').exec(unfolded)?.[1]?.trim() ?? ''
  const text = decodeText(rest.join('\n\n'), header('Content-Transfer-Encoding').toLowerCase())
  const address = /https?:\/\/\S+/.exec(text)?.[0]
  return {
    to: header('To'),
    subject: decodeWords(header('Subject')),
    text,
    link: address === undefined ? undefined : new URL(address),
  }
}

/** Oldest first. */
export const readOutbox = async (folder: string): Promise<ReceivedMail[]> => {
  const names = await readdir(folder).catch(() => [])
  const files = names.filter((name) => name.endsWith('.eml')).sort()
  return Promise.all(files.map(async (name) => parse(await readFile(join(folder, name), 'utf8'))))
}
