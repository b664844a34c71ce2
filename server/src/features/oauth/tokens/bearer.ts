// Access tokens on the API. Asked without the protocol library: one statement, and nothing to load.
import type { Deps } from '../../../platform/deps.js'
import { type BearerVerifier, invalidBearer } from '../../credentials/index.js'
import { insufficientScope } from './tokens.errors.js'
import { findBearer } from './tokens.queries.js'

const reading = new Set(['GET', 'HEAD', 'OPTIONS'])

export const oauthTokenHash = ({ secrets }: Pick<Deps, 'secrets'>, token: string): string =>
  secrets.hash('oauth-token', token)

export const bearerVerifier =
  (deps: Deps): BearerVerifier =>
  async (token, { method }) => {
    const hash = oauthTokenHash(deps, token)
    const owner = await findBearer(deps.db, hash, deps.clock.now())
    if (owner === undefined) throw invalidBearer()
    const needed = reading.has(method) ? 'read' : 'write'
    if (!owner.scope.split(' ').includes(needed)) throw insufficientScope(needed)
    return { id: owner.id, username: owner.username, isAnonymous: false, credential: { kind: 'bearer', hash } }
  }
