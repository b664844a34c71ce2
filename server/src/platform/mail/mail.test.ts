import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type SmtpStandIn, type SmtpStandInOptions, startSmtpStandIn } from '../../../test/support/smtp.js'
import { type Mail, MailAddressRefused, type MailSettings, openMail } from './index.js'

let folder: string
const closing: (() => Promise<void>)[] = []

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sheaf-mail-'))
})
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
  await rm(folder, { recursive: true })
})

function open(settings: Partial<MailSettings> = {}): Mail {
  const mail = openMail({ from: 'Sheaf <no-reply@example.org>', outboxFolder: join(folder, 'outbox'), ...settings })
  closing.push(mail.close)
  return mail
}

async function standIn(options?: SmtpStandInOptions): Promise<SmtpStandIn> {
  const server = await startSmtpStandIn(options)
  closing.push(server.close)
  return server
}

const hello = { to: 'ana@example.org', subject: 'Hello', text: 'Hello Ana' }
const link = `https://example.org/verify?key=${'0123456789abcdef'.repeat(12)}&next=%2Fhome`

/** Enough of MIME to read what people would see. */
const decodeWords = (raw: string) =>
  raw
    .replace(/\?=\r?\n =\?/g, '?==?')
    .replace(/=\?UTF-8\?B\?([^?]*)\?=/g, (_, word: string) => Buffer.from(word, 'base64').toString())
    .replace(/=\?UTF-8\?Q\?([^?]*)\?=/g, (_, word: string) => decodeQuoted(word.replaceAll('_', ' ')))
const decodeQuoted = (text: string) =>
  Buffer.from(
    text.replace(/=\r?\n/g, '').replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number(`0x${hex}`))),
    'latin1',
  ).toString()

describe('mail by SMTP', { timeout: 30_000 }, () => {
  it('reaches its receiver, from the sender of the settings', async () => {
    const { url, messages } = await standIn()
    await open({ smtpUrl: url }).send({ ...hello, html: '<p>Hello Ana</p>', messageId: '<1@example.org>' })
    expect(messages).toMatchObject([{ from: 'no-reply@example.org', to: ['ana@example.org'] }])
    const [{ raw = '' } = {}] = messages
    expect(raw).toMatch(/^From: Sheaf <no-reply@example.org>\r?$/m)
    expect(raw).toMatch(/^Message-ID: <1@example.org>\r?$/m)
    expect(raw).toContain('Hello Ana')
    expect(raw).toContain('<p>Hello Ana</p>')
  })

  it('keeps every letter of subject and text', async () => {
    const { url, messages } = await standIn()
    await open({ smtpUrl: url }).send({ ...hello, subject: 'Grüße 你好 🌾', text: `Здравствуйте\n${link}\n` })
    const [{ raw = '' } = {}] = messages
    expect(decodeWords(raw)).toContain('Subject: Grüße 你好 🌾')
    const body = raw.slice(raw.search(/\r?\n\r?\n/)).trim()
    const text = /base64/i.test(raw) ? Buffer.from(body, 'base64').toString() : decodeQuoted(body)
    expect(text.replaceAll('\r\n', '\n').trim()).toBe(`Здравствуйте\n${link}`)
  })

  it('logs in with what the address holds, over TLS where it says so', async () => {
    const login = { user: 'sheaf@example.org', pass: 'p@ss/word' }
    const { url, messages } = await standIn({ isSecure: true, login })
    await open({ smtpUrl: url }).send(hello)
    expect(messages).toHaveLength(1)
    const wrong = open({ smtpUrl: url.replace('p%40ss', 'guess') })
    await expect(wrong.send(hello)).rejects.toThrow('Wrong user or password')
  })

  it('does not trust a certificate that nobody vouches for', async () => {
    const { url, messages } = await standIn({ isSecure: true })
    await expect(open({ smtpUrl: url.replace(/\?.*/, '') }).send(hello)).rejects.toThrow(/certificate/)
    expect(messages).toEqual([])
  })

  it('is refused in the words of the server when the mailbox does not exist', async () => {
    const { url, messages } = await standIn({ refused: ['ana@example.org'] })
    const mail = open({ smtpUrl: url })
    await expect(mail.send(hello)).rejects.toThrow('No such mailbox here')
    await mail.send({ ...hello, to: 'ben@example.org' })
    expect(messages.map(({ to }) => to)).toEqual([['ben@example.org']])
  })

  it('fails soon when no server is there, and when one hangs up', async () => {
    const gone = await startSmtpStandIn()
    await gone.close()
    await expect(open({ smtpUrl: gone.url }).send(hello)).rejects.toThrow('ECONNREFUSED')

    const rude = createServer((socket) => socket.destroy())
    await new Promise<void>((resolve) => rude.listen(0, '127.0.0.1', resolve))
    closing.push(() => new Promise((resolve) => rude.close(() => resolve())))
    const { port } = rude.address() as { port: number }
    const startedAt = Date.now()
    await expect(open({ smtpUrl: `smtp://127.0.0.1:${port}` }).send(hello)).rejects.toThrow()
    expect(Date.now() - startedAt).toBeLessThan(10_000)
  })

  it('that is being sent arrives before close returns', async () => {
    const { url, messages } = await standIn()
    const mail = open({ smtpUrl: url })
    const sending = Array.from({ length: 5 }, (_, n) => mail.send({ ...hello, subject: `Mail ${n}` }))
    await mail.close()
    expect(messages).toHaveLength(5)
    await Promise.all(sending)
  })

  it('refuses an address of another kind of server when it is opened', () => {
    expect(() => open({ smtpUrl: 'https://mail.example.org' })).toThrow('smtp://')
  })
})

