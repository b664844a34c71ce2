import type { Room } from '../../platform/deps.js'
import type { Compilers } from '../forms/index.js'
import { planRoutes } from './plans.routes.js'

export const plans =
  (compilers: Compilers): Room =>
  async (app, deps) => {
    await planRoutes(app, deps, compilers)
  }
