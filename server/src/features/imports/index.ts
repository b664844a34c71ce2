import type { Room } from '../../platform/deps.js'
import type { Compilers } from '../forms/index.js'
import { importJobs } from './imports.jobs.js'
import { importRoutes } from './imports.routes.js'
import { rebuildRoutes } from './rebuild.routes.js'

export { type Difference, rebuildRecords } from './rebuild.js'

export const imports =
  (compilers: Compilers): Room =>
  async (app, deps) => {
    importJobs(deps, compilers)
    await importRoutes(app, deps, compilers)
    await rebuildRoutes(app, deps)
  }
