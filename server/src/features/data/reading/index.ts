// A slice as it comes out of the database, as text or row by row, and as it goes out to whoever reads it, in pieces.
export { wholeOrPieces } from './pieces.js'
export {
  answersOf,
  betweenColumns,
  copyLines,
  copyListed,
  findPageText,
  numberedText,
  rawLines,
  rowsOf,
  textOf,
  textWithXml,
  withoutOffset,
} from './records.queries.js'
export { fetched, fetchedPages } from './snapshot.queries.js'
export {
  batchesOfLines,
  type Export,
  jsonList,
  jsonListOf,
  jsonType,
  linesOf,
  sendFile,
  sendStream,
  sendText,
  withCommas,
} from './streams.js'
