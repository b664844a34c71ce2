import type { Room } from '../../platform/deps.js'
import { tallyJobs } from '../aggregation/index.js'
import { chartJobs, openChartCache } from './chart-cache.js'
import { chartRoutes } from './charts.routes.js'
import { openDrawer } from './drawing/thread.js'

export { openChartCache } from './chart-cache.js'
export { type FieldFigure, figureOfField } from './figure-data.js'
export { formSubject, type Subject } from './subject.js'

export const charts: Room = async (app, deps) => {
  const drawer = openDrawer()
  app.addHook('onClose', () => drawer.close())
  chartJobs(deps)
  tallyJobs(deps)
  await chartRoutes(app, deps, openChartCache(deps), drawer)
}
