// The challenges of Digest: made without being written down, so that asking costs nothing, and known again by their hash.
import { randomBytes } from 'node:crypto'
import type { Deps } from '../../platform/deps.js'

/** An answer to it works once for each count; so it may live as long as a phone takes for a batch of records. */
const lifetimeSeconds = 3600

export const digestRealm = 'sheaf'

type NonceDeps = Pick<Deps, 'secrets' | 'clock'>

const markOf = ({ secrets }: NonceDeps, made: string): string => secrets.hash('digest', made).slice(0, 32)

const newNonce = (deps: NonceDeps): string => {
  const made = `${deps.clock.now().getTime().toString(36)}.${randomBytes(12).toString('hex')}`
  return `${made}.${markOf(deps, made)}`
}

/** When it ends; undefined for one that this server never made. */
export const nonceEnd = (deps: NonceDeps, nonce: string): Date | undefined => {
  const [time = '', random = '', mark = ''] = nonce.split('.', 4)
  if (markOf(deps, `${time}.${random}`) !== mark) return undefined
  return new Date(Number.parseInt(time, 36) + lifetimeSeconds * 1000)
}

/** `isStale`: what was answered was right, but the challenge is used up; devices answer the new one without asking anybody. */
export const digestChallenge = (deps: NonceDeps, isStale: boolean): string =>
  `Digest realm="${digestRealm}", qop="auth", algorithm=MD5, nonce="${newNonce(deps)}"${isStale ? ', stale=true' : ''}`
