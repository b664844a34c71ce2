// A mail server that means ill: a mail is sent or is not, in bounded time, and what we know stays with us.
import { once } from 'node:events'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { startSmtpStandIn } from '../../../test/support/smtp.js'
import { budgets } from '../../budgets.js'
import { parseSender } from './address.js'
import { openSmtp } from './smtp.js'

const servers: Server[] = []
const sockets = new Set<Socket>()
const closing: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const socket of sockets) socket.destroy()
  for (const server of servers.splice(0)) server.close()
  for (const close of closing.splice(0)) await close()
})

type Step = 'greeting' | 'EHLO' | 'MAIL' | 'RCPT' | 'DATA' | 'text' | 'QUIT'
const usual: Record<Step, string> = {
  greeting: '220 mail.test ESMTP\r\n',
  EHLO: '250-mail.test\r\n250 8BITMIME\r\n',
  MAIL: '250 ok\r\n',
  RCPT: '250 ok\r\n',
  DATA: '354 go on\r\n',
  text: '250 taken\r\n',
  QUIT: '221 bye\r\n',
}
type Speak = (socket: Socket, step: Step) => void

/** `speak` says what is unusual; without a word of it the server waits. */
const start = async (unusual: Partial<Record<Step, Speak | string>>) => {
  const heard: string[] = []
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => undefined).on('close', () => sockets.delete(socket))
    let isText = false
    const say = (step: Step) => {
      const given = unusual[step] ?? usual[step]
      if (typeof given === 'string') socket.write(given)
      else given(socket, step)
    }
    socket.on('data', (data) => {
      heard.push(data.toString('latin1'))
      if (isText) {
        if (!data.toString('latin1').endsWith('\r\n.\r\n')) return
        isText = false
        return say('text')
      }
      const step = data.toString('latin1').slice(0, 4).toUpperCase() as Step
      isText = step === 'DATA'
      if (usual[step] !== undefined) say(step)
      else socket.write('502 what?\r\n')
    })
    say('greeting')
  })
  servers.push(server)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return { url: `smtp://127.0.0.1:${port}`, port, heard }
}

const open = (url: string, sendMs = 1500) => {
  const smtp = openSmtp(url, sendMs)
  closing.push(smtp.close)
  return smtp
}

const hello = {
  from: parseSender('Sheaf <no-reply@example.org>'),
  to: 'ana@example.org',
  subject: 'Hello',
  text: 'Hello Ana',
}

const steps: Step[] = ['greeting', 'EHLO', 'MAIL', 'RCPT', 'DATA', 'text']

const drip: Speak = (socket, step) => {
  const timer = setInterval(() => socket.write(usual[step][0] ?? ''), 30)
  socket.on('close', () => clearInterval(timer))
}
const flood =
  (line: string): Speak =>
  (socket) => {
    const chunk = line.repeat(500)
    let sent = 0
    const pour = () => {
      let isTaken = true
      // Enough to show that it is not read to its end.
      while (isTaken && !socket.destroyed && sent < 500_000_000) {
        sent += chunk.length
        isTaken = socket.write(chunk)
      }
      if (!socket.destroyed && sent < 500_000_000) socket.once('drain', pour)
    }
    pour()
  }

describe.each(steps)('at the step %s, a mail fails soon when the server', (step) => {
  it.each<[string, Speak | string]>([
    ['falls silent', () => undefined],
    ['drips', drip],
    ['hangs up', (socket) => socket.destroy()],
    ['ends the line', (socket) => void socket.end()],
    ['says not now', '451 4.7.1 try later\r\n'],
    ['says never', '554 5.7.1 no\r\n'],
    ['answers without end', flood('250-and more\r\n')],
    ['answers with one line without end', flood('250 and more')],
    ['speaks nonsense', '\0\0\0\r\n\r\nHTTP/1.1 200 OK\r\n\r\n'],
  ])('%s', async (_name, speak) => {
    const { url } = await start({ [step]: speak })
    const before = process.memoryUsage().rss
    const begun = performance.now()
    await expect(open(url, 500).send(hello)).rejects.toThrow()
    expect(performance.now() - begun).toBeLessThan(10_000)
    expect(process.memoryUsage().rss - before).toBeLessThan(200 * 1024 * 1024)
  })
})

