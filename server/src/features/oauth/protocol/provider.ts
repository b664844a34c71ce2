// The protocol library, configured: which endpoints, scopes and lifetimes there are, and where it asks this room.
import { timingSafeEqual } from 'node:crypto'
import type { Configuration, JWK, KoaContextWithOIDC, Provider } from 'oidc-provider'
import { DatabaseUnavailable } from '../../../platform/db/index.js'
import type { Deps } from '../../../platform/deps.js'
import { AppError, limitKey } from '../../../platform/http/index.js'
import { countGuess, refuseGuesses } from '../../credentials/index.js'
import { avatarAddress, fullName, type Profile } from '../../profiles/index.js'
import { findPerson, loginAddress } from '../../sign-in/index.js'
import {
  allScopes,
  apiScopes,
  approvedGrant,
  authorizationOf,
  loginAfter,
  parametersOf,
  renderConsent,
  renderOAuthError,
} from '../approvals/index.js'
import { clientSecretHash } from '../clients/index.js'
import { oauthSettings } from '../tokens/index.js'
import { type AdapterOptions, oauthAdapter } from './adapter.js'
import { renderEndSession } from './end-session.page.js'

/** Loading it takes 0.3 s, as long as half of a start: it is loaded when the first program asks. */
export type Library = typeof import('oidc-provider')

const never = 100 * 366 * 86_400
const idTokenSeconds = 3600

export interface ProviderOptions {
  issuer: string
  /** The one that signs first. */
  keys: readonly JWK[]
}

export const buildProvider = (library: Library, deps: Deps, { issuer, keys }: ProviderOptions): Provider => {
  const { errors } = library
  const adapterOptions: AdapterOptions = {
    invalidGrant: (description) => new errors.InvalidGrant(description),
    // The library calls a missing verifier a wrong one; to a program, a missing parameter is something else.
    checkVerifier: ({ codeChallenge, clientId }) => {
      const { client, params } = library.Provider.ctx?.oidc ?? {}
      const isOwn = client?.clientId === clientId
      if (isOwn && codeChallenge !== undefined && params?.code_verifier === undefined) {
        throw new errors.InvalidRequest("missing required parameter 'code_verifier'")
      }
    },
  }
  const provider = new (withoutFormPost(library))(issuer, {
    ...protocol(deps),
    adapter: oauthAdapter(deps, adapterOptions),
    jwks: { keys: [...keys] },
    // The library's cookies are signed and then thrown away, see below.
    cookies: { keys: [deps.secrets.hash('oauth-cookie', issuer)] },
    interactions: { policy: policyOf(library), url: (ctx, { prompt }) => nextStep(ctx, prompt.name, deps.clock.now()) },
    loadExistingGrant: async (ctx) => {
      // The library asks for the grant before it asks the policy: what is refused there must leave nothing behind.
      checkRules(errors, ctx)
      return approvedGrant(ctx, deps, () => new errors.AccessDenied())
    },
    findAccount: async (_ctx, id) => {
      const person = await findPerson(deps.db, Number(id))
      return person && { accountId: id, claims: async () => ({ sub: id, ...claimsOf(deps, issuer, person) }) }
    },
    renderError: (ctx, out) => renderOAuthError(ctx, out),
  })
  knowOurSession(provider)
  provider.Client.prototype.compareClientSecret = async function (given: string) {
    const ctx = library.Provider.ctx
    const key = { kind: 'client_secret', account: this.clientId, address: limitKey(ctx?.ip ?? '') }
    await refuseGuesses(deps, key).catch((error) => {
      throw error instanceof AppError ? tooManyGuesses(errors, error, ctx) : error
    })
    const hash = Buffer.from(clientSecretHash(deps, given))
    const expected = Buffer.from(this.clientSecret ?? '')
    const isRight = hash.length === expected.length && timingSafeEqual(hash, expected)
    if (!isRight) await countGuess(deps, key)
    return isRight
  }
  provider.use(async (ctx, next) => {
    await next()
    // The library would take up its own interaction by them; ours are in the address and the form.
    ctx.remove('set-cookie')
    if (ctx.status === 303) ctx.status = 302
    const oidcContext = ctx as unknown as KoaContextWithOIDC
    // The library names every mode that it knows, whatever it is configured to say.
    if (oidcContext.oidc?.route === 'discovery') Object.assign(ctx.body ?? {}, { response_modes_supported: ['query'] })
    if (oidcContext.oidc?.route === 'end_session' && ctx.status < 400) renderEndSession(oidcContext, deps)
    await renderConsent(oidcContext)
  })
  provider.on('server_error', (ctx, err) => {
    if (!(err instanceof DatabaseUnavailable)) deps.log.error({ err }, 'the OAuth library failed')
    else {
      deps.log.warn({ err }, 'the OAuth library failed')
      ctx.status = 503
      ctx.set('retry-after', '5')
    }
  })
  // `library.ts` tells it scheme, host and caller, as a proxy does.
  provider.proxy = true
  // Otherwise it prints what the line above has logged.
  provider.silent = true
  return provider
}

