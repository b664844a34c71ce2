import { defineSettings, setting } from '../../platform/config/index.js'
import { parseOutsideServers } from './outside-servers.js'

export const signInSettings = defineSettings('Signing in on pages', {
  sessionSeconds: setting.integer('LOGIN_SESSION_EXPIRE_SECONDS', {
    default: 21_600,
    min: 60,
    max: 30 * 86_400,
    doc: 'How long a sign-in lasts in a browser that is not used, in seconds. Use extends it.',
  }),
  staySeconds: setting.integer('LOGIN_SESSION_STAY_SECONDS', {
    default: 30 * 86_400,
    min: 60,
    max: 365 * 86_400,
    doc: 'The same for whoever chose to stay signed in.',
  }),
  longestSeconds: setting.integer('LOGIN_SESSION_LONGEST_SECONDS', {
    default: 180 * 86_400,
    min: 60,
    max: 3650 * 86_400,
    doc: 'After this time a sign-in ends although it is used, and the password is asked for again, in seconds.',
  }),
  outsideServers: setting.optionalFormat('OPENID_CONNECT_AUTH_SERVERS', 'JSON object of name → provider', {
    check: parseOutsideServers,
    isSecret: true,
    doc: 'OpenID providers through which people may sign in here: `{"acme": {"issuer": "https://id.acme.org", "client_id": "…", "client_secret": "…", "title": "Acme"}}`. The address to register there is BASE_URL/oidc/acme/callback.',
  }),
})
