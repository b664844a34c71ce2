// Forms as workbooks that people go on with in a spreadsheet program: every cell is a text, the header is bold and stays
// in sight.
import { fail } from '../problems.js'
import { escapeAttribute, escapeText } from '../xml/escape.js'
import type { RawRow, RawSheet } from './raw-sheet.js'
import { knownName, sheetNames } from './workbook.js'
import { writeZip } from './write-zip.js'

const declaration = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const relations = 'http://schemas.openxmlformats.org/package/2006/relationships'
const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const types = 'application/vnd.openxmlformats-officedocument.spreadsheetml'

/** What spreadsheet programs open. */
const most = { rows: 1_048_576, columns: 16_384, characters: 32_767, nameLength: 31 }

/** Places in the list of styles below. All but the first are texts for good: typing 1/2 or =1 over one leaves a text. */
const styles = { text: 1, lines: 2, header: 3 }
const textFormat = 49
const cellStyle = (font: number, isWrapped: boolean): string =>
  `<xf numFmtId="${textFormat}" fontId="${font}" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"${font === 0 ? '' : ' applyFont="1"'}${isWrapped ? ' applyAlignment="1"><alignment wrapText="1"/></xf>' : '/>'}`
const stylesXml = `${declaration}<styleSheet xmlns="${main}"><fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders><cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs><cellXfs count="4"><xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/>${cellStyle(0, false)}${cellStyle(0, true)}${cellStyle(1, false)}</cellXfs><cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>`

/** The bytes of an .xlsx file. Survey, choices and settings come first, the others as they are given. */
export const writeWorkbook = async (sheets: readonly RawSheet[]): Promise<Uint8Array<ArrayBuffer>> => {
  const ordered = inOrder(sheets)
  checkNames(ordered)
  return writeZip(
    new Map([
      ...bookParts(ordered.map(({ name }) => name)),
      ...ordered.map((sheet, index): [string, string] => [sheetPath(index), sheetXml(sheet, index === 0)]),
    ]),
  )
}

const inOrder = (sheets: readonly RawSheet[]): RawSheet[] => {
  const rank = ({ name }: RawSheet): number => {
    const known = knownName(name)
    const place = known === undefined ? -1 : sheetNames.indexOf(known)
    return place === -1 || place > sheetNames.indexOf('settings') ? sheetNames.length : place
  }
  return sheets.toSorted((a, b) => rank(a) - rank(b))
}

const unfitInName = /[[\]:*?/\\]|^'|'$|[^\u0020-\uD7FF\uE000-\uFFFD]/

const checkNames = (sheets: readonly RawSheet[]): void => {
  const seen = new Set<string>()
  if (sheets.length === 0) fail('no-sheets', 'A workbook needs at least one sheet.')
  for (const { name } of sheets) {
    const place = { sheet: name, value: name }
    if (name === '' || name.length > most.nameLength || unfitInName.test(name))
      fail(
        'invalid-sheet-name',
        `'${name}' cannot name a sheet. Use 1 to 31 characters, none of [ ] : * ? / \\.`,
        place,
      )
    if (seen.has(name.toLowerCase()))
      fail('duplicate-sheet', `There are two sheets named '${name}'. Put all rows into one of them.`, place)
    seen.add(name.toLowerCase())
  }
}

const sheetPath = (index: number): string => `xl/worksheets/sheet${index + 1}.xml`