/** 429 in the words of the protocol, which has none of its own for it. */
const tooManyGuesses = (
  errors: Library['errors'],
  { status, message, headers }: AppError,
  ctx?: KoaContextWithOIDC,
) => {
  for (const [name, value] of Object.entries(headers)) ctx?.set(name, value)
  const error = new errors.CustomOIDCProviderError('temporarily_unavailable', message)
  return Object.assign(error, { status, statusCode: status })
}

const protocol = (deps: Deps): Configuration => {
  const settings = deps.config.of(oauthSettings)
  const ownTokensOnly = (_ctx: unknown, client: { clientId: string }, token: { clientId?: string | undefined }) =>
    token.clientId === client.clientId
  return {
    routes: {
      authorization: '/o/authorize',
      token: '/o/token',
      revocation: '/o/revoke_token',
      introspection: '/o/introspect',
      userinfo: '/o/userinfo',
      jwks: '/o/.well-known/jwks.json',
      end_session: '/o/end_session',
    },
    scopes: [...apiScopes, 'openid', 'offline_access'],
    claims: {
      openid: ['sub', 'auth_time'],
      profile: ['name', 'given_name', 'family_name', 'preferred_username', 'picture', 'website'],
      email: ['email', 'email_verified'],
    },
    responseTypes: ['code'],
    clientDefaults: {
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
    },
    // The library would fetch what clients name: keys, lists of addresses, their own metadata. No client here names any.
    fetch: async () => {
      throw new Error('The OAuth library calls nobody')
    },
    clientAuthMethods: ['client_secret_basic', 'client_secret_post', 'none'],
    pkce: { required: (_ctx, client) => settings.isPkceRequired || client.clientAuthMethod === 'none' },
    issueRefreshToken: async () => true,
    rotateRefreshToken: true,
    expiresWithSession: async () => false,
    // Browsers may call the token endpoint from any origin: nothing there depends on a cookie.
    clientBasedCORS: () => true,
    ttl: {
      AccessToken: settings.accessTokenSeconds,
      AuthorizationCode: settings.codeSeconds,
      RefreshToken: settings.refreshTokenSeconds || never,
      Grant: never,
      IdToken: idTokenSeconds,
      Interaction: 1,
      Session: 1,
    },
    features: {
      devInteractions: { enabled: false },
      dPoP: { enabled: false },
      // Its pages are replaced, see `end-session.page.ts`.
      rpInitiatedLogout: { enabled: true, logoutSource: () => undefined },
      pushedAuthorizationRequests: { enabled: false },
      resourceIndicators: { enabled: false },
      revocation: { enabled: true, allowedPolicy: async (...given) => ownTokensOnly(...given) },
      introspection: {
        enabled: true,
        // A call with the token also asks for the person. What it would refuse must not be called active.
        allowedPolicy: async (ctx, client, token) =>
          ownTokensOnly(ctx, client, token) &&
          'accountId' in token &&
          (await findPerson(deps.db, Number(token.accountId))) !== undefined,
      },
    },
  }
}

