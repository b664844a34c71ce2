// /user/reset: two forms of one call. A body with `token` sets the password, any other asks for the mail.
import type { FastifyRequest } from 'fastify'
import type { Room } from '../../platform/deps.js'
import { errors, faultsFrom, NoBody, readBody, throwFaults } from '../../platform/http/index.js'
import { type TSchema, Type } from '../../platform/schema/index.js'
import { publicOrigin, redirectsOf } from '../../platform/settings.js'
import { credentialSettings, limitByAddress, limitGuesses } from '../credentials/index.js'
import { arrivalOf } from '../profiles/index.js'
import { pagesOfMails } from '../users/index.js'
import { ResetChange, ResetMailBody, ResetRequest } from './account.schemas.js'
import { requestReset, resetJobs, resetPassword } from './reset.js'

export const resetRoutes: Room = async (app, deps) => {
  resetJobs(deps)
  await resetMailRoute(app, deps)
  const { config } = deps
  const Request = ResetRequest(redirectsOf(config))
  const Change = ResetChange(config.of(credentialSettings).minPasswordLength)
  const readRequest = readBody(Request)
  const readChange = readBody(Change)

  app.post(
    '/user/reset',
    {
      config: { operation: 'account.reset_password', access: 'anyone' },
      schema: {
        summary: 'Reset a password by mail',
        description:
          'With `email` and `reset_url`: sends a mail whose link leads to `reset_url` with `uid`, `token` and `username`; the answer is the same for unknown addresses. With `uid`, `token` and `new_password`: sets the password.',
        tags: ['account'],
        body: documented(Request, Change),
        response: {
          200: Type.Object({ username: Type.String() }, { examples: [{ username: 'ana' }] }),
          204: NoBody,
          ...errors(400, 429),
        },
      },
    },
    async (request, reply) => {
      if (hasToken(request)) {
        const body = readChange(request.body)
        return { username: await limitGuesses(deps, 'reset_guess', request, () => resetPassword(deps, body)) }
      }
      const body = readRequest(request.body)
      await limitByAddress(deps, 'reset_request', request)
      await requestReset(deps, body)
      return reply.code(204).send(null)
    },
  )
}

/** For the page of this server: `reset_url` would name this server by the name that the browser knows, which need not be the
 * one of the setting. */
const resetMailRoute: Room = async (app, deps) => {
  app.post(
    '/user/reset_mail',
    {
      config: { operation: 'account.send_reset', access: 'anyone' },
      schema: {
        summary: 'Reset a password by mail, on the page of this server',
        description: 'As `POST /user/reset` with `email`; the link of the mail leads to this server’s own page.',
        tags: ['account'],
        body: ResetMailBody,
        response: { 204: NoBody, ...errors(400, 429) },
      },
      attachValidation: true,
    },
    async (request, reply) => {
      throwFaults(faultsFrom(request.validationError))
      await limitByAddress(deps, 'reset_request', request)
      const resetUrl = `${publicOrigin(deps.config, arrivalOf(request).port)}${pagesOfMails.reset}`
      await requestReset(deps, { email: request.body.email, reset_url: resetUrl })
      return reply.code(204).send(null)
    },
  )
}

const hasToken = ({ body }: FastifyRequest): boolean => Object.hasOwn(body ?? {}, 'token')

/** Both forms in the description; each is validated on its own, so that the faults are those of the form meant. */
const documented = (...forms: TSchema[]) =>
  Type.Object(
    {},
    {
      'x-unchecked': true,
      anyOf: forms,
      examples: [
        { email: 'ana@example.org', reset_url: 'https://example.org/reset', email_subject: 'Your new password' },
        { uid: 'Nw', token: '5f0c…', new_password: 'battery staple' },
      ],
    },
  )
