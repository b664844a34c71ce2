// /user/tokens: the account's tokens, for whoever shows the password once more.
import type { Room } from '../../platform/deps.js'
import { errors, faultsFrom, forbidden, throwFaults } from '../../platform/http/index.js'
import { renewToken } from '../credentials/index.js'
import { TokensBody, TokensView } from './account.schemas.js'
import { tokensOf } from './account.views.js'
import { confirm } from './confirm.js'
import { proven } from './proven.js'

export const tokenRoutes: Room = async (app, deps) => {
  const { db } = deps

  app.post(
    '/user/tokens',
    {
      config: { operation: 'account.tokens', access: 'user' },
      schema: {
        summary: 'The tokens, for the password',
        description:
          'For sessions, which are shown none by `GET /user`. Wrong passwords count as those of a change of password. 403 for OAuth access tokens.',
        tags: ['account'],
        body: TokensBody,
        response: { 200: TokensView, ...errors(400, 401, 403) },
      },
      attachValidation: true,
    },
    async ({ caller, body, validationError }, reply) => {
      if (caller.credential.kind === 'bearer') throw forbidden('An OAuth access token is shown no tokens.')
      throwFaults(faultsFrom(validationError))
      await confirm(deps, caller.id, body.password)
      // A password that is replaced meanwhile takes every credential with it, which is found here.
      const tokens = await proven(db, caller, async (tx, account) => {
        const shown = await tokensOf(tx, deps, account)
        return body.renew ? { ...shown, api_token: await renewToken(tx, deps, 'api', caller.id) } : shown
      })
      return reply.header('cache-control', 'no-store').send(tokens)
    },
  )
}
