export { type CellKind, rowWriter, rowXml } from './cells.js'
export { SharedTexts } from './shared-texts.js'
export { mostRows, sheetEnd, sheetNames, sheetPath, sheetStart, workbookParts } from './workbook.js'
