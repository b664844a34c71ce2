// Where the protocol library keeps its things: grants, codes and tokens in our tables, clients read from theirs.
import type { Adapter, AdapterFactory, AdapterPayload } from 'oidc-provider'
import { orConflict } from '../../../platform/db/index.js'
import type { Deps } from '../../../platform/deps.js'
import { deleteGrant, findGrant, updateGrant } from '../approvals/index.js'
import { applicationType, type Client, findClient } from '../clients/index.js'
import {
  consumeToken,
  deleteGrantOf,
  deleteToken,
  findToken,
  insertToken,
  oauthTokenHash,
  type TokenKey,
  type TokenKind,
} from '../tokens/index.js'

/** Everything that is kept has an end. */
type LaterBy = (seconds: number | undefined) => Date

export interface AdapterOptions {
  /** The library's error for a grant that is not valid (any more). */
  invalidGrant(description: string): Error
  /** Throws when the request that asks for this code lacks the verifier that it was issued for. */
  checkVerifier(code: AdapterPayload): void
}

/** The library renews the sessions and interactions that it was given; ours live in `sign_ins` and in the address. */
const forgetful: Adapter = {
  upsert: async () => undefined,
  find: async () => undefined,
  findByUserCode: async () => undefined,
  findByUid: async () => undefined,
  consume: async () => undefined,
  destroy: async () => undefined,
  revokeByGrantId: async () => undefined,
}

const clientMetadata = (client: Client & { secretHash: string | null }): AdapterPayload => ({
  client_id: client.clientId,
  client_name: client.name,
  redirect_uris: [...client.redirectUris],
  post_logout_redirect_uris: [...client.postLogoutUris],
  application_type: applicationType(client.isPublic, [...client.redirectUris, ...client.postLogoutUris]),
  // The secret's keyed hash; `compareClientSecret` hashes what comes in.
  ...(client.secretHash === null
    ? { token_endpoint_auth_method: 'none' }
    : { token_endpoint_auth_method: 'client_secret_basic', client_secret: client.secretHash }),
})

const grants = ({ db, clock }: Deps, laterBy: LaterBy): Adapter => ({
  ...forgetful,
  // The row was made with the approval; the library fills it.
  upsert: async (id, payload, seconds) => void (await updateGrant(db, id, payload, laterBy(seconds))),
  find: async (id) => (await findGrant(db, id, clock.now()))?.payload,
  destroy: async (id) => void (await deleteGrant(db, id)),
})

const tokens = (deps: Deps, kind: TokenKind, laterBy: LaterBy, options: AdapterOptions): Adapter => {
  const { invalidGrant, checkVerifier } = options
  const { db, clock } = deps
  const keyOf = (id: string): TokenKey => ({ kind, hash: oauthTokenHash(deps, id) })
  return {
    ...forgetful,
    upsert: async (id, { jti: _token, ...payload }, seconds) => {
      const token = { grantId: payload.grantId ?? '', payload, expiresAt: laterBy(seconds) }
      await orConflict(insertToken(db, keyOf(id), token), {
        oauth_tokens__grant_id: () => invalidGrant('grant not found'),
      })
    },
    find: async (id) => {
      const found = await findToken(db, keyOf(id), clock.now())
      if (found === undefined) return undefined
      if (kind === 'AuthorizationCode') checkVerifier(found.payload)
      const consumed = found.consumedAt === null ? {} : { consumed: Math.floor(found.consumedAt.getTime() / 1000) }
      return { ...found.payload, ...consumed, jti: id }
    },
    consume: async (id) => {
      if (await consumeToken(db, keyOf(id), clock.now())) return
      // Somebody else used it since it was found: that is a second use as any other.
      await deleteGrantOf(db, keyOf(id))
      throw invalidGrant('already used')
    },
    destroy: async (id) => void (await deleteToken(db, keyOf(id))),
    // The family ends with its grant, and what is being issued on it in this moment fails.
    revokeByGrantId: async (grantId) => void (await deleteGrant(db, grantId)),
  }
}

export const oauthAdapter = (deps: Deps, options: AdapterOptions): AdapterFactory => {
  const laterBy: LaterBy = (seconds = 0) => new Date(deps.clock.now().getTime() + seconds * 1000)
  return (name) => {
    switch (name) {
      case 'Client':
        return {
          ...forgetful,
          find: async (id) => {
            // The database has no zero character in a text, so no client has one in its name.
            const client = id.includes('\0') ? undefined : await findClient(deps.db, id)
            return client === undefined ? undefined : clientMetadata(client)
          },
        }
      case 'Grant':
        return grants(deps, laterBy)
      case 'AuthorizationCode':
      case 'AccessToken':
      case 'RefreshToken':
        return tokens(deps, name, laterBy, options)
      default:
        return forgetful
    }
  }
}
