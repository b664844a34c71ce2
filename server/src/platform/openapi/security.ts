// How callers say who they are, and which scope a program needs for what.
import type { RouteEntry } from '../http/index.js'

export const securitySchemes = {
  basic: { type: 'http', scheme: 'basic', description: 'Username or e-mail address, and password.' },
  token: {
    type: 'apiKey',
    in: 'header',
    name: 'Authorization',
    description: 'The permanent token of the account: `Token <api_token>`.',
  },
  tempToken: {
    type: 'apiKey',
    in: 'header',
    name: 'Authorization',
    description: 'A token that expires: `TempToken <temp_token>`.',
  },
  oauth: {
    type: 'oauth2',
    description: 'An access token as `Bearer`. Without a scope a client asks for `read write groups`.',
    flows: {
      authorizationCode: {
        authorizationUrl: '/o/authorize',
        tokenUrl: '/o/token',
        refreshUrl: '/o/token',
        scopes: {
          read: 'Read what the person may read.',
          write: 'Add, change and delete in their name.',
          groups: 'See their organizations and teams.',
          openid: 'Know who they are.',
          profile: 'See their name, username, picture and website.',
          email: 'See their e-mail address.',
          offline_access: 'Do this also while they are away.',
        },
      },
    },
  },
  session: {
    type: 'apiKey',
    in: 'cookie',
    name: '__Host-sheaf-session',
    description:
      'The session of a browser, for pages of this server alone (over http the name is `sheaf-session`). Whatever changes something, GETs included, also sends the `csrf` of `GET /accounts/session` as `X-Sheaf-Csrf`; so does everything where the browser does not say which page asks (`Sec-Fetch-Site`, `Origin`, `Referer`).',
  },
  client: { type: 'http', scheme: 'basic', description: 'The id and the secret of a client program.' },
} as const

type Requirement = Readonly<Partial<Record<keyof typeof securitySchemes, readonly string[]>>>

/** As `credentials` and `oauth` judge it: what a program may do goes by the method. */
export const securityOf = ({ method, access, route }: RouteEntry): readonly Requirement[] => {
  const own = route.schema?.security as readonly Requirement[] | undefined
  if (own !== undefined) return own
  const scope = method === 'GET' || method === 'HEAD' ? 'read' : 'write'
  const signedIn: Requirement[] = [{ basic: [] }, { token: [] }, { tempToken: [] }, { oauth: [scope] }, { session: [] }]
  return access === 'user' ? signedIn : [{}, ...signedIn]
}
