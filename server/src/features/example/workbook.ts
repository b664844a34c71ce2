// The sheets of a form as a workbook, which whoever got the example can download and change.
import { buffer } from 'node:stream/consumers'
import yazl from 'yazl'
import { rowXml, sheetEnd, sheetPath, sheetStart, workbookParts } from '../../formats/xlsx/index.js'
import type { Sheets } from './material/index.js'

export const workbookOf = (sheets: Sheets): Promise<Buffer> => {
  const zip = new yazl.ZipFile()
  for (const [path, text] of workbookParts(Object.keys(sheets))) zip.addBuffer(Buffer.from(text), path)
  for (const [at, rows] of Object.values(sheets).entries()) {
    const text = `${sheetStart}${rows.map((row) => rowXml(row)).join('')}${sheetEnd}`
    zip.addBuffer(Buffer.from(text), sheetPath(at))
  }
  zip.end()
  return buffer(zip.outputStream as unknown as NodeJS.ReadableStream)
}
