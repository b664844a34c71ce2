// Who calls, from the Authorization header. The first scheme that fits decides; there is no second try with another.
import type { FastifyRequest } from 'fastify'
import { LRUCache } from 'lru-cache'
import { oncePerTurn } from '../../platform/batching/index.js'
import type { Deps } from '../../platform/deps.js'
import {
  type Authenticate,
  anonymous,
  authorizationWords,
  type Caller,
  limitKey,
  schemeOf,
  unauthenticated,
} from '../../platform/http/index.js'
import { signInNames } from '../users/index.js'
import { badBasicHeader, badTokenHeader, invalidBearer } from './credentials.errors.js'
import { credentialSettings } from './credentials.settings.js'
import type { LogIn } from './password-login.js'
import { tokenHash } from './tokens.js'
import { findTokenOwner, type TokenKind, type TokenOwner } from './tokens.queries.js'

/** Whose access token it is, if it allows this request; throws 401 or 403. */
export type BearerVerifier = (token: string, request: FastifyRequest) => Promise<Caller>

export const authenticator = (deps: Deps, logIn: LogIn, bearer: BearerVerifier): Authenticate => {
  const { isTempTokenEnabled } = deps.config.of(credentialSettings)
  // A device sends many submissions at once: whose token it is, is asked once for all that come together.
  const findOwner: FindOwner = oncePerTurn(
    ({ kind, hash }) => `${kind} ${hash}`,
    ({ kind, hash }) => findTokenOwner(deps.db, kind, hash),
  )
  const hashOf = rememberedHash(deps)
  return async (request) => {
    const [, ...rest] = authorizationWords(request)
    switch (schemeOf(request)) {
      case 'basic':
        return logIn({ ...basicCredentials(rest), address: limitKey(request.ip), ip: request.ip })
      case 'token':
        return tokenCaller(hashOf, findOwner, apiScheme, rest)
      case 'temptoken':
        return isTempTokenEnabled ? tokenCaller(hashOf, findOwner, tempScheme(deps), rest) : anonymous
      case 'bearer':
        return bearerCaller(bearer, rest, request)
      default:
        return anonymous
    }
  }
}

const bearerCaller = (verify: BearerVerifier, [token, ...more]: readonly string[], request: FastifyRequest) => {
  if (token === undefined || more.length > 0) throw invalidBearer()
  return verify(token, request)
}

const basicCredentials = ([encoded, ...more]: readonly string[]) => {
  if (encoded === undefined) throw badBasicHeader('No credentials provided.')
  if (more.length > 0) throw badBasicHeader('Credentials string should not contain spaces.')
  const text = decodeBase64(encoded)
  if (text === undefined) throw badBasicHeader('Credentials not correctly base64 encoded.')
  const colon = text.indexOf(':')
  return colon === -1 ? { name: text, password: '' } : { name: text.slice(0, colon), password: text.slice(colon + 1) }
}

/** The names that a request with a good password signs in by. */
export const namesIn = (request: FastifyRequest): readonly string[] => {
  const [, ...rest] = authorizationWords(request)
  return signInNames(basicCredentials(rest).name)
}

/** UTF-8, or Latin-1 as older clients send it. */
const decodeBase64 = (encoded: string): string | undefined => {
  if (!/^[A-Za-z0-9+/]*={0,2}$/.test(encoded) || encoded.replace(/={1,2}$/, '').length % 4 === 1) return undefined
  const bytes = Buffer.from(encoded, 'base64')
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return bytes.toString('latin1')
  }
}

/** What differs between the two kinds of tokens: their words, and that one of them ages. */
interface TokenScheme {
  kind: TokenKind
  challenge: string
  invalid: string
  inactive: string
  isExpired: (createdAt: Date) => boolean
}

const apiScheme: TokenScheme = {
  kind: 'api',
  challenge: 'Token',
  invalid: 'Invalid token.',
  inactive: 'User inactive or deleted.',
  isExpired: () => false,
}

const tempScheme = ({ config, clock }: Deps): TokenScheme => ({
  kind: 'temp',
  challenge: 'TempToken',
  invalid: 'Invalid token',
  inactive: 'User inactive or deleted',
  isExpired: (createdAt) =>
    clock.now().getTime() - createdAt.getTime() > config.of(credentialSettings).tempTokenLifetimeSeconds * 1000,
})

type FindOwner = (token: { kind: TokenKind; hash: string }) => Promise<TokenOwner | undefined>

/** Devices come with the same token again and again. A hash says nothing about whether the token still holds. */
const rememberedHash = ({ secrets }: Deps): ((key: string) => string) => {
  const known = new LRUCache<string, string>({ max: 1000 })
  return (key) => {
    const found = known.get(key)
    if (found !== undefined) return found
    const hash = tokenHash(secrets, key)
    if (key.length <= longestToken) known.set(key, hash)
    return hash
  }
}

const longestToken = 100

const tokenCaller = async (
  hashOf: (key: string) => string,
  findOwner: FindOwner,
  scheme: TokenScheme,
  [key, ...more]: readonly string[],
): Promise<Caller> => {
  const { challenge } = scheme
  if (key === undefined) throw badTokenHeader('No credentials provided.', challenge)
  if (more.length > 0) throw badTokenHeader('Token string should not contain spaces.', challenge)
  const hash = hashOf(key)
  const owner = await findOwner({ kind: scheme.kind, hash })
  if (owner === undefined) throw unauthenticated(scheme.invalid, challenge)
  if (!owner.isActive || owner.isOrg) throw unauthenticated(scheme.inactive, challenge)
  if (scheme.isExpired(owner.createdAt)) throw unauthenticated('Token expired', challenge)
  return { id: owner.id, username: owner.username, isAnonymous: false, credential: { kind: scheme.kind, hash } }
}
