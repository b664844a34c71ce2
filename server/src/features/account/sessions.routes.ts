// /user/sessions: where the caller is signed in, and signing out there.
import type { Room } from '../../platform/deps.js'
import { type Caller, errors, forbidden, NoBody, notFound } from '../../platform/http/index.js'
import { type Static, Type } from '../../platform/schema/index.js'
import { endOwnSignIn, type ListedSignIn, listSignIns } from '../credentials/index.js'
import { ListedSessionView } from './account.schemas.js'

const SessionParams = Type.Object({ id: Type.String({ maxLength: 20, examples: ['7'] }) })

const viewOf = (signIn: ListedSignIn): Static<typeof ListedSessionView> => ({
  id: signIn.id,
  browser: signIn.browser,
  address: signIn.address,
  date_created: signIn.createdAt.toISOString(),
  last_seen: signIn.seenAt.toISOString(),
  expires: signIn.expiresAt.toISOString(),
  stay: signIn.stays,
  current: signIn.isCurrent,
})

/** What a program was allowed is about data, not about where its person sits. */
const refusePrograms = ({ credential }: Caller): void => {
  if (credential.kind === 'bearer') throw forbidden('An OAuth access token cannot see or end sessions.')
}

export const sessionListRoutes: Room = async (app, deps) => {
  const { db, clock } = deps

  app.get(
    '/user/sessions',
    {
      config: { operation: 'account.session.list', access: 'user' },
      schema: {
        summary: 'Browsers in which you are signed in',
        description: 'The one that was used last comes first. 403 for OAuth access tokens.',
        tags: ['account'],
        response: { 200: Type.Array(ListedSessionView), ...errors(401, 403) },
      },
    },
    async ({ caller }, reply) => {
      refusePrograms(caller)
      const cookieHash = caller.credential.kind === 'session' ? caller.credential.hash : ''
      const signIns = await listSignIns(db, { userId: caller.id, cookieHash, now: clock.now() })
      return reply.header('cache-control', 'no-store').send(signIns.map(viewOf))
    },
  )

  app.delete(
    '/user/sessions/:id',
    {
      config: { operation: 'account.session.end', access: 'user' },
      schema: {
        summary: 'Sign out of one browser',
        description: 'What programs were allowed stays. 404 for one that has ended, or is somebody else’s.',
        tags: ['account'],
        params: SessionParams,
        response: { 204: NoBody, ...errors(401, 403, 404) },
      },
    },
    async ({ caller, params }, reply) => {
      refusePrograms(caller)
      const id = /^\d{1,15}$/.test(params.id) ? Number(params.id) : 0
      if (!(await endOwnSignIn(db, { userId: caller.id, id, now: clock.now() }))) throw notFound()
      return reply.code(204).send(null)
    },
  )
}
