// The table of all routes: every route must name its operation, who may call it and what it does, or the server does
// not start. From the table follow the methods that a path does not have.
import type { FastifyInstance, RouteOptions } from 'fastify'
import { methodNotAllowed } from './errors.js'
import { mediaTypes } from './formats.js'
import type { App } from './room.js'

export interface RouteEntry {
  readonly method: string
  readonly url: string
  readonly operation: string
  readonly access: 'anyone' | 'user' | 'key'
  readonly route: RouteOptions
}

export class RouteTable {
  readonly entries: RouteEntry[] = []

  collect(app: FastifyInstance): void {
    app.addHook('onRoute', (route) => {
      for (const method of [route.method].flat()) this.add(method, route)
    })
  }

  /** Throws for a route that does not say what it is. */
  add(method: string, route: RouteOptions): void {
    const { operation, access } = route.config ?? {}
    if (operation === undefined || access === undefined) {
      throw new Error(`${method} ${route.url} names no operation or no access rule`)
    }
    this.entries.push({ method, url: route.url, operation, access, route })
  }

  methodsByUrl(prefix: string): Map<string, RouteEntry[]> {
    const byUrl = new Map<string, RouteEntry[]>()
    for (const entry of this.entries) {
      if (!entry.url.startsWith(prefix)) continue
      // The prefix alone is the same route as the prefix with a slash.
      const url = entry.url.replace(/\/$/, '')
      byUrl.set(url, [...(byUrl.get(url) ?? []), entry])
    }
    return byUrl
  }
}

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'] as const
const parses = ['application/json', 'application/x-www-form-urlencoded', 'multipart/form-data']

/** Registered last: 405 for the methods a path does not have, and what OPTIONS says about it. */
export const answerOtherMethods = (app: FastifyInstance, table: RouteTable): void => {
  const hidden = { hide: true }
  for (const [url, entries] of table.methodsByUrl(app.prefix)) {
    const local = url.slice(app.prefix.length) || '/'
    const known = new Set(entries.map(({ method }) => method))
    const allow = [...known, 'OPTIONS'].sort().join(', ')
    app.options(
      local,
      { config: { operation: 'options.describe', access: 'anyone' }, schema: hidden },
      async (_request, reply) => reply.header('allow', allow).send(describe(entries)),
    )
    const missing = methods.filter((method) => !known.has(method))
    if (missing.length === 0) continue
    app.route({
      method: missing,
      url: local,
      exposeHeadRoute: false,
      config: { operation: 'method.refuse', access: 'anyone' },
      schema: hidden,
      // Before the body is read: it would be parsed for nothing.
      onRequest: async (request) => {
        throw methodNotAllowed(request.method, allow)
      },
      handler: () => undefined,
    })
  }
}

/** Of the routes that are registered meanwhile: what methods they have. Preflights are answered before, where they come to
 * a route at all. */
export const answerOptions = async (app: App, register: (app: App) => Promise<void>): Promise<void> => {
  const methodsOf = new Map<string, Set<string>>()
  app.addHook('onRoute', ({ method, url }) => {
    methodsOf.set(url, new Set([...(methodsOf.get(url) ?? []), ...[method].flat()]))
  })
  await register(app)
  for (const [url, known] of [...methodsOf]) {
    const allow = [...known, 'OPTIONS'].sort().join(', ')
    app.options(
      url,
      { config: { operation: 'options.describe', access: 'anyone' }, schema: { hide: true } },
      async (_request, reply) => reply.header('allow', allow).code(204).send(),
    )
  }
}

const describe = (entries: readonly RouteEntry[]) => {
  const formats = new Set(entries.flatMap(({ route }) => route.config?.formats ?? ['json' as const]))
  return {
    name: entries[0]?.route.schema?.tags?.[0] ?? '',
    description: entries
      .filter(({ method }) => method !== 'HEAD')
      .map(({ method, route }) => `${method}: ${route.schema?.summary ?? ''}`)
      .join('\n'),
    renders: [...formats].map((format) => mediaTypes[format]),
    parses,
  }
}
