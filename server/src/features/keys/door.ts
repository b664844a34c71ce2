// Who comes with a key in the address. Nothing of it is remembered but the hash: revoking holds from the next request on, in
// every process.
import { oncePerTurn } from '../../platform/batching/index.js'
import type { Deps } from '../../platform/deps.js'
import { type Authenticate, anonymous, type Caller } from '../../platform/http/index.js'
import { limitByAddress } from '../credentials/index.js'
import { type FoundKey, findKeyByToken } from './door.queries.js'
import { deadKey } from './keys.errors.js'
import { hashOfShown } from './shown-token.js'

declare module 'fastify' {
  interface FastifyRequest {
    /** Of a route below /key: what the caller came with. */
    deviceKey: FoundKey
  }
}

const callerOf = ({ actsAs }: FoundKey, hash: string): Caller => ({
  ...(actsAs === null ? anonymous : { ...actsAs, isAnonymous: false }),
  credential: { kind: 'key', hash },
})

/** For routes with the access `key`. Whatever else the request signs in with does not count: a phone that was set up anew may
 * still hold an old password. */
export const keyAuthenticator = (deps: Deps): Authenticate => {
  const { db, clock, secrets } = deps
  // Many phones send by one key: whether it is good is asked once for all that come together.
  const find = oncePerTurn(
    (hash: string) => hash,
    (hash) => findKeyByToken(db, hash, clock.now()),
  )
  return async (request) => {
    const hash = hashOfShown(secrets, request)
    const key = hash === undefined ? undefined : await find(hash)
    if (hash === undefined || key === undefined) {
      // Only what nobody was ever given is a guess: phones with former tokens share an address with those that are good.
      await limitByAddress(deps, 'device_key', request)
      throw deadKey()
    }
    if (!key.isGood) throw deadKey(key.kind, key.hasEnded ? 'ended' : 'withdrawn')
    request.deviceKey = key
    return callerOf(key, hash)
  }
}
