// The keys that sign ID tokens, sealed in the database, so that every node signs with the same one.
import { generateKeyPair, randomBytes } from 'node:crypto'
import { promisify } from 'node:util'
import type { JWK } from 'oidc-provider'
import type { Deps } from '../../../platform/deps.js'
import { deleteFormerKeys, deleteKeys, insertKey, type KeyRow, listKeys } from './keys.queries.js'
import { oauthSettings } from './tokens.settings.js'

const hour = 3_600_000
const day = 24 * hour

/** Longer than any node keeps what it has read, so that a key is published everywhere before it signs anywhere. */
const publishedAheadMs = hour
/** Longer than an ID token lives, so that one can be verified until it ends. */
const publishedAfterMs = day

const newKey = async ({ secrets }: Deps, signsFrom: Date): Promise<KeyRow> => {
  // RSA, because RS256 is the one algorithm that every client of OpenID Connect must know.
  const { privateKey } = await promisify(generateKeyPair)('rsa', { modulusLength: 2048 })
  const kid = randomBytes(12).toString('hex')
  const jwk = { ...privateKey.export({ format: 'jwk' }), kid, use: 'sig', alg: 'RS256' }
  return { kid, sealed: secrets.seal('oauth-key', kid, JSON.stringify(jwk)), signsFrom }
}

const openKey = ({ secrets }: Deps, { kid, sealed }: KeyRow): JWK | undefined => {
  const text = secrets.open('oauth-key', kid, sealed)
  return text === undefined ? undefined : JSON.parse(text)
}

/** Every key to publish, the one that signs first. The first call of an installation makes one. */
export const publishedKeys = async (deps: Deps): Promise<JWK[]> => {
  const now = deps.clock.now()
  const rows = await listKeys(deps.db)
  const opened = rows.map((row) => ({ ...row, jwk: openKey(deps, row) }))
  const usable = opened.flatMap(({ signsFrom, jwk }) => (jwk === undefined ? [] : [{ signsFrom, jwk }]))
  if (usable.length === 0) {
    // Sealed by a secret that is lost, they can neither sign nor be shown.
    await deleteKeys(
      deps.db,
      rows.map(({ kid }) => kid),
    )
    await insertKey(deps.db, await newKey(deps, now), new Date(0))
    return publishedKeys(deps)
  }
  const signing = usable.find(({ signsFrom }) => signsFrom <= now) ?? usable.at(-1)
  return [...new Set([signing, ...usable])].flatMap((key) => (key === undefined ? [] : [key.jwk]))
}

/** Called daily: a key that is old enough gets a successor, and one that was followed long enough ago goes. */
export const rotateKeys = async (deps: Deps): Promise<void> => {
  const now = deps.clock.now().getTime()
  const [newest] = await listKeys(deps.db)
  // Where nobody has asked for one yet, there is nothing to rotate.
  if (newest === undefined) return
  const oldest = new Date(now - deps.config.of(oauthSettings).keyRotationDays * day)
  if (newest.signsFrom < oldest) await insertKey(deps.db, await newKey(deps, new Date(now + publishedAheadMs)), oldest)
  await deleteFormerKeys(deps.db, new Date(now - publishedAfterMs))
}
