// The API's own address: what resources there are, and its description.

import type { Room } from '../../platform/deps.js'
import { Type } from '../../platform/schema/index.js'

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

export const rootRoutes: Room = async (app) => {
  app.get(
    '/',
    {
      config: { operation: 'root.list', access: 'anyone' },
      schema: {
        summary: 'Resources of this API',
        tags: ['api'],
        response: { 200: Type.Record(Type.String(), Type.String()) },
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
        response: { 200: Type.Record(Type.String(), Type.Unknown()) },
      },
    },
    async () => app.swagger() as unknown as Record<string, unknown>,
  )
}
