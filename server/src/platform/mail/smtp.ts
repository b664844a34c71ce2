import type { Transporter } from 'nodemailer'
import type { CheckedMessage } from './mail.js'

export function checkSmtpUrl(url: string): void {
  if (!/^smtps?:\/\/[^/?#]/i.test(url)) throw new Error('The mail server is given as smtp://… or smtps://…')
}

/**
 * nodemailer is loaded with the first mail: most processes never send one. Options in the address go to it, e.g.
 * `smtps://host?tls.rejectUnauthorized=false` for a server with a certificate of its own making.
 */
export function openSmtp(url: string) {
  checkSmtpUrl(url)
  let opening: Promise<Transporter> | undefined
  return {
    send: async ({ from, to, subject, text, html, messageId }: CheckedMessage): Promise<void> => {
      opening ??= connect(url)
      const transport = await opening
      await transport.sendMail({
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
    },
    close: async (): Promise<void> => {
      const transport = await opening
      transport?.close()
    },
  }
}

async function connect(url: string): Promise<Transporter> {
  const { createTransport } = await import('nodemailer')
  return createTransport({
    url,
    pool: true,
    maxConnections: 2,
    // nodemailer waits two minutes for a connection and ten for an answer; the job that sends is retried anyway.
    dnsTimeout: 5_000,
    connectionTimeout: 10_000,
    greetingTimeout: 10_000,
    socketTimeout: 30_000,
    maxRequeues: 1,
  } as Parameters<typeof createTransport>[0])
}
