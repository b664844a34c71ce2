// For tests only: a mail server in this process.
import { text } from 'node:stream/consumers'
import { SMTPServer } from 'smtp-server'

export interface ReceivedMail {
  /** Of the envelope, which decides where a mail goes; the headers in `raw` only say so. */
  readonly from: string
  readonly to: string[]
  readonly raw: string
}

export interface SmtpStandIn {
  readonly url: string
  readonly messages: ReceivedMail[]
  close(): Promise<void>
}

export interface SmtpStandInOptions {
  /** Speaks TLS from the start, with a certificate of its own making. */
  readonly isSecure?: boolean
  /** Required of the sender; part of `url`. */
  readonly login?: { readonly user: string; readonly pass: string }
  /** Addresses that it does not take mail for. */
  readonly refused?: readonly string[]
}

export async function startSmtpStandIn(options: SmtpStandInOptions = {}): Promise<SmtpStandIn> {
  const { isSecure = false, login, refused = [] } = options
  const messages: ReceivedMail[] = []
  const server = new SMTPServer({
    secure: isSecure,
    authOptional: login === undefined,
    allowInsecureAuth: true,
    disabledCommands: login === undefined ? ['AUTH', 'STARTTLS'] : ['STARTTLS'],
    disableReverseLookup: true,
    closeTimeout: 100,
    onAuth: ({ username, password }, _session, done) => {
      if (username === login?.user && password === login?.pass) done(null, { user: username })
      else done(new Error('Wrong user or password'))
    },
    onRcptTo: ({ address }, _session, done) => {
      if (refused.includes(address)) done(Object.assign(new Error('No such mailbox here'), { responseCode: 550 }))
      else done()
    },
    onData: (stream, { envelope }, done) => {
      text(stream).then((raw) => {
        const from = envelope.mailFrom === false ? '' : envelope.mailFrom.address
        messages.push({ from, to: envelope.rcptTo.map(({ address }) => address), raw })
        done()
      }, done)
    },
  })
  // A sender that hangs up, or does not trust the certificate, is none of the server's errors.
  server.on('error', () => {})
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()))
  const address = server.server.address()
  const port = typeof address === 'object' ? address?.port : undefined
  const credentials = login ? `${encodeURIComponent(login.user)}:${encodeURIComponent(login.pass)}@` : ''
  const scheme = isSecure ? 'smtps' : 'smtp'
  return {
    url: `${scheme}://${credentials}127.0.0.1:${port}${isSecure ? '?tls.rejectUnauthorized=false' : ''}`,
    messages,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  }
}
