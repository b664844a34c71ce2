import { openFormCompiler } from '@sheaf/xlsform/thread'
import type { Room } from '../../platform/deps.js'
import { importJobs } from './imports.jobs.js'
import { importRoutes } from './imports.routes.js'
import { rebuildRoutes } from './rebuild.routes.js'

export const imports: Room = async (app, deps) => {
  const compiler = openFormCompiler()
  app.addHook('onClose', () => compiler.close())
  importJobs(deps, compiler)
  await importRoutes(app, deps, compiler)
  await rebuildRoutes(app, deps)
}
