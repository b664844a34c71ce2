// Signing in here through an outside OpenID provider: authorization code with PKCE; state, nonce, issuer and signature
// are checked by the client library. What is kept on the way is sealed in the browser's cookie.
import type { AuthorizationServer, Client, CustomFetchOptions, HttpRequestOptions } from 'oauth4webapi'
import { budgets } from '../../budgets.js'
import { fairGate } from '../../platform/concurrency/index.js'
import type { Deps } from '../../platform/deps.js'
import { AppError, isEmail } from '../../platform/http/index.js'
import { isWebAddress } from '../../platform/words/index.js'
import type { OutsideServer } from './outside-servers.js'
import { outsideRefused, outsideUnavailable } from './sign-in.errors.js'

/** Small, but few installations need it. */
const load = () => import('oauth4webapi')

/** For one answer; all of them together have `signInMs`. */
const timeoutSeconds = 10
const departureMs = 600_000
/** The longest that a command of SMTP takes. */
const longestEmail = 254
const discoveryKeptMs = 600_000
/** Whoever opens the login address makes this server call out: while the provider is away, no more often than this. */
const failureKeptMs = 10_000

/** What must come back unchanged, or is needed when the person comes back. */
export interface Departure {
  server: string
  state: string
  nonce: string
  verifier: string
  next: string
  /** Whether they chose to stay signed in. */
  stays?: boolean
  expiresAt: number
}

type Options = HttpRequestOptions<'GET' | 'POST', URLSearchParams | undefined>

const optionsFor = async ({ outbound }: Deps, { issuer }: OutsideServer): Promise<Options> => {
  const { allowInsecureRequests, customFetch } = await load()
  const until = AbortSignal.timeout(budgets.outbound.signInMs)
  return {
    // Only loopback may be http, see the setting.
    [allowInsecureRequests]: issuer.protocol === 'http:',
    [customFetch]: async (
      url: string,
      { method, headers, body }: CustomFetchOptions<'GET' | 'POST', URLSearchParams | undefined>,
    ) => {
      const answer = await outbound.call({
        method,
        url,
        headers,
        // Null where there is none, though the types say undefined.
        ...(body && { body: body.toString() }),
        timeoutSeconds,
        keepBytes: budgets.outbound.signInAnswerBytes,
        // Code, secret and token are for the address that the provider names, and not for one that it redirects to.
        redirects: 'never',
        signal: until,
      })
      if (!answer.isWhole) throw new Error(`The answer is longer than ${budgets.outbound.signInAnswerBytes} bytes`)
      const known = Object.entries(answer.headers).flatMap(([name, value]): [string, string][] =>
        value === undefined ? [] : [[name, value]],
      )
      return new Response(answer.body.length === 0 ? null : new Uint8Array(answer.body), {
        status: answer.status,
        headers: known,
      })
    },
  }
}

/** A page of the provider's, at least as safe as its issuer; undefined when it is anything else. */
const signInPage = ({ authorization_endpoint: given }: AuthorizationServer, { issuer }: OutsideServer) => {
  const address = typeof given === 'string' && isWebAddress(given) ? new URL(given) : undefined
  return address?.protocol === 'https:' || address?.protocol === issuer.protocol ? address : undefined
}

