// Where to go after signing in: a path of this server, never an address that somebody slipped in.

const here = 'http://here.invalid'

export const safeNext = (next: unknown): string => {
  if (typeof next !== 'string' || !/^\/(?![/\\])[^\\\s]*$/.test(next)) return '/'
  const url = URL.canParse(next, here) ? new URL(next, here) : undefined
  if (url === undefined || url.origin !== here || url.pathname.startsWith('//')) return '/'
  return url.pathname + url.search + url.hash
}

/** Pages of the server itself are opened, not routed to. */
export const isServerPage = (path: string): boolean => /^\/(o|accounts|oidc|api)\//.test(path)
