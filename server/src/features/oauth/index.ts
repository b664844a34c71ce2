import cookie from '@fastify/cookie'
import type { Room } from '../../platform/deps.js'
import type { App, Authenticate } from '../../platform/http/index.js'
import type { LogIn } from '../credentials/index.js'
import { authorizeRoutes } from './authorize.routes.js'
import { clientRoutes } from './clients.routes.js'
import { endSessionRoutes } from './end-session.routes.js'
import { grantRoutes } from './grants.routes.js'
import { libraryOf } from './library.js'
import { loginRoutes } from './login.routes.js'
import { oauthJobs } from './oauth.jobs.js'
import { acceptForms, noStore, wantsErrorPage } from './oauth-requests.js'
import { outsideRoutes } from './outside.routes.js'
import { identifyCallers } from './page-callers.js'
import { protocolRoutes } from './protocol.routes.js'
import { registerRoutes } from './register.routes.js'

export { bearerVerifier } from './bearer.js'
export { oauthSettings } from './oauth.settings.js'
export { withSessions } from './page-callers.js'
export { loginAddress } from './session.js'

export interface OAuthOptions {
  authenticate: Authenticate
  /** The one that Basic uses, so that wrong passwords are counted together. */
  logIn: LogIn
}

export const oauth =
  ({ authenticate, logIn }: OAuthOptions): Room =>
  async (app, deps) => {
    oauthJobs(deps)
    const handOver = libraryOf(deps)
    await app.register(async (pages: App) => {
      await pages.register(cookie)
      acceptForms(pages)
      wantsErrorPage(pages)
      noStore(pages)
      await authorizeRoutes(pages, deps, { authenticate, handOver })
      await loginRoutes(pages, deps, logIn)
      await registerRoutes(pages, deps)
      await endSessionRoutes(pages, deps, handOver)
      await outsideRoutes(pages, deps)
      await pages.register(async (own: App) => {
        identifyCallers(own, deps, authenticate)
        await clientRoutes(own, deps)
        await grantRoutes(own, deps)
      })
    })
    await app.register((protocol: App) => protocolRoutes(protocol, handOver))
  }
