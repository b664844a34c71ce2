// What the protocol's endpoints take. The library reads and judges it; here it is described, and bounded for the pages.
import { inMedia } from '../../../platform/http/index.js'
import { Type } from '../../../platform/schema/index.js'

const text = (description: string, maxLength = 2000) => Type.Optional(Type.String({ maxLength, description }))

const clientId = '3f1c9c4f9d0c4b7a8e6d5c4b3a29181706f5e4d3'
const request = {
  client_id: clientId,
  response_type: 'code',
  redirect_uri: 'https://map.example.org/callback',
  scope: 'read write',
  code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
  code_challenge_method: 'S256',
}

const authorization = {
  client_id: text('The client.', 200),
  response_type: text('`code`.', 100),
  redirect_uri: text('May be left out when the client has one.'),
  scope: text('Some of `read write groups openid profile email`; without it `read write groups`.'),
  state: text('Comes back as it is.'),
  code_challenge: text('PKCE; required for public clients.', 200),
  code_challenge_method: text('`S256`.', 20),
  nonce: text('Comes back in the ID token.'),
  prompt: text('`login`, `consent` or `none`.', 100),
  max_age: text('Most seconds since the person signed in.', 20),
}

/** Faults of it are told in the protocol's own way. */
export const AuthorizeQuery = Type.Object(authorization, { 'x-unchecked': true })

export const ConsentBody = Type.Object(
  {
    ...authorization,
    allow: text('`true` allows, anything else refuses.', 10),
    csrf: text('From the page; not needed with Basic.', 200),
  },
  { 'x-unchecked': true, examples: [{ ...request, allow: 'true' }] },
)

const ending = {
  id_token_hint: text('An ID token of the client.', 8000),
  client_id: text('In place of the token.', 200),
  post_logout_redirect_uri: text('Where to go afterwards; one that the client has registered.'),
  state: text('Comes back as it is.'),
  logout_hint: text('Ignored.'),
  ui_locales: text('Ignored.', 200),
}

export const EndSessionQuery = Type.Object(ending, { 'x-unchecked': true })
export const EndSessionBody = Type.Object(ending, {
  'x-unchecked': true,
  examples: [{ client_id: clientId, post_logout_redirect_uri: 'https://map.example.org/' }],
})

const clientAuthentication = {
  client_id: text('Also where Basic names it.', 200),
  client_secret: text('In place of Basic.', 500),
}

export const TokenBody = Type.Object(
  {
    grant_type: text('`authorization_code` or `refresh_token`.', 100),
    code: text('The code.', 200),
    redirect_uri: text('The one of the authorization request.'),
    code_verifier: text('PKCE.', 200),
    refresh_token: text('Works once; the answer has a new one.', 200),
    scope: text('With `refresh_token`: fewer scopes than before.'),
    ...clientAuthentication,
  },
  {
    'x-unchecked': true,
    examples: [
      {
        grant_type: 'authorization_code',
        code: 'kT9m0qVbq1oVqk3Yd8cW2f7nXr5uJz4s',
        redirect_uri: request.redirect_uri,
        code_verifier: 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk',
        client_id: clientId,
      },
    ],
  },
)

export const TokenView = Type.Object(
  {
    access_token: Type.String(),
    token_type: Type.String(),
    expires_in: Type.Integer(),
    refresh_token: Type.String(),
    scope: Type.String(),
    id_token: Type.Optional(Type.String({ description: 'With the scope `openid`.' })),
  },
  {
    examples: [
      {
        access_token: 'pY5WSNvnqKUZ2A1mPJvT8xgWqUQGDn2nzYyRVdLuvGk',
        token_type: 'Bearer',
        expires_in: 36000,
        refresh_token: 'C3tyj6Uo0cJ6mWlcQzN1nU4bU3s1d9jXh7v3mE0aQpk',
        scope: 'read write groups',
      },
    ],
  },
)

export const AboutTokenBody = Type.Object(
  {
    token: text('An access or a refresh token.', 200),
    token_type_hint: text('Not needed.', 50),
    ...clientAuthentication,
  },
  { 'x-unchecked': true, examples: [{ token: 'pY5WSNvnqKUZ2A1mPJvT8xgWqUQGDn2nzYyRVdLuvGk', client_id: clientId }] },
)

const Facts = (example: Record<string, unknown>) => Type.Record(Type.String(), Type.Unknown(), { examples: [example] })

export const TokenFacts = Facts({ active: true, client_id: clientId, scope: 'read write', token_type: 'Bearer' })

export const Person = Facts({ sub: '7', preferred_username: 'ana', name: 'Ana Silva' })

export const PublicKeys = inMedia(
  Facts({ keys: [{ kty: 'RSA', use: 'sig', alg: 'RS256', kid: '4f2a', e: 'AQAB', n: 'wJ8b' }] }),
  'application/jwk-set+json',
)

const base = 'http://127.0.0.1:8080'
export const Discovery = Facts({
  issuer: base,
  authorization_endpoint: `${base}/o/authorize`,
  token_endpoint: `${base}/o/token`,
  jwks_uri: `${base}/o/.well-known/jwks.json`,
})

export const ProtocolError = Type.Object(
  { error: Type.String(), error_description: Type.Optional(Type.String()) },
  {
    description: 'What was wrong, in the words of RFC 6749.',
    examples: [{ error: 'invalid_grant', error_description: 'grant request is invalid' }],
  },
)
