import { defineSettings, setting } from '../../platform/config/index.js'
import { parseOutsideServers } from './outside-servers.js'

export const signInSettings = defineSettings('Signing in on pages', {
  sessionSeconds: setting.integer('LOGIN_SESSION_EXPIRE_SECONDS', {
    default: 21_600,
    min: 60,
    max: 30 * 86_400,
    doc: 'How long a sign-in on the pages lasts, in seconds.',
  }),
  outsideServers: setting.optionalFormat('OPENID_CONNECT_AUTH_SERVERS', 'JSON object of name → provider', {
    check: parseOutsideServers,
    isSecret: true,
    doc: 'OpenID providers through which people may sign in here: `{"acme": {"issuer": "https://id.acme.org", "client_id": "…", "client_secret": "…", "title": "Acme"}}`. The address to register there is BASE_URL/oidc/acme/callback.',
  }),
})
