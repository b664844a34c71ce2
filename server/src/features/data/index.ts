import type { Room } from '../../platform/deps.js'
import { entryRoutes } from './entries.routes.js'
import { labelRoutes } from './labels.routes.js'
import { listRoutes } from './list.routes.js'
import { manyRoutes } from './many.routes.js'
import { restoreRoutes } from './restore.routes.js'
import { singleRoutes } from './single.routes.js'

export { differingBlocks } from './blocks.queries.js'
export { changeBound } from './changes.queries.js'
export { compiled } from './conditions.queries.js'
export { requireExport, type SeenForm, seenForm, sightAsData } from './data.access.js'
export { unknownFormat } from './data.errors.js'
export { ListParams, PkParams } from './data.schemas.js'
export { dataSettings } from './data.settings.js'
export { checkFile, type FileFormat, fileNameOf, fileOf, fileTypeOf, isFileFormat } from './files.js'
export { answersIn, type DataPart, type ListQuery, readList, shapeOfForm, shapeOfVersions } from './list-request.js'
export { chosenSlots } from './parts.js'
export { sendPlaces } from './renderers.js'
export { sendRecords } from './send-records.js'
export { countMatching, visible } from './slices.queries.js'
export { fetched } from './snapshot.queries.js'
export { sendFile, sendText } from './streams.js'

export const data: Room = async (app, deps) => {
  await entryRoutes(app, deps)
  await listRoutes(app, deps)
  await manyRoutes(app, deps)
  await singleRoutes(app, deps)
  await restoreRoutes(app, deps)
  await labelRoutes(app, deps)
}
