import type { Room } from '../../platform/deps.js'
import type { Compilers } from '../forms/index.js'
import { pullRoutes } from './pull.routes.js'
import { pushRoutes } from './push.routes.js'

/** At the root of the server, beside what devices call. Records are pushed to where devices send them. */
export const briefcase =
  (compilers: Compilers): Room =>
  async (app, deps) => {
    await pullRoutes(app, deps)
    await pushRoutes(app, deps, compilers)
  }
