import type { Room } from '../../platform/deps.js'
import type { App } from '../../platform/http/index.js'
import type { LogIn } from '../credentials/index.js'
import { servePages } from './browsers.js'
import { loginRoutes } from './login.routes.js'
import { outsideRoutes } from './outside.routes.js'
import { registerRoutes } from './register.routes.js'
import { sessionRoutes } from './session.routes.js'
import { setupRoutes } from './setup.routes.js'

export { servePages, wantsPage } from './browsers.js'
export { callerBySession, withSessions } from './callers.js'
export { faultsOf, field, formPage, hiddenFields, problem } from './form-pages.js'
export { findPerson } from './people.queries.js'
export {
  checkCsrf,
  csrfToken,
  findSession,
  loginAddress,
  loginPath,
  signInOnce,
  startSession,
  wayOutProof,
} from './session.js'
export { setupCode } from './setup-code.js'
export { signInSettings } from './sign-in.settings.js'

/** `logIn`: the one that Basic uses, so that wrong passwords are counted together. */
export const signIn =
  (logIn: LogIn): Room =>
  async (app, deps) => {
    await app.register(async (pages: App) => {
      await servePages(pages)
      await loginRoutes(pages, deps, logIn)
      await registerRoutes(pages, deps)
      await setupRoutes(pages, deps)
      await outsideRoutes(pages, deps)
    })
    await app.register((scripts: App) => sessionRoutes(scripts, deps, logIn))
  }
