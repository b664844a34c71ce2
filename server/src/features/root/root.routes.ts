// The API's own address: what resources there are, and its description.

import type { Room } from '../../platform/deps.js'
import { Kept, Redirect } from '../../platform/http/index.js'
import type { ApiDescription } from '../../platform/openapi/index.js'
import { Type } from '../../platform/schema/index.js'

/** A server has one or two names; each text takes half a megabyte. */
const mostAddresses = 4

const jsonType = 'application/json; charset=utf-8'

/** Resource → list address; each room that has a list adds a line. */
const resources = {
  charts: '/charts',
  data: '/data',
  forms: '/forms',
  media: '/media',
  messaging: '/messaging',
  metadata: '/metadata',
  notes: '/notes',
  orgs: '/orgs',
  profiles: '/profiles',
  projects: '/projects',
  restservices: '/restservices',
  stats: '/stats',
  submissionreview: '/submissionreview',
  teams: '/teams',
  user: '/user',
  users: '/users',
  widgets: '/widgets',
} as const

export const rootRoutes =
  (description: ApiDescription): Room =>
  async (app) => {
    /** By the address that the caller used. The last ones are kept: who names others makes no more than these. */
    const kept = new Map<string, Kept>()
    const keptFor = async (origin: string): Promise<Kept> => {
      const known = kept.get(origin) ?? new Kept(await description.text(origin))
      kept.delete(origin)
      kept.set(origin, known)
      const [oldest] = kept.keys()
      if (kept.size > mostAddresses && oldest !== undefined) kept.delete(oldest)
      return known
    }

    app.get(
      '/',
      {
        config: { operation: 'root.list', access: 'anyone' },
        schema: {
          summary: 'Resources of this API',
          tags: ['api'],
          response: {
            200: Type.Record(Type.String(), Type.String(), {
              description: 'Resource to address.',
              examples: [{ forms: 'http://127.0.0.1:8080/api/v1/forms' }],
            }),
            301: Redirect,
          },
        },
      },
      async (request, reply) => {
        const base = `${request.origin}/api/v1`
        if (request.originalUrl.split('?', 1)[0] === '/api/v1') return reply.redirect(`${base}/`, 301)
        return Object.fromEntries(Object.entries(resources).map(([name, path]) => [name, base + path]))
      },
    )

    app.get(
      '/openapi',
      {
        config: { operation: 'root.openapi', access: 'anyone' },
        schema: {
          summary: 'OpenAPI 3.1 description',
          tags: ['api'],
          response: {
            200: Type.Record(Type.String(), Type.Unknown(), {
              description: 'This description.',
              examples: [{ openapi: '3.1.0', info: { title: 'Sheaf API' } }],
            }),
          },
        },
      },
      async (request, reply) => (await keptFor(request.origin)).send(request, reply.type(jsonType)),
    )
  }
