// The caller's own account: /user, its tokens and its password.

import type { Room } from '../../platform/deps.js'
import {
  badRequest,
  type Caller,
  errors,
  faultsFrom,
  forbidden,
  NoBody,
  sendJsonText,
  throwFaults,
} from '../../platform/http/index.js'
import { Type } from '../../platform/schema/index.js'
import { credentialReplaced, deleteToken, renewToken } from '../credentials/index.js'
import { getOwnProfile, ProfileParams } from '../profiles/index.js'
import { findSession, startSession } from '../sign-in/index.js'
import { findAccount } from './account.queries.js'
import { AccountView, ChangePasswordBody, ChangePasswordView } from './account.schemas.js'
import { accountView, accountViewForPrograms, accountViewForSessions, hasTokens } from './account.views.js'
import { changePassword } from './change-password.js'
import { proven } from './proven.js'

/** Everybody in a browser who signs in with a password begins here, also from another site. */
const readsAndMakes = {
  changes: true,
  fromOtherSites: 'A token that is missing is made, none that works is replaced, and only the caller reads the answer.',
}

const isBearer = ({ credential }: Caller): boolean => credential.kind === 'bearer'
const isSession = ({ credential }: Caller): boolean => credential.kind === 'session'

export const accountRoutes: Room = async (app, deps) => {
  const { db } = deps

  /** One statement when both tokens are there; only making one needs the lock. */
  const ownAccount = async (caller: Caller, origin: string) => {
    const account = await findAccount(db, caller)
    if (account === undefined) throw credentialReplaced()
    if (isBearer(caller)) return accountViewForPrograms(deps, origin, account)
    if (isSession(caller)) return accountViewForSessions(deps, origin, account)
    return hasTokens(deps, account)
      ? accountView(db, deps, origin, account)
      : proven(db, caller, (tx, locked) => accountView(tx, deps, origin, locked))
  }

  for (const { method, operation, status } of [
    { method: 'GET', operation: 'account.get', status: 200 },
    { method: 'POST', operation: 'account.get_by_post', status: 201 },
  ] as const) {
    app.route({
      method,
      url: '/user',
      config: { operation, access: 'user', ...(method === 'GET' && readsAndMakes) },
      schema: {
        summary: 'The authenticated user, with tokens',
        description:
          'A missing token is made, an expired temporary one is replaced. To an OAuth access token and to a session both are blank; a session is shown them by `POST /user/tokens`.',
        tags: ['account'],
        response: { [status]: AccountView, ...errors(401) },
      },
      handler: async ({ caller, origin }, reply) =>
        reply
          .code(status)
          .header('cache-control', 'no-store')
          .send(await ownAccount(caller, origin)),
    })
  }

  app.get(
    '/user/regenerate_auth_token',
    {
      // A GET that changes something, as the contract's family has it; a HEAD must not.
      exposeHeadRoute: false,
      config: { operation: 'account.regenerate_token', access: 'user', changes: true },
      schema: {
        summary: 'Replace the API token',
        description: 'The old one ends at once. The body is the new token as a JSON text.',
        tags: ['account'],
        response: { 201: Type.String({ examples: ['0123456789abcdef0123456789abcdef01234567'] }), ...errors(401, 403) },
      },
    },
    async ({ caller }, reply) => {
      if (isBearer(caller)) throw forbidden('An OAuth access token cannot replace the API token.')
      if (isSession(caller)) throw forbidden('A session replaces the API token by POST /user/tokens with the password.')
      const token = await proven(db, caller, (tx) => renewToken(tx, deps, 'api', caller.id))
      return sendJsonText(reply.header('cache-control', 'no-store'), token, 201)
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
          description:
            'Every token and every session in use ends; the new tokens are in the answer. A session that changes the password goes on as a new one, whose proof `GET /accounts/session` tells.',
          tags: ['account'],
          params: ProfileParams,
          body: ChangePasswordBody,
          response: { 200: ChangePasswordView, ...errors(400, 401, 403, 404) },
        },
        attachValidation: true,
      },
      async (request, reply) => {
        const { params, body, caller } = request
        const profile = await getOwnProfile(deps, params.username, caller.id)
        throwFaults(faultsFrom(request.validationError))
        const session = isSession(caller) ? await findSession(deps, request) : undefined
        const { passwordHash, view } = await changePassword(deps, profile, body ?? {})
        // Every session ends with the password; the one that changed it goes on as a new one.
        if (session !== undefined) {
          const { userId, stays } = session
          await startSession(deps, request, reply, { userId, passwordHash, stays })
        }
        return reply.header('cache-control', 'no-store').send(view)
      },
    )
  }
}
