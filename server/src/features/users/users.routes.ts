// Users: /users. Read only; accounts are made and changed as profiles and organizations.

import type { FastifyRequest } from 'fastify'
import type { Room } from '../../platform/deps.js'
import { absent, errors, largestPageSize, pageOf, sendLinks } from '../../platform/http/index.js'
import { Type } from '../../platform/schema/index.js'
import { countUsers, findActiveUser, listUsers } from './users.queries.js'
import { UserParams, UsersQuery, UserView, userView } from './users.schemas.js'

export interface UserOptions {
  /** Counts a search for an address; throws 429. The room that counts stands above this one. */
  limitSearches: (request: FastifyRequest) => Promise<void>
}

export const userRoutes =
  ({ limitSearches }: UserOptions): Room =>
  async (app, { db }) => {
    app.get(
      '/users',
      {
        config: { operation: 'user.list', access: 'user' },
        schema: {
          summary: 'List accounts',
          description: `An address is found by whoever shares an organization or a project with its owner. Active people and organizations, by username. Paged when \`page\` or \`page_size\` is given, or when there are more than ${largestPageSize}.`,
          tags: ['users'],
          querystring: UsersQuery,
          response: { 200: Type.Array(UserView), ...errors(400, 401, 404, 429) },
        },
      },
      async (request, reply) => {
        const { query, caller } = request
        if (query.search?.includes('@')) await limitSearches(request)
        const filter = { search: query.search, callerId: caller.id, withOrganizations: query.orgs ?? true }
        const isPaged = query.page !== undefined || query.page_size !== undefined
        const all = isPaged ? [] : await listUsers(db, filter, { offset: 0, limit: largestPageSize + 1 })
        if (!isPaged && all.length <= largestPageSize) return all.map(userView)
        const page = pageOf({ page_size: String(largestPageSize), ...query }, await countUsers(db, filter))
        sendLinks(request, reply, page)
        return (await listUsers(db, filter, { offset: page.offset, limit: page.size })).map(userView)
      },
    )

    app.get(
      '/users/:user',
      {
        config: { operation: 'user.get', access: 'user' },
        schema: {
          summary: 'One account',
          tags: ['users'],
          params: UserParams,
          response: { 200: UserView, ...errors(401, 404) },
        },
      },
      async (request) => {
        const user = await findActiveUser(db, request.params.user)
        if (user === undefined) throw absent()
        return userView(user)
      },
    )
  }