export const outsideProvider = (deps: Deps, server: OutsideServer) => {
  const bound = { atOnce: budgets.outbound.signInsAtOnce, waiting: 0 }
  const arrivals = fairGate({ ...bound, each: bound })
  const discover = async (): Promise<AuthorizationServer> => {
    const { discoveryRequest, processDiscoveryResponse } = await load()
    const response = await discoveryRequest(server.issuer, { algorithm: 'oidc', ...(await optionsFor(deps, server)) })
    return processDiscoveryResponse(server.issuer, response)
  }

  /** Those who come while it is being asked for get the same answer, or the same failure. */
  let discovery: { metadata: Promise<AuthorizationServer>; until: number } | undefined

  const metadataOf = (): Promise<AuthorizationServer> => {
    const now = () => deps.clock.now().getTime()
    if (discovery !== undefined && now() < discovery.until) return discovery.metadata
    const current = { metadata: discover(), until: now() + discoveryKeptMs }
    discovery = current
    current.metadata.catch(() => {
      current.until = now() + failureKeptMs
    })
    return current.metadata
  }

  /** Where the browser goes, and what to remember until it comes back. */
  const depart = async (redirectUri: string, next: string) => {
    const oauth = await load()
    const metadata = await metadataOf().catch((error) => {
      throw outsideUnavailable(server.title, error)
    })
    const address = signInPage(metadata, server)
    if (address === undefined) throw outsideUnavailable(server.title, new Error('no page to sign in'))
    const departure: Departure = {
      server: server.name,
      state: oauth.generateRandomState(),
      nonce: oauth.generateRandomNonce(),
      verifier: oauth.generateRandomCodeVerifier(),
      next,
      expiresAt: deps.clock.now().getTime() + departureMs,
    }
    const parameters = {
      client_id: server.clientId,
      redirect_uri: redirectUri,
      response_type: 'code',
      scope: 'openid email',
      state: departure.state,
      nonce: departure.nonce,
      code_challenge: await oauth.calculatePKCECodeChallenge(departure.verifier),
      code_challenge_method: 'S256',
    }
    for (const [name, value] of Object.entries(parameters)) address.searchParams.set(name, value)
    return { address: address.href, departure }
  }

  /** The address that the provider vouches for. */
  const arrive = async (redirectUri: string, query: URLSearchParams, departure: Departure): Promise<string> => {
    const oauth = await load()
    try {
      return await arrivals('anybody', async () =>
        verifiedEmail(deps, server, await metadataOf(), redirectUri, query, departure),
      )
    } catch (error) {
      if (error instanceof oauth.AuthorizationResponseError) throw outsideRefused(server.title, 'it was refused there.')
      const isTheirs = error instanceof oauth.OperationProcessingError || error instanceof oauth.ResponseBodyError
      if (isTheirs) {
        deps.log.warn({ code: error.code, server: server.name }, 'an outside sign-in was refused')
        throw outsideRefused(server.title, 'its answer does not hold. Begin again.')
      }
      throw error instanceof AppError ? error : outsideUnavailable(server.title, error)
    }
  }

  return { server, depart, arrive }
}

export type OutsideProvider = ReturnType<typeof outsideProvider>

const verifiedEmail = async (
  deps: Deps,
  server: OutsideServer,
  metadata: AuthorizationServer,
  redirectUri: string,
  query: URLSearchParams,
  { state, nonce, verifier }: Departure,
): Promise<string> => {
  const oauth = await load()
  const options = await optionsFor(deps, server)
  const client: Client = { client_id: server.clientId }
  const answer = oauth.validateAuthResponse(metadata, client, query, state)
  const methods = metadata.token_endpoint_auth_methods_supported ?? ['client_secret_basic']
  const proof = methods.includes('client_secret_basic') ? oauth.ClientSecretBasic : oauth.ClientSecretPost
  const response = await oauth.authorizationCodeGrantRequest(
    metadata,
    client,
    proof(server.clientSecret),
    answer,
    redirectUri,
    verifier,
    options,
  )
  const tokens = await oauth.processAuthorizationCodeResponse(metadata, client, response, {
    expectedNonce: nonce,
    requireIdToken: true,
  })
  await oauth.validateApplicationLevelSignature(metadata, response, options)
  const claims = oauth.getValidatedIdTokenClaims(tokens)
  if (claims === undefined) throw outsideRefused(server.title, 'it did not say who you are.')
  // Many providers tell the address only when they are asked for it.
  const person =
    claims.email === undefined && metadata.userinfo_endpoint !== undefined
      ? await oauth.processUserInfoResponse(
          metadata,
          client,
          claims.sub,
          await oauth.userInfoRequest(metadata, client, tokens.access_token, options),
        )
      : claims
  if (typeof person.email !== 'string' || person.email_verified !== true) {
    throw outsideRefused(server.title, 'it has not verified your e-mail address.')
  }
  if (person.email.length > longestEmail || !isEmail(person.email))
    throw outsideRefused(server.title, 'what it calls your e-mail address is none.')
  return person.email
}
