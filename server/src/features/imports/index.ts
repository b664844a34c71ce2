import type { FormCompiler } from '@sheaf/xlsform/thread'
import type { Room } from '../../platform/deps.js'
import { importJobs } from './imports.jobs.js'
import { importRoutes } from './imports.routes.js'
import { rebuildRoutes } from './rebuild.routes.js'

export { type Difference, rebuildRecords } from './rebuild.js'

export const imports =
  (compiler: FormCompiler): Room =>
  async (app, deps) => {
    importJobs(deps, compiler)
    await importRoutes(app, deps, compiler)
    await rebuildRoutes(app, deps)
  }
