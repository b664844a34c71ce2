import type { FormCompiler } from '@sheaf/xlsform/thread'
import type { Room } from '../../platform/deps.js'
import { planRoutes } from './plans.routes.js'

export const plans =
  (compiler: FormCompiler): Room =>
  async (app, deps) => {
    await planRoutes(app, deps, compiler)
  }