const claimsOf = (deps: Deps, origin: string, person: Profile) => ({
  name: fullName(person),
  given_name: person.firstName,
  family_name: person.lastName,
  preferred_username: person.username,
  picture: avatarAddress({ origin, secrets: deps.secrets }, person),
  ...(person.website !== '' && { website: person.website }),
  ...(person.email !== null && { email: person.email, email_verified: person.isEmailVerified }),
})

/** What the library accepts and this server does not. */
const checkRules = (errors: Library['errors'], { query, oidc }: KoaContextWithOIDC): void => {
  // The library ignores scopes that it does not know; a program should hear that there is no such thing.
  const unknown = String(query.scope ?? '')
    .split(' ')
    .filter((scope) => !allScopes.has(scope))
  if (unknown.length > 0) throw new errors.InvalidScope('requested scope is not known', unknown.join(' '))
  // Other ways need a script, or leave the code in the browser's history.
  if (oidc.responseMode !== 'query') throw new errors.InvalidRequest('the response_mode must be query')
  // Some are kept with the code, in a database that has no zero character in a text.
  const broken = Object.entries(oidc.params ?? {}).find(([, value]) => String(value).includes('\0'))
  if (broken !== undefined) throw new errors.InvalidRequest(`${broken[0]} has a zero character`)
}

/** No page that posts itself: without a script it would be a dead end. Such a request is refused in the query instead. */
const withoutFormPost = ({ Provider }: Library) => {
  type Register = Provider['registerResponseMode']
  let byQuery: Parameters<Register>[1]
  return class extends Provider {
    override registerResponseMode(...[name, handler]: Parameters<Register>) {
      if (name === 'query') byQuery = handler
      super.registerResponseMode(name, name === 'form_post' ? byQuery : handler)
    }
  }
}

/** The rules before anybody is asked to sign in. Then sign-in, refusal, consent. */
const policyOf = ({ interactionPolicy: { base, Check, Prompt }, errors }: Library) => {
  const policy = base()
  const rules = new Check('rules', 'the request breaks a rule', (ctx) => {
    checkRules(errors, ctx)
    return false
  })
  const refusal = new Check('refusal', 'the person refused', (ctx) => {
    if (authorizationOf(ctx).answer === 'deny') throw new errors.AccessDenied('The person refused.')
    return false
  })
  policy.add(new Prompt({ name: 'rules' }, rules), 0)
  policy.add(new Prompt({ name: 'refusal' }, refusal), 2)
  return policy
}

/** Where the library sends the browser when it needs a person. For consent nowhere: the page is shown in place. */
const nextStep = (ctx: KoaContextWithOIDC, prompt: string, now: Date): string => {
  if (prompt === 'consent') return '/o/authorize'
  const parameters = parametersOf(ctx)
  // Signing in is what was asked for; asked again afterwards, it would never end.
  const prompts = (parameters.get('prompt') ?? '').split(' ').filter((one) => one !== '' && one !== 'login')
  if (prompts.length === 0) parameters.delete('prompt')
  else parameters.set('prompt', prompts.join(' '))
  if (parameters.has('max_age')) parameters.set(loginAfter, String(now.getTime()))
  return loginAddress(`/o/authorize?${parameters}`)
}

/** The library's session is a view of ours for one request: `destroyed` keeps it from being stored or sent. */
const knowOurSession = (provider: Provider): void => {
  // The types leave out that its constructor takes what was stored.
  const Session = provider.Session as unknown as new (stored: object) => InstanceType<Provider['Session']>
  const get = async (ctx: KoaContextWithOIDC) => {
    const { person, answer } = authorizationOf(ctx)
    const loginTs = Math.floor(Date.now() / 1000) - (person?.signedInSecondsAgo ?? 0)
    // Whoever was asked to sign in again and did, or was asked for consent after that, is not asked once more.
    // Of programs on devices the library asks whether somebody was there.
    const result = { login: {}, ...(answer === 'allow' && { consent: {} }) }
    if (person?.hasJustSignedIn || answer !== undefined) Object.assign(ctx.oidc, { result })
    const session = new Session(person === undefined ? {} : { accountId: String(person.userId), loginTs })
    Object.defineProperty(session, 'destroyed', { value: true })
    ctx.oidc.entity('Session', session)
    return session
  }
  Object.assign(provider.Session, { get })
}