describe('a mail', () => {
  it('is given up after budgets.mail.sendMs, and the next one is tried anew', async () => {
    expect(budgets.mail.sendMs).toBeLessThan(5 * 60_000)
    let isSlow = true
    const { url, heard } = await start({
      MAIL: (socket, step) => (isSlow ? drip(socket, step) : void socket.write(usual.MAIL)),
    })
    const smtp = open(url, 500)
    await expect(Promise.all([smtp.send(hello), smtp.send(hello)])).rejects.toThrow('within 0.5 seconds')
    await expect.poll(() => sockets.size).toBe(0)
    isSlow = false
    await smtp.send(hello)
    expect(heard.filter((text) => text.includes('Hello Ana'))).toHaveLength(1)
  })

  it('is taken after an answer of budgets.mail.answerBytes, and not after a longer one', async () => {
    const answer = (bytes: number) => {
      const line = `250-${'x'.repeat(94)}\r\n`
      const count = Math.floor((bytes - usual.MAIL.length) / line.length)
      return line.repeat(count) + usual.MAIL
    }
    await open((await start({ MAIL: answer(budgets.mail.answerBytes - 2000) })).url).send(hello)
    const longer = await start({ MAIL: answer(budgets.mail.answerBytes + 2000) })
    await expect(open(longer.url).send(hello)).rejects.toThrow()
  })

  it('has no other receiver and no other line than its own, whatever is in it', async () => {
    const standIn = await startSmtpStandIn()
    closing.push(standIn.close)
    const smtp = open(standIn.url, 10_000)
    await smtp.send({
      ...hello,
      text: 'a\r\n.\r\nMAIL FROM:<evil@example.org>\r\nRCPT TO:<ben@example.org>\r\nDATA\r\nb\r\n.\r\nc\n.\nd\r.\re',
    })
    await smtp.send({ ...hello, text: '.\r\n..\r\n.' })
    expect(standIn.messages.map(({ to }) => to)).toEqual([['ana@example.org'], ['ana@example.org']])
    expect(standIn.messages[0]?.raw).toContain('RCPT TO:<ben@example.org>')
  })
})

describe('a password', () => {
  const withLogin = { EHLO: '250-mail.test\r\n250 AUTH PLAIN LOGIN\r\n' }

  it('is not sent to another machine that says it knows no TLS', async () => {
    const { port, heard } = await start(withLogin)
    // Another name for this machine, which does not look like it.
    await expect(open(`smtp://user:word@0.0.0.0:${port}`).send(hello)).rejects.toThrow(/TLS/)
    expect(heard.join('')).not.toMatch(/AUTH|MAIL/)
  })

  it('is not sent after a STARTTLS that was refused or answered by nobody we trust', async () => {
    const EHLO = '250-mail.test\r\n250-STARTTLS\r\n250 AUTH PLAIN\r\n'
    const { port, heard } = await start({ EHLO })
    await expect(open(`smtp://user:word@0.0.0.0:${port}`).send(hello)).rejects.toThrow()
    expect(heard.join('')).toContain('STARTTLS')
    expect(heard.join('')).not.toMatch(/AUTH|MAIL/)
  })

  it('is not sent by smtps:// to a server that speaks without TLS: it does not fall back', async () => {
    const { port, heard } = await start(withLogin)
    await expect(open(`smtps://user:word@127.0.0.1:${port}`).send(hello)).rejects.toThrow()
    expect(heard.join('')).not.toMatch(/EHLO|AUTH|MAIL/)
  })

  it('is sent in the clear to this machine, and where the address says so', async () => {
    const credentials = Buffer.from('\0user\0word').toString('base64')
    for (const [host, options] of [
      ['127.0.0.1', ''],
      ['0.0.0.0', '?requireTLS=false'],
    ]) {
      const { port, heard } = await start(withLogin)
      await open(`smtp://user:word@${host}:${port}${options}`)
        .send(hello)
        .catch(() => undefined)
      expect(heard.join('')).toContain(credentials)
    }
  })
})
