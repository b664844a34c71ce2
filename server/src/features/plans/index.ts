import { openFormCompiler } from '@sheaf/xlsform/thread'
import type { Room } from '../../platform/deps.js'
import { planRoutes } from './plans.routes.js'

export const plans: Room = async (app, deps) => {
  const compiler = openFormCompiler()
  app.addHook('onClose', () => compiler.close())
  await planRoutes(app, deps, compiler)
}
