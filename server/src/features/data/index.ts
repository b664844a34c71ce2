import type { Room } from '../../platform/deps.js'
import { auditRoutes } from './audits.routes.js'
import { clusterRoutes } from './clusters/index.js'
import { entryRoutes } from './entries.routes.js'
import { indexJobs, indexRoutes } from './indexes/index.js'
import { listRoutes } from './list.routes.js'
import { labelRoutes, manyLabelRoutes, recordRoutes } from './record/index.js'
import { deleteRoutes, restoreRoutes } from './removal/index.js'
import { measuringJobs } from './tables/index.js'

export { ClusterParams, ClustersView, clustersOf } from './clusters/index.js'
export {
  checkFile,
  type FileFormat,
  type FileRequest,
  fileNameOf,
  fileOf,
  fileTypeOf,
  isFileFormat,
} from './files/index.js'
export { ListParams, placesOf, unknownFormat } from './lists/index.js'
export { fetched, sendText } from './reading/index.js'
export { dataSettings } from './removal/index.js'
export {
  answersIn,
  changeBound,
  chosenSlots,
  compiled,
  countLive,
  type DataPart,
  differingBlocks,
  type Filter,
  filtered,
  findShift,
  type ListQuery,
  PkParams,
  readList,
  refreshBlocks,
  requireExport,
  type SeenForm,
  seenForm,
  shapeOfForm,
  shapeOfVersions,
  sightAsData,
  visible,
} from './selection/index.js'
export { sendRecords } from './send-records.js'

export const data: Room = async (app, deps) => {
  measuringJobs(deps)
  indexJobs(deps)
  await entryRoutes(app, deps)
  await listRoutes(app, deps)
  await clusterRoutes(app, deps)
  await auditRoutes(app, deps)
  await recordRoutes(app, deps)
  await deleteRoutes(app, deps)
  await restoreRoutes(app, deps)
  await labelRoutes(app, deps)
  await manyLabelRoutes(app, deps)
  await indexRoutes(app, deps)
}
