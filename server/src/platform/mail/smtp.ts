import { isIP } from 'node:net'
import type { Transporter } from 'nodemailer'
import { budgets } from '../../budgets.js'
import type { CheckedMessage } from './message.js'

export function checkSmtpUrl(url: string): void {
  if (!/^smtps?:\/\/[^/?#]/i.test(url)) throw new Error('The mail server is given as smtp://… or smtps://…')
}

/** Of an own machine; nobody stands between. */
const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'))

/**
 * A password goes in the clear to no server that merely says it knows no TLS: whoever stands between can make a server
 * say so. smtps:// speaks TLS from the first byte and never falls back.
 */
const needsTls = (url: string): boolean => {
  const { protocol, hostname, password, searchParams } = new URL(url)
  const isPlain = protocol.toLowerCase() === 'smtp:'
  return isPlain && password !== '' && !isLoopback(hostname) && searchParams.get('requireTLS') !== 'false'
}

/**
 * nodemailer is loaded with the first mail: most processes never send one. Options in the address go to it, e.g.
 * `smtps://host?tls.rejectUnauthorized=false` for a server with a certificate of its own making.
 */
export function openSmtp(url: string, sendMs: number = budgets.mail.sendMs) {
  checkSmtpUrl(url)
  let opening: Promise<Transporter> | undefined
  return {
    send: async ({ from, to, subject, text, html, messageId }: CheckedMessage): Promise<void> => {
      opening ??= connect(url)
      const mine = opening
      const transport = await mine
      const sending = transport.sendMail({
        from,
        // Never strings, which nodemailer reads as lists.
        to: { name: '', address: to },
        subject,
        text,
        ...(html !== undefined && { html }),
        ...(messageId !== undefined && { messageId }),
        disableFileAccess: true,
        disableUrlAccess: true,
      })
      await within(sendMs, sending, () => {
        // Also what is being sent beside it is cut: the same server would let it wait as long. Their jobs try again.
        if (opening === mine) opening = undefined
        closeAtOnce(transport)
      })
    },
    close: async (): Promise<void> => {
      const transport = await opening
      transport?.close()
    },
  }
}

/** Its types do not know that it can be told to. */
const closeAtOnce = (transport: Transporter): void =>
  (transport.transporter as unknown as { close(options: { force: boolean }): void }).close({ force: true })

const within = async <T>(milliseconds: number, work: Promise<T>, giveUp: () => void): Promise<T> => {
  let timer: NodeJS.Timeout | undefined
  const end = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      reject(new Error(`The mail server did not take the mail within ${milliseconds / 1000} seconds`))
      giveUp()
    }, milliseconds)
  })
  return Promise.race([work, end]).finally(() => clearTimeout(timer))
}

async function connect(url: string): Promise<Transporter> {
  const { createTransport } = await import('nodemailer')
  return createTransport({
    url,
    pool: true,
    maxConnections: budgets.mail.jobsAtOnce,
    // nodemailer waits two minutes for a connection and ten for an answer; the job that sends is retried anyway.
    dnsTimeout: 5_000,
    connectionTimeout: 10_000,
    greetingTimeout: 10_000,
    socketTimeout: 30_000,
    maxRequeues: 1,
    maxResponseSize: budgets.mail.answerBytes,
    ...(needsTls(url) && { requireTLS: true }),
  } as Parameters<typeof createTransport>[0])
}
