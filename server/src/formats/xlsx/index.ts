export { type CellKind, rowXml } from './cells.js'
export { mostRows, sheetEnd, sheetNames, sheetPath, sheetStart, workbookParts } from './workbook.js'
