import type { Room } from '../../platform/deps.js'
import { chartJobs, openChartCache } from './chart-cache.js'
import { chartRoutes } from './charts.routes.js'

export const charts: Room = async (app, deps) => {
  chartJobs(deps)
  await chartRoutes(app, deps, openChartCache(deps))
}
