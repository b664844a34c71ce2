import type { Room } from '../../platform/deps.js'
import type { App, Authenticate } from '../../platform/http/index.js'
import { servePages } from '../sign-in/index.js'
import { grantRoutes } from './approvals/index.js'
import { clientRoutes, identifyCallers } from './clients/index.js'
import { authorizeRoutes, endSessionRoutes, libraryOf, protocolRoutes } from './protocol/index.js'
import { oauthJobs } from './tokens/index.js'

export { bearerVerifier, oauthSettings } from './tokens/index.js'

export const oauth =
  (authenticate: Authenticate): Room =>
  async (app, deps) => {
    oauthJobs(deps)
    const handOver = libraryOf(deps)
    await app.register(async (pages: App) => {
      await servePages(pages)
      await authorizeRoutes(pages, deps, { authenticate, handOver })
      await endSessionRoutes(pages, deps, handOver)
      await pages.register(async (own: App) => {
        identifyCallers(own, deps, authenticate)
        await clientRoutes(own, deps)
        await grantRoutes(own, deps)
      })
    })
    await app.register((protocol: App) => protocolRoutes(protocol, handOver))
  }
