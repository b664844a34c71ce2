// Cells as spreadsheet programs write them, each with the text that it is to be read as.
import fc from 'fast-check'
import { text, zip } from './workbooks.js'

/** `write` gives the XML of the cell at a place; texts may go into the list of shared ones. */
export interface ExcelCell {
  readonly text: string
  readonly write: (place: string, shared: string[]) => string
}

/** Places in the list of styles below. */
const styles = { plain: 0, moment: 1, zeros: 2, day: 3, clock: 4, text: 5 }
const stylesXml = `<styleSheet><numFmts count="3"><numFmt numFmtId="164" formatCode="yyyy\\-mm\\-dd hh:mm:ss"/><numFmt numFmtId="165" formatCode="000"/><numFmt numFmtId="166" formatCode="[h]:mm:ss;@"/></numFmts><cellStyleXfs><xf numFmtId="14"/></cellStyleXfs><cellXfs count="6"><xf numFmtId="0"/><xf numFmtId="164"/><xf numFmtId="165"/><xf numFmtId="14"/><xf numFmtId="166"/><xf numFmtId="49"/></cellXfs></styleSheet>`

const code = (character: string): string => `_x${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}_`

/** What XML cannot hold by number, and the mark of a number by number where one is typed. */
const unwritable = /[^\t\n\u0020-\uFFFD]|[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/g
const coded = (value: string): string => value.replace(/_(?=x[0-9a-fA-F]{4})/g, code).replace(unwritable, code)

const xml = (value: string): string =>
  coded(value).replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

/** Blanks at the ends are kept where the file says so, which Excel does where there are any. */
const t = (value: string): string =>
  value.trim() === value && !value.includes('\n') ? `<t>${xml(value)}</t>` : `<t xml:space="preserve">${xml(value)}</t>`

const inShared =
  (item: string) =>
  (place: string, shared: string[]): string =>
    `<c r="${place}" t="s"><v>${shared.push(item) - 1}</v></c>`

const shared = (value: string): ExcelCell => ({ text: value, write: inShared(`<si>${t(value)}</si>`) })

const rich = (runs: readonly string[]): ExcelCell => ({
  text: runs.join(''),
  write: inShared(
    `<si>${runs.map((run) => `<r><rPr><b/><sz val="11"/><rFont val="Calibri"/></rPr>${t(run)}</r>`).join('')}<phoneticPr fontId="1"/></si>`,
  ),
})

const inline = (value: string): ExcelCell => ({
  text: value,
  write: (place) => `<c r="${place}" s="${styles.text}" t="inlineStr"><is>${t(value)}</is></c>`,
})

/** What a formula came to when the file was saved. */
const cached = (value: string): ExcelCell => ({
  text: value,
  write: (place) =>
    `<c r="${place}" t="str"><f>IF(A1&lt;"&gt;","",B2)</f><v xml:space="preserve">${xml(value)}</v></c>`,
})

const number = (written: string, read: string, style = styles.plain, formula = ''): ExcelCell => ({
  text: read,
  write: (place) => `<c r="${place}" s="${style}">${formula}<v>${written}</v></c>`,
})

const typed = (type: string, written: string, read: string): ExcelCell => ({
  text: read,
  write: (place) => `<c r="${place}" t="${type}"><v>${written}</v></c>`,
})

export const asText: readonly ((value: string) => ExcelCell)[] = [
  shared,
  inline,
  cached,
  (value) => rich([value.slice(0, 1), value.slice(1)]),
]

/** Blank, with the look of a column: programs write many of them behind and below what is filled. */
const blank: ExcelCell = { text: '', write: (place) => `<c r="${place}" s="${styles.day}"/>` }

const twoDigits = (value: number): string => String(value).padStart(2, '0')
const day = Date.UTC(1899, 11, 30)
const moment = fc
  .record({ days: fc.integer({ min: 61, max: 80_000 }), seconds: fc.integer({ min: 0, max: 86_399 }) })
  .map(({ days, seconds }) => {
    const iso = new Date(day + (days * 86_400 + seconds) * 1000).toISOString()
    return { serial: days + seconds / 86_400, read: `${iso.slice(0, 10)} ${iso.slice(11, 19)}`, iso: iso.slice(0, 19) }
  })

const numbers: fc.Arbitrary<ExcelCell> = fc.oneof(
  fc.constantFrom(
    number('1', '1'),
    number('1.0', '1'),
    number('-0', '0'),
    number(String(0.1 + 0.2), '0.30000000000000004'),
    number('1E21', '1000000000000000000000'),
    number('1.5000000000000001E-7', '0.00000015000000000000002'),
    number('12345678901234567890', '12345678901234567168'),
    // Zeros in front are a look of the cell; what is in it is the number.
    number('7', '7', styles.zeros),
    number('42', '42', styles.plain, '<f>6*7</f>'),
    number('42', '42', styles.text),
  ),
  fc.integer().map((value) => number(String(value), String(value))),
  moment.map(({ serial, read }) => number(String(serial), read, styles.moment)),
  moment.map(({ serial, read }) => number(String(Math.floor(serial)), `${read.slice(0, 10)} 00:00:00`, styles.day)),
  fc.integer({ min: 0, max: 86_399 }).map((seconds) => {
    const read = [seconds / 3600, (seconds / 60) % 60, seconds % 60].map((one) => twoDigits(Math.floor(one))).join(':')
    return number(String(seconds / 86_400), read, styles.clock)
  }),
  moment.map(({ iso, read }) => typed('d', iso, read)),
  moment.map(({ iso, read }) => typed('d', `${iso}.000Z`, read)),
  moment.map(({ iso, read }) => typed('d', iso.slice(0, 10), `${read.slice(0, 10)} 00:00:00`)),
)

const others: fc.Arbitrary<ExcelCell> = fc.constantFrom(
  typed('b', '1', 'TRUE'),
  typed('b', '0', 'FALSE'),
  // XML says that these mean the same.
  typed('b', 'true', 'TRUE'),
  typed('b', 'false', 'FALSE'),
  typed('e', '#N/A', '#N/A'),
  typed('str', '', ''),
  blank,
  blank,
)

const words = fc.oneof(
  fc.string({ unit: 'grapheme', minLength: 1, maxLength: 12 }),
  fc.string({ unit: 'binary', minLength: 1, maxLength: 12 }),
  fc.string({ unit: fc.constantFrom('_', 'x', '0', '4', '1', 'D', '\u0001', '\r', '\n'), minLength: 1, maxLength: 14 }),
  fc.constantFrom('007', '1e5', '1.0', 'TRUE', '2024-05-06', '=1+1', "'007", ' leads', 'trails ', 'a\r\nb', 'a\u00a0b'),
  fc.constantFrom(
    '_x000D_',
    '_x005F_x000D_',
    '_x0041\u0001',
    '“curly”',
    'l’eau',
    '\u200f\u0645\u0627\u0621',
    '&amp;',
    ']]>',
  ),
)
/** As long as a cell gets. */
const longest = fc.constantFrom('é'.repeat(32_767), `${'a '.repeat(16_383)}b`)

export const excelCell: fc.Arbitrary<ExcelCell> = fc.oneof(
  fc
    .tuple(fc.constantFrom(...asText), fc.oneof({ weight: 40, arbitrary: words }, { weight: 1, arbitrary: longest }))
    .map(([make, value]) => make(value)),
  fc.array(words, { minLength: 1, maxLength: 3 }).map(rich),
  numbers,
  others,
)

export interface ExcelSheet {
  readonly name: string
  readonly isHidden: boolean
  /** Rows from the first; null for one that is not written. */
  readonly rows: readonly ({ readonly cells: readonly ExcelCell[]; readonly isHidden: boolean } | null)[]
  /** Rows and columns without anything behind the last. */
  readonly blanks: { readonly rows: number; readonly columns: number }
  readonly isMerged: boolean
}

const letters = (column: number): string =>
  column < 26 ? String.fromCharCode(65 + column) : letters(Math.floor(column / 26) - 1) + letters(column % 26)

const sheetXml = ({ rows, blanks, isMerged }: ExcelSheet, strings: string[]): string => {
  const width = rows.reduce((most, row) => Math.max(most, row?.cells.length ?? 0), 0) + blanks.columns
  const filled = rows.map((row, at) => {
    if (row === null) return ''
    const cells = Array.from({ length: width }, (_, column) =>
      (row.cells[column] ?? blank).write(`${letters(column)}${at + 1}`, strings),
    )
    return `<row r="${at + 1}" spans="1:${width}"${row.isHidden ? ' hidden="1"' : ''} x14ac:dyDescent="0.25">${cells.join('')}</row>`
  })
  const below = Array.from(
    { length: blanks.rows },
    (_, at) => `<row r="${rows.length + at + 1}" s="3" customFormat="1"/>`,
  )
  const merged = isMerged ? '<mergeCells count="1"><mergeCell ref="A1:B1"/></mergeCells>' : ''
  return `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\r\n<worksheet><dimension ref="A1:XFD1048576"/><sheetViews><sheetView workbookViewId="0"/></sheetViews><sheetFormatPr defaultRowHeight="15"/><cols><col min="1" max="16384" width="9" style="3"/></cols><sheetData>${filled.join('')}${below.join('')}</sheetData>${merged}<pageMargins left="0.7" right="0.7"/></worksheet>`
}

/** The bytes of the file. */
export const excelFile = (sheets: readonly ExcelSheet[]): Uint8Array => {
  const strings: string[] = []
  const parts = sheets.map((sheet, at): [string, string] => [
    `xl/worksheets/sheet${at + 1}.xml`,
    sheetXml(sheet, strings),
  ])
  const entries = sheets.map(
    ({ name, isHidden }, at) =>
      `<sheet name="${xml(name)}" sheetId="${at + 1}"${isHidden ? ' state="hidden"' : ''} r:id="rId${at + 1}"/>`,
  )
  const relation = (id: number, type: string, target: string) =>
    `<Relationship Id="rId${id}" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/${type}" Target="${target}"/>`
  const all: [string, string][] = [
    [
      'xl/workbook.xml',
      `<workbook><workbookPr defaultThemeVersion="166925"/><sheets>${entries.join('')}</sheets></workbook>`,
    ],
    [
      'xl/_rels/workbook.xml.rels',
      `<Relationships>${parts.map(([path], at) => relation(at + 1, 'worksheet', path.slice(3))).join('')}${relation(90, 'styles', 'styles.xml')}${relation(91, 'sharedStrings', 'sharedStrings.xml')}</Relationships>`,
    ],
    ['xl/styles.xml', stylesXml],
    ...parts,
    ['xl/sharedStrings.xml', `<sst count="${strings.length}">${strings.join('')}</sst>`],
  ]
  return zip(all.map(([name, content]) => ({ name, content: text(content) })))
}

/** What is to be read of a sheet. */
export const textsOf = ({ rows }: ExcelSheet): { number: number; columns: number[]; texts: string[] }[] =>
  rows.flatMap((row, at) => {
    const filled = [...(row?.cells.entries() ?? [])].filter(([, cell]) => cell.text !== '')
    if (filled.length === 0) return []
    return [{ number: at + 1, columns: filled.map(([column]) => column), texts: filled.map(([, cell]) => cell.text) }]
  })
