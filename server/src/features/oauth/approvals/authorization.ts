// What this room knows about one request to the authorization endpoint and the protocol library asks for: who has signed
// in, and what they answered. Nothing is kept between the steps but in the address and the form, so any node can serve
// any of them.
import { randomBytes } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { KoaContextWithOIDC } from 'oidc-provider'
import { orConflict } from '../../../platform/db/index.js'
import type { Deps } from '../../../platform/deps.js'
import { insertGrant } from './grants.queries.js'

export interface Authorization {
  readonly person:
    | {
        readonly userId: number
        readonly username: string
        /** What a grant hangs on, made when there is one to hang; undefined when the sign-in has ended meanwhile. */
        readonly signIn: () => Promise<number | undefined>
        readonly signedInSecondsAgo: number
        /** Since the request demanded it. */
        readonly hasJustSignedIn: boolean
      }
    | undefined
  readonly answer: 'allow' | 'deny' | undefined
  /** For the form of the consent page. */
  readonly csrf: string
}

/** Our own parameter: when the request that asked for a fresh sign-in was made. */
export const loginAfter = 'login_after'

const nobody: Authorization = { person: undefined, answer: undefined, csrf: '' }

const known = new WeakMap<IncomingMessage, Authorization>()

export const authorizationOf = ({ req }: KoaContextWithOIDC): Authorization => known.get(req) ?? nobody

/** The request as the library shall see it: a GET with these parameters, whatever it was. The log keeps the original. */
export const asLibraryRequest = (
  raw: IncomingMessage,
  parameters: URLSearchParams,
  authorization: Authorization,
  path = '/o/authorize',
): IncomingMessage => {
  const request: IncomingMessage = Object.create(raw, {
    method: { value: 'GET' },
    url: { value: `${path}?${parameters}`, writable: true },
  })
  known.set(request, authorization)
  return request
}

/** The grant that the person has just approved; undefined when they were not asked yet. */
export const approvedGrant = async (ctx: KoaContextWithOIDC, deps: Deps, refused: () => Error) => {
  const { person, answer } = authorizationOf(ctx)
  const { client, provider, requestParamScopes } = ctx.oidc
  if (person === undefined || answer !== 'allow' || client === undefined) return undefined
  const signInId = await person.signIn()
  if (signInId === undefined) throw refused()
  const id = randomBytes(24).toString('base64url')
  const scope = [...requestParamScopes].join(' ')
  const row = { id, clientId: client.clientId, userId: person.userId, signInId, scope }
  await orConflict(insertGrant(deps.db, { ...row, createdAt: deps.clock.now() }), {
    oauth_grants_sign_in_id_fkey: refused,
  })
  const grant = new provider.Grant({ accountId: String(person.userId), clientId: client.clientId })
  grant.jti = id
  grant.addOIDCScope(scope)
  await grant.save()
  return grant
}
