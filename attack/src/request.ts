// A request, who makes it, and the same as a line for a shell.

export interface Caller {
  readonly name: string
  readonly password: string
  /** The API token; without it the caller is anonymous. */
  readonly token?: string
}

export const password = 'correct horse'
export const anonymous: Caller = { name: 'nobody', password: '' }

export interface Request {
  readonly method: string
  /** From the root, escaped as it is sent. */
  readonly path: string
  readonly caller?: Caller
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: Buffer
  /** JavaScript that makes the body again, where it is too long or too strange to print. */
  readonly recipe?: string
  /** What somebody must have done before, as lines for a shell. */
  readonly before?: readonly string[]
  readonly timeoutMs?: number
}

export interface Answer {
  /** 0: there was none. */
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly body: Buffer
  readonly ms: number
  /** Why there was no answer. */
  readonly fault?: string
  /** What the same connection was used for before, when nothing came on it any more. */
  readonly before?: Request
}

export const textOf = (answer: Answer): string => answer.body.toString('utf8')

export const jsonOf = <T>(answer: Answer): T | undefined => {
  try {
    return JSON.parse(textOf(answer)) as T
  } catch {
    return undefined
  }
}

const longestBody = 2000
const quote = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`

const bodyOption = ({ body, recipe }: Request): { pipe: string; option: string } => {
  if (recipe !== undefined) {
    return { pipe: `node -e ${quote(`process.stdout.write(${recipe})`)} | `, option: ' --data-binary @-' }
  }
  if (body === undefined || body.length === 0) return { pipe: '', option: '' }
  const text = body.toString('utf8')
  const isPlain = body.length <= longestBody && !/[^\t\r\n\x20-\x7e]/.test(text)
  if (isPlain) return { pipe: '', option: ` --data-binary ${text.includes('\n') ? `$${escaped(text)}` : quote(text)}` }
  const base64 = body.subarray(0, 3 * longestBody).toString('base64')
  const cut = body.length > 3 * longestBody ? ` # the first of ${body.length} bytes` : ''
  return { pipe: `base64 -d <<< ${base64} | `, option: ` --data-binary @-${cut}` }
}

const escaped = (text: string): string =>
  `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'").replaceAll('\r', '\\r').replaceAll('\n', '\\n')}'`

/** `$A` is the address of the server. */
export const curlOf = (request: Request): string => {
  const { method, path, caller, headers = {}, before = [] } = request
  const { pipe, option } = bodyOption(request)
  const who = caller?.token === undefined ? '' : ` -u ${quote(`${caller.name}:${caller.password}`)}`
  const lines = Object.entries(headers).map(([name, value]) => ` -H ${quote(`${name}: ${value}`)}`)
  const verb = method === 'GET' ? '' : ` -X ${method}`
  return [...before, `${pipe}curl -g --path-as-is${verb} "$A"${quote(path)}${who}${lines.join('')}${option}`].join('\n')
}

export const jsonRequest = (method: string, path: string, caller: Caller, body?: unknown): Request => ({
  method,
  path,
  caller,
  ...(body !== undefined && {
    headers: { 'content-type': 'application/json' },
    body: Buffer.from(JSON.stringify(body)),
  }),
})