const bookParts = (names: readonly string[]): [string, string][] => {
  const each = (part: (number: number, name: string) => string): string =>
    names.map((name, index) => part(index + 1, name)).join('')
  const overrides = each(
    (number) => `<Override PartName="/xl/worksheets/sheet${number}.xml" ContentType="${types}.worksheet+xml"/>`,
  )
  const links = each(
    (number) => `<Relationship Id="rId${number}" Type="${office}/worksheet" Target="worksheets/sheet${number}.xml"/>`,
  )
  const entries = each(
    (number, name) => `<sheet name="${escapeAttribute(name)}" sheetId="${number}" r:id="rId${number}"/>`,
  )
  return [
    [
      '[Content_Types].xml',
      `${declaration}<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="${types}.sheet.main+xml"/><Override PartName="/xl/styles.xml" ContentType="${types}.styles+xml"/>${overrides}</Types>`,
    ],
    [
      '_rels/.rels',
      `${declaration}<Relationships xmlns="${relations}"><Relationship Id="rId1" Type="${office}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
    ],
    [
      'xl/workbook.xml',
      `${declaration}<workbook xmlns="${main}" xmlns:r="${office}"><bookViews><workbookView activeTab="0"/></bookViews><sheets>${entries}</sheets></workbook>`,
    ],
    [
      'xl/_rels/workbook.xml.rels',
      `${declaration}<Relationships xmlns="${relations}">${links}<Relationship Id="rId${names.length + 1}" Type="${office}/styles" Target="styles.xml"/></Relationships>`,
    ],
    ['xl/styles.xml', stylesXml],
  ]
}

const sheetXml = ({ name, rows }: RawSheet, isFirst: boolean): string => {
  const pane =
    '<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/><selection pane="bottomLeft" activeCell="A2" sqref="A2"/>'
  const views = `<sheetViews><sheetView${isFirst ? ' tabSelected="1"' : ''} workbookViewId="0">${pane}</sheetView></sheetViews>`
  const lines = rows.toSorted((a, b) => a.number - b.number).map((row) => rowXml(row, name))
  return `${declaration}<worksheet xmlns="${main}">${views}${columnsXml(rows)}<sheetData>${lines.join('')}</sheetData></worksheet>`
}

/** In characters. Long labels would push everything else out of sight. */
const widths = { least: 10, most: 50, margin: 2 }

const columnsXml = (rows: readonly RawRow[]): string => {
  const longest: number[] = []
  for (const { columns, texts } of rows)
    for (const [index, column] of columns.entries())
      longest[column] = Math.max(longest[column] ?? 0, Math.min(widths.most, texts[index]?.length ?? 0))
  const written = Array.from(longest, (length = 0, index) => {
    const width = Math.min(widths.most, Math.max(widths.least, length + widths.margin))
    return `<col min="${index + 1}" max="${index + 1}" width="${width}" style="${styles.text}" customWidth="1"/>`
  })
  return written.length === 0 ? '' : `<cols>${written.join('')}</cols>`
}

const rowXml = ({ number, columns, texts }: RawRow, sheet: string): string => {
  const place = { sheet, row: number }
  if (number < 1 || number > most.rows)
    fail('too-many-rows', `A spreadsheet has at most ${most.rows} rows, not a row ${number}.`, place)
  const cells = [...columns.entries()]
    .sort(([, a], [, b]) => a - b)
    .map(([index, column]) => {
      const text = texts[index] ?? ''
      if (text === '') return ''
      if (column >= most.columns) fail('too-many-columns', `A spreadsheet has at most ${most.columns} columns.`, place)
      if (text.length > most.characters) {
        const message = `A cell holds ${text.length} characters; spreadsheet programs take at most ${most.characters}. Shorten it.`
        fail('cell-too-long', message, { ...place, value: text.slice(0, 100) })
      }
      const style = number === 1 ? styles.header : text.includes('\n') ? styles.lines : styles.text
      return `<c r="${columnLetters(column)}${number}" s="${style}" t="inlineStr"><is><t xml:space="preserve">${escapeText(withCodes(text))}</t></is></c>`
    })
  return `<row r="${number}">${cells.join('')}</row>`
}

/** `A` for 0, `AA` for 26. */
const columnLetters = (column: number): string => {
  let letters = ''
  for (let rest = column + 1; rest > 0; rest = Math.floor((rest - 1) / 26))
    letters = String.fromCharCode(65 + ((rest - 1) % 26)) + letters
  return letters
}

const codeOf = (character: string): string =>
  `_x${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}_`

/** What XML cannot hold, and the carriage return, which its readers take for a line feed. */
const unwritable = /[^\t\n\u0020-\uFFFD]|[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/g

/** Spreadsheets read `_x0041_` as the letter of that number, so what begins like that has its first mark by number: also where
 * the code of another character would end it. */
const withCodes = (text: string): string => {
  const marked = text.includes('_x') ? text.replace(/_(?=x[0-9a-fA-F]{4})/g, codeOf) : text
  return marked.replace(unwritable, codeOf)
}
