// A browser with a session, as a page of this server uses it: by its scripts.
import type { Account, CallOptions, TestApp } from './app.js'

type Method = 'GET' | 'HEAD' | 'OPTIONS' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** What a browser says of what a script of this server's own page asks for. */
export const own = { 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': 'cors', 'sec-fetch-dest': 'empty' }

export interface Session {
  id: number
  cookie: string
  csrf: string
  expires: string
}

export const cookieIn = (headers: Record<string, unknown>): string | undefined => {
  const lines = [headers['set-cookie'] ?? []].flat() as string[]
  const kept = lines.filter((line) => /^(__Host-)?sheaf-session=/.test(line)).at(-1)
  return kept?.split(';', 1)[0]
}

export const startSession = async (
  app: TestApp,
  { username, password }: Pick<Account, 'username' | 'password'>,
  { stay = false, headers = {} }: { stay?: boolean; headers?: Record<string, string> } = {},
): Promise<Session> => {
  const answer = await app.page('POST', '/accounts/session', {
    body: { username, password, stay },
    headers: { ...own, ...headers },
  })
  if (answer.statusCode !== 200) throw new Error(`Signing in answered ${answer.statusCode}: ${answer.body}`)
  return { ...answer.json(), cookie: cookieIn(answer.headers) ?? '' }
}

/** As a script of this server's own page calls: with the cookie and the proof. */
export const withSession =
  (app: TestApp, { cookie, csrf }: Pick<Session, 'cookie' | 'csrf'>) =>
  (method: Method, url: string, options: CallOptions = {}) =>
    app.page(method, url, { ...options, headers: { ...own, cookie, 'x-sheaf-csrf': csrf, ...options.headers } })
