// A workbook as the parts of a zip, each of which can be written as it comes.
import { cutTo } from '@sheaf/xlsform/text'
import { escapeAttribute } from '../xml/index.js'
import { stylesXml, textElement } from './cells.js'

const declaration = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const relations = 'http://schemas.openxmlformats.org/package/2006/relationships'
const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const types = 'application/vnd.openxmlformats-officedocument.spreadsheetml'

/** Rows of a sheet that spreadsheets open. */
export const mostRows = 1_048_576

/** Names as spreadsheets take them: at most 31 characters, each once, whatever the case. */
export const sheetNames = (names: readonly string[]): string[] => {
  const taken = new Set<string>()
  return names.map((name) => {
    const plain = name.replace(/[[\]:*?/\\]/g, '_').replace(/^'|'$/g, '_') || 'sheet'
    let chosen = cutTo(plain, 31)
    for (let number = 2; taken.has(chosen.toLowerCase()); number++) {
      const suffix = String(number)
      chosen = cutTo(plain, 31 - suffix.length) + suffix
    }
    taken.add(chosen.toLowerCase())
    return chosen
  })
}

/** `texts` are those that cells name by number. */
const sharedXml = (texts: Iterable<string>): string => {
  const items = Array.from(texts, (text) => `<si>${textElement(text)}</si>`)
  return `${declaration}<sst xmlns="${main}" uniqueCount="${items.length}">${items.join('')}</sst>`
}

/** Of every part but the sheets: path → text. */
export const workbookParts = (sheets: readonly string[], texts: Iterable<string> = []): ReadonlyMap<string, string> => {
  const numbered = sheets.map((name, index) => ({ name, number: index + 1 }))
  const overrides = numbered.map(
    ({ number }) => `<Override PartName="/xl/worksheets/sheet${number}.xml" ContentType="${types}.worksheet+xml"/>`,
  )
  const links = numbered.map(
    ({ number }) =>
      `<Relationship Id="rId${number}" Type="${office}/worksheet" Target="worksheets/sheet${number}.xml"/>`,
  )
  const entries = numbered.map(
    ({ name, number }) => `<sheet name="${escapeAttribute(name)}" sheetId="${number}" r:id="rId${number}"/>`,
  )
  return new Map([
    [
      '[Content_Types].xml',
      `${declaration}<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="${types}.sheet.main+xml"/><Override PartName="/xl/styles.xml" ContentType="${types}.styles+xml"/><Override PartName="/xl/sharedStrings.xml" ContentType="${types}.sharedStrings+xml"/>${overrides.join('')}</Types>`,
    ],
    [
      '_rels/.rels',
      `${declaration}<Relationships xmlns="${relations}"><Relationship Id="rId1" Type="${office}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
    ],
    [
      'xl/workbook.xml',
      `${declaration}<workbook xmlns="${main}" xmlns:r="${office}"><sheets>${entries.join('')}</sheets></workbook>`,
    ],
    [
      'xl/_rels/workbook.xml.rels',
      `${declaration}<Relationships xmlns="${relations}">${links.join('')}<Relationship Id="rId${sheets.length + 1}" Type="${office}/styles" Target="styles.xml"/><Relationship Id="rId${sheets.length + 2}" Type="${office}/sharedStrings" Target="sharedStrings.xml"/></Relationships>`,
    ],
    ['xl/styles.xml', `${declaration}<styleSheet xmlns="${main}">${stylesXml}</styleSheet>`],
    ['xl/sharedStrings.xml', sharedXml(texts)],
  ])
}

export const sheetPath = (index: number): string => `xl/worksheets/sheet${index + 1}.xml`

export const sheetStart = `${declaration}<worksheet xmlns="${main}"><sheetData>`
export const sheetEnd = '</sheetData></worksheet>'
