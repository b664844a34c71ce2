// The public API as one person calls it.

export interface Part {
  readonly name: string
  readonly content: string | Buffer
  readonly filename?: string
  readonly type?: string
}

export interface Api {
  readonly username: string
  get<T = unknown>(path: string): Promise<T>
  post<T = unknown>(path: string, body: object): Promise<T>
  put<T = unknown>(path: string, body: object): Promise<T>
  patch<T = unknown>(path: string, body: object): Promise<T>
  /** As devices and forms of pages send files. */
  upload<T = unknown>(path: string, parts: readonly Part[]): Promise<T>
}

const read = async <T>(answer: Response, what: string): Promise<T> => {
  const text = await answer.text()
  if (!answer.ok) throw new Error(`${what} answered ${answer.status}: ${text.slice(0, 500)}`)
  const isJson = answer.headers.get('content-type')?.includes('json') === true
  return (isJson && text !== '' ? JSON.parse(text) : text) as T
}

const formOf = (parts: readonly Part[]): FormData => {
  const form = new FormData()
  for (const { name, content, filename, type } of parts) {
    if (filename === undefined) form.append(name, String(content))
    else form.append(name, new Blob([content], { type: type ?? 'application/octet-stream' }), filename)
  }
  return form
}

/** Paths begin below the server's own address. */
export const apiOf = (address: string, username: string, authorization: string): Api => {
  const call = async <T>(method: string, path: string, body?: object): Promise<T> => {
    const headers = { authorization, ...(body !== undefined && { 'content-type': 'application/json' }) }
    const answer = await fetch(`${address}${path}`, {
      method,
      headers,
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    return read<T>(answer, `${method} ${path}`)
  }
  return {
    username,
    get: (path) => call('GET', path),
    post: (path, body) => call('POST', path, body),
    put: (path, body) => call('PUT', path, body),
    patch: (path, body) => call('PATCH', path, body),
    upload: async (path, parts) => {
      const answer = await fetch(`${address}${path}`, {
        method: 'POST',
        headers: { authorization },
        body: formOf(parts),
      })
      return read(answer, `POST ${path}`)
    },
  }
}

export const basic = (username: string, password: string): string =>
  `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`

/** So many at once, in their order; the first failure ends it. */
export const inLanes = async <T>(
  lanes: number,
  items: readonly T[],
  work: (item: T, at: number) => Promise<void>,
): Promise<void> => {
  let next = 0
  const lane = async (): Promise<void> => {
    while (next < items.length) {
      const at = next
      next += 1
      await work(items[at] as T, at)
    }
  }
  await Promise.all(Array.from({ length: Math.min(lanes, items.length) }, lane))
}
