// The caller's own account: /user, its tokens and its password.

import type { Room } from '../../platform/deps.js'
import { badRequest, errors, NoBody, notFound, sendJsonText } from '../../platform/http/index.js'
import { Type } from '../../platform/schema/index.js'
import { deleteToken, renewToken } from '../credentials/index.js'
import { getOwnProfile, ProfileParams } from '../profiles/index.js'
import { findActiveUser } from '../users/index.js'
import { getAccount } from './account.queries.js'
import { AccountView, ChangePasswordBody, ChangePasswordView } from './account.schemas.js'
import { accountView } from './account.views.js'
import { changePassword } from './change-password.js'

export const accountRoutes: Room = async (app, deps) => {
  const { db } = deps

  for (const { method, operation, status } of [
    { method: 'GET', operation: 'account.get', status: 200 },
    { method: 'POST', operation: 'account.get_by_post', status: 201 },
  ] as const) {
    app.route({
      method,
      url: '/user',
      config: { operation, access: 'user' },
      schema: {
        summary: 'The authenticated user, with tokens',
        description: 'A missing token is made, an expired temporary one is replaced.',
        tags: ['account'],
        response: { [status]: AccountView, ...errors(401) },
      },
      handler: async ({ caller, origin }, reply) =>
        reply.code(status).send(await accountView(deps, origin, await getAccount(db, caller.id))),
    })
  }

  app.get(
    '/user/regenerate_auth_token',
    {
      // A GET that changes something, as the contract's family has it; a HEAD must not.
      exposeHeadRoute: false,
      config: { operation: 'account.regenerate_token', access: 'user' },
      schema: {
        summary: 'Replace the API token',
        description: 'The old one ends at once. The body is the new token as a JSON text.',
        tags: ['account'],
        response: { 201: Type.String({ examples: ['0123456789abcdef0123456789abcdef01234567'] }), ...errors(401) },
      },
    },
    async ({ caller }, reply) => sendJsonText(reply.code(201), await renewToken(db, deps, 'api', caller.id)),
  )

  app.get(
    '/user/:username/starred',
    {
      config: { operation: 'account.starred', access: 'user' },
      schema: {
        summary: 'Projects that a user has starred',
        description: 'Those that the caller may see.',
        tags: ['account'],
        params: ProfileParams,
        response: { 200: Type.Array(Type.Record(Type.String(), Type.Unknown())), ...errors(401, 404) },
      },
    },
    async ({ params }) => {
      if ((await findActiveUser(db, params.username)) === undefined) throw notFound()
      // There are no projects yet, so nobody has starred one; the projects room will list them here.
      return []
    },
  )

  app.delete(
    '/user/expire',
    {
      config: { operation: 'account.expire_temp_token', access: 'user' },
      schema: {
        summary: 'End the temporary token',
        tags: ['account'],
        response: { 204: NoBody, ...errors(400, 401) },
      },
    },
    async ({ caller }, reply) => {
      if (!(await deleteToken(db, 'temp', caller.id))) throw badRequest('Temporary token not found!')
      return reply.code(204).send(null)
    },
  )

  for (const stem of ['profile', 'profiles'] as const) {
    app.post(
      `/${stem}/:username/change_password`,
      {
        config: { operation: `account.change_password.${stem}`, access: 'user' },
        schema: {
          summary: 'Change the password',
          description: 'Every token in use ends; the new ones are in the answer.',
          tags: ['account'],
          params: ProfileParams,
          body: ChangePasswordBody,
          response: { 200: ChangePasswordView, ...errors(400, 401, 403, 404) },
        },
      },
      async ({ params, body, caller }) => {
        const profile = await getOwnProfile(deps, params.username, caller.id)
        return changePassword(deps, profile, body)
      },
    )
  }
}
