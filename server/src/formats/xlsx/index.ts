export { mostRows, rowXml, sheetEnd, sheetNames, sheetPath, sheetStart, workbookParts } from './workbook.js'