describe('mail without a server', () => {
  it('becomes a file that can be read and whose link is unbroken', async () => {
    const written: string[] = []
    await open({ onWritten: (file) => written.push(file) }).send({
      ...hello,
      subject: 'Grüße',
      text: `Здравствуйте\n${link}`,
    })
    expect(await readdir(join(folder, 'outbox'))).toEqual(written.map((file) => basename(file)))
    const raw = await readFile(written[0] ?? '', 'utf8')
    expect(raw).toContain('From: Sheaf <no-reply@example.org>\nTo: <ana@example.org>\nSubject: =?UTF-8?B?')
    expect(decodeWords(raw)).toContain('Subject: Grüße\n')
    expect(raw).toContain(`\n\nЗдравствуйте\n${link}\n`)
    expect(raw).toMatch(/^Date: \w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d \+0000$/m)
    expect(raw).toMatch(/^Message-ID: <[^@>]+@example.org>$/m)
  })

  it('keeps a long subject whole in lines that mail programs accept', async () => {
    const subject = 'Приглашение в проект «Учёт урожая» 🌾 '.repeat(5).trim()
    await open().send({ ...hello, subject })
    const [name = ''] = await readdir(join(folder, 'outbox'))
    const raw = await readFile(join(folder, 'outbox', name), 'utf8')
    expect(decodeWords(raw)).toContain(`Subject: ${subject}\n`)
    const head = raw.slice(0, raw.indexOf('\n\n')).split('\n')
    expect(Math.max(...head.map((line) => line.length))).toBeLessThanOrEqual(100)
  })

  it('has both parts where there are two', async () => {
    await open().send({ ...hello, html: '<p>Hello Ana</p>' })
    const [name = ''] = await readdir(join(folder, 'outbox'))
    const raw = await readFile(join(folder, 'outbox', name), 'utf8')
    const boundary = /boundary="([^"]+)"/.exec(raw)?.[1] ?? ''
    const [, plain = '', html = '', end] = raw.split(`--${boundary}`)
    expect(plain).toContain('text/plain')
    expect(plain).toContain('\n\nHello Ana\n')
    expect(html).toContain('text/html')
    expect(html).toContain('\n\n<p>Hello Ana</p>\n')
    expect(end).toBe('--\n')
  })

  it('never overwrites another, sorts by time, and is closed to others', async () => {
    const mail = open()
    await Promise.all(Array.from({ length: 20 }, () => mail.send(hello)))
    const names = await readdir(join(folder, 'outbox'))
    expect(names).toHaveLength(20)
    for (const name of names) expect(name).toMatch(/^\d{8}T\d{6}\.\d{3}Z-[0-9a-f]{8}\.eml$/)
    expect((await stat(join(folder, 'outbox'))).mode & 0o777).toBe(0o700)
    expect((await stat(join(folder, 'outbox', names[0] ?? ''))).mode & 0o777).toBe(0o600)
  })
})

describe.each(['SMTP', 'files'])('mail by %s', (kind) => {
  const openKind = async () => {
    const server = await standIn()
    const mail = open(kind === 'SMTP' ? { smtpUrl: server.url } : {})
    const sent = async () => {
      const files = await readdir(join(folder, 'outbox')).catch((): string[] => [])
      const raws = await Promise.all(files.map((name) => readFile(join(folder, 'outbox', name), 'utf8')))
      return kind === 'SMTP' ? server.messages.map(({ raw }) => raw) : raws
    }
    return { mail, sent, server }
  }

  it.each([
    'ana@example.org\nben@example.org',
    'ana@example.org\r\nBcc: ben@example.org',
    'ana@example.org, ben@example.org',
    'ana@example.org;ben@example.org',
    'Ana <ana@example.org>',
    'ana@example.org>\r\nRCPT TO:<ben@example.org',
    'ana@ben@example.org',
    '"ana ben"@example.org',
    'ana@example.org\u0000',
    'ana',
    '@example.org',
    '',
    `${'a'.repeat(250)}@example.org`,
  ])('refuses %j as the one receiver, and sends nothing', async (to) => {
    const { mail, sent } = await openKind()
    await expect(mail.send({ ...hello, to })).rejects.toThrow(MailAddressRefused)
    expect(await sent()).toEqual([])
  })

  it('has one line of subject, whatever it is given', async () => {
    const { mail, sent, server } = await openKind()
    await mail.send({ ...hello, subject: 'Hello\r\nBcc: ben@example.org\r\n\r\nsmuggled' })
    const [raw = ''] = await sent()
    expect(raw).toMatch(/^Subject: Hello Bcc: ben@example.org smuggled\r?$/m)
    expect(raw).not.toMatch(/^Bcc:/im)
    for (const { to } of server.messages) expect(to).toEqual(['ana@example.org'])
  })

  it('refuses a message id that would be more than one', async () => {
    const { mail, sent } = await openKind()
    for (const messageId of ['1@example.org', '<1@example.org>\r\nBcc: ben@example.org', '<1 2@example.org>', '<1>']) {
      await expect(mail.send({ ...hello, messageId })).rejects.toThrow(MailAddressRefused)
    }
    expect(await sent()).toEqual([])
  })

  it('refuses a sender that is not one when it is opened', () => {
    for (const from of ['nobody', 'a@example.org, b@example.org', 'Sheaf <a@example.org> <b@example.org>', '']) {
      expect(() => open({ from })).toThrow(MailAddressRefused)
    }
  })
})
