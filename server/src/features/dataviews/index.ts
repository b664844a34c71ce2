import type { Room } from '../../platform/deps.js'
import { dataviewDataRoutes } from './data.routes.js'
import { dataviewRoutes } from './dataviews.routes.js'
import { dataviewDetailRoutes } from './details.routes.js'

export { dataviewsGone } from './dataviews.queries.js'
export { DataviewParams } from './dataviews.schemas.js'
export {
  filesOfDataview,
  findVisibleDataview,
  partOfDataview,
  type SeenDataview,
  seenDataview,
} from './dataviews.service.js'
export { conditionOf } from './filter.js'

export const dataviews: Room = async (app, deps) => {
  await dataviewRoutes(app, deps)
  await dataviewDataRoutes(app, deps)
  await dataviewDetailRoutes(app, deps)
}
