// Which records: what a caller sees of a form, and the slice of it that they ask for, as SQL.
export { ownOnly, requireExport, type SeenForm, seenForm, sightAsData } from './access.js'
export { visible, within } from './access.queries.js'
export { type Area, type Box, boxIn, noPlaces, type Places, placesOf } from './areas.js'
export { inArea, placesIn } from './areas.queries.js'
export { countLive, differingBlocks, refreshBlocks } from './blocks.queries.js'
export { changeBound } from './change-bound.queries.js'
export { byId, compiled } from './conditions.queries.js'
export { type Filter, FilterQuery } from './filters.js'
export { filtered } from './filters.queries.js'
export { idsIn } from './ids.js'
export {
  answersIn,
  type DataPart,
  fieldsOf,
  type ListQuery,
  type ListRequest,
  readList,
  shapeOfForm,
  shapeOfVersions,
} from './list-request.js'
export { findShift } from './matches.queries.js'
export { chosenOf, chosenSlots, fieldsWithin, keysWithin, repeatsAround, shapeWithin } from './parts.js'
export { badRange, noIds } from './selection.errors.js'
export { PkParams, RecordParams } from './selection.schemas.js'
export { findSlice, isCut, isEverything, totalOf, wholeSlice } from './slices.js'
export { matching, type Slice, sliceOfIds } from './slices.queries.js'
