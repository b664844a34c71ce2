// The own reader of .xlsx beside the library: whatever a workbook holds, both find the same cells.
import { read, SSF, utils, type WorkSheet, write } from '@e965/xlsx'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { numberText } from '../src/workbook/cell-text.js'
import { readOoxml } from '../src/workbook/ooxml.js'
import type { SheetRules } from '../src/workbook/raw-sheet.js'
import { decodeInNode, unpackedNow } from '../src/workbook/unpack-node.js'
import { text, zip } from './support/workbooks.js'

/** Nothing is cleaned or passed over. */
const asItIs: SheetRules = {
  columns: 5000,
  refusesMore: true,
  emptyRows: Number.POSITIVE_INFINITY,
  isData: true,
  clean: (value) => value,
}

type Found = Record<string, string>

/** Texts by place, as `sheet!B3`. */
const byUs = (bytes: Uint8Array): Found =>
  Object.fromEntries(
    unpackedNow(readOoxml(bytes, (names) => new Set(names), decodeInNode, asItIs)).flatMap(({ name, rows }) =>
      rows.flatMap(({ number, columns, texts }) =>
        texts.map((value, index) => [
          `${name}!${utils.encode_cell({ r: number - 1, c: columns[index] as number })}`,
          value,
        ]),
      ),
    ),
  )

const two = (number: number): string => String(number).padStart(2, '0')

/** By the library's own calendar. */
const dateByLibrary = (serial: number): string => {
  const { y, m, d, H, M, S } = SSF.parse_date_code(serial)
  const time = `${two(H)}:${two(M)}:${two(Math.floor(S))}`
  return serial < 1 ? time : `${y}-${two(m)}-${two(d)} ${time}`
}

const byLibrary = (bytes: Uint8Array): Found => {
  const book = read(bytes, { type: 'array', cellNF: true, cellText: false, cellDates: false, cellHTML: false })
  return Object.fromEntries(
    book.SheetNames.flatMap((name) =>
      Object.entries(book.Sheets[name] as WorkSheet).flatMap(([address, cell]) => {
        if (address.startsWith('!')) return []
        const value = textOf(cell)
        return value === '' ? [] : [[`${name}!${address}`, value]]
      }),
    ),
  )
}

const textOf = ({ t, v, w, z }: { t: string; v?: unknown; w?: string; z?: string }): string => {
  if (t === 'b') return v ? 'TRUE' : 'FALSE'
  if (t === 'e') return w ?? errors[v as number] ?? ''
  if (t === 'n' && typeof v === 'number') return z !== undefined && SSF.is_date(z) ? dateByLibrary(v) : numberText(v)
  return typeof v === 'string' ? v : ''
}

const errors: Readonly<Record<number, string>> = { 7: '#DIV/0!', 15: '#VALUE!', 23: '#REF!', 29: '#NAME?', 42: '#N/A' }

/** What a file cannot hold as it is stands in it in another way, in which the two need not agree. */
const words = fc
  .string({ unit: 'grapheme', minLength: 1, maxLength: 12 })
  .map((value) => value.replace(/[^\n\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu, ''))
  .filter((value) => value.trim() !== '' && !/_x[0-9a-f]{4}_/i.test(value))

const serial = fc.oneof(
  fc.integer({ min: 61, max: 2_000_000 }),
  fc.integer({ min: 61 * 86_400, max: 60_000 * 86_400 }).map((seconds) => seconds / 86_400),
)

const cell = fc.oneof(
  words.map((v) => ({ t: 's', v })),
  fc.integer().map((v) => ({ t: 'n', v })),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map((v) => ({ t: 'n', v: Object.is(v, -0) ? 0 : v })),
  fc.boolean().map((v) => ({ t: 'b', v })),
  serial.map((v) => ({ t: 'n', v, z: 'yyyy-mm-dd hh:mm:ss' })),
  serial.map((v) => ({ t: 'n', v, z: 'd/m/yy' })),
  words.map((v) => ({ t: 's', v, f: 'A1&"x"' })),
  fc.constantFrom(7, 15, 23, 29, 42).map((v) => ({ t: 'e', v })),
)

const sheet = fc
  .array(fc.record({ r: fc.integer({ min: 0, max: 15 }), c: fc.integer({ min: 0, max: 30 }), cell }), {
    minLength: 1,
    maxLength: 25,
  })
  .map((placed) => {
    const made: WorkSheet = { '!ref': 'A1:AE16' }
    for (const { r, c, cell: content } of placed) made[utils.encode_cell({ r, c })] = { ...content }
    return made
  })

describe('an .xlsx', () => {
  it('that the library wrote holds the same for both, with strings shared or not, packed or not', () => {
    fc.assert(
      fc.property(
        fc.array(sheet, { minLength: 1, maxLength: 3 }),
        fc.boolean(),
        fc.boolean(),
        (sheets, bookSST, compression) => {
          const book = utils.book_new()
          for (const [number, one] of sheets.entries()) utils.book_append_sheet(book, one, `s${number}`)
          const bytes = new Uint8Array(write(book, { type: 'array', bookType: 'xlsx', bookSST, compression }))
          expect(byUs(bytes)).toEqual(byLibrary(bytes))
        },
      ),
      { numRuns: 60 },
    )
  })

  it('as other programs write it holds the same for both: runs of rich text, phonetic guides, references, bare cells', () => {
    fc.assert(
      fc.property(fc.array(fc.array(written, { maxLength: 8 }), { minLength: 1, maxLength: 12 }), (rows) => {
        const strings: string[] = []
        const xml = rows.map((cells, row) => {
          const made = cells.map((one, column) => one(utils.encode_cell({ r: row, c: column }), strings))
          return `<row r="${row + 1}" spans="1:8">${made.join('')}</row>`
        })
        const bytes = packed(`<sheetData>${xml.join('\n')}</sheetData>`, strings)
        expect(byUs(bytes)).toEqual(byLibrary(bytes))
      }),
      { numRuns: 60 },
    )
  })
})

const named = (value: string): string => value.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
/** Plain characters as numbers; the library takes those of others for bytes. */
const numbered = (value: string): string => value.replace(/[\n -~]/g, (one) => `&#x${one.charCodeAt(0).toString(16)};`)
const escapedText = fc.tuple(words, fc.boolean()).map(([value, isNumbered]) => (isNumbered ? numbered : named)(value))
const t = (value: string): string => `<t xml:space="preserve">${value}</t>`

type Written = (place: string, strings: string[]) => string

const shared =
  (item: string): Written =>
  (place, strings) =>
    `<c r="${place}" t="s"><v>${strings.push(item) - 1}</v></c>`

const written: fc.Arbitrary<Written> = fc.oneof(
  escapedText.map((value) => shared(`<si>${t(value)}</si>`)),
  fc
    .array(escapedText, { minLength: 1, maxLength: 3 })
    .map((runs) => shared(`<si>${runs.map((run) => `<r><rPr><b/><sz val="11"/></rPr>${t(run)}</r>`).join('')}</si>`)),
  fc
    .tuple(escapedText, escapedText)
    .map(([value, guide]) =>
      shared(`<si>${t(value)}<rPh sb="0" eb="1">${t(guide)}</rPh><phoneticPr fontId="1"/></si>`),
    ),
  escapedText.map(
    (value): Written =>
      (place) =>
        `<c r="${place}" t="inlineStr"><is>${t(value)}</is></c>`,
  ),
  escapedText.map(
    (value): Written =>
      (place) =>
        `<c r="${place}" t="str"><f>A1</f><v>${value}</v></c>`,
  ),
  fc.integer().map(
    (value): Written =>
      (place) =>
        `<c r="${place}"><f>1+1</f><v>${value}</v></c>`,
  ),
  fc.boolean().map(
    (value): Written =>
      (place) =>
        `<c r="${place}" t="b"><v>${value ? 1 : 0}</v></c>`,
  ),
  serial.map(
    (value): Written =>
      (place) =>
        `<c r="${place}" s="1"><v>${value}</v></c>`,
  ),
  fc.constant<Written>((place) => `<c r="${place}" s="1"/>`),
)

const packed = (sheetData: string, strings: readonly string[]): Uint8Array => {
  const relation = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
  const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
  const kind = 'application/vnd.openxmlformats-officedocument.spreadsheetml'
  const parts: Readonly<Record<string, string>> = {
    '[Content_Types].xml': `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/xl/workbook.xml" ContentType="${kind}.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="${kind}.worksheet+xml"/><Override PartName="/xl/sharedStrings.xml" ContentType="${kind}.sharedStrings+xml"/><Override PartName="/xl/styles.xml" ContentType="${kind}.styles+xml"/></Types>`,
    '_rels/.rels': `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="${relation}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
    'xl/workbook.xml': `<workbook xmlns="${main}" xmlns:r="${relation}"><sheets><sheet name="data" sheetId="1" r:id="rId1"/></sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="${relation}/worksheet" Target="worksheets/sheet1.xml"/><Relationship Id="rId2" Type="${relation}/sharedStrings" Target="sharedStrings.xml"/><Relationship Id="rId3" Type="${relation}/styles" Target="styles.xml"/></Relationships>`,
    'xl/worksheets/sheet1.xml': `<?xml version="1.0" encoding="UTF-8"?><worksheet xmlns="${main}">${sheetData}</worksheet>`,
    'xl/sharedStrings.xml': `<?xml version="1.0" encoding="UTF-8"?><sst xmlns="${main}">${strings.join('')}</sst>`,
    'xl/styles.xml': `<styleSheet xmlns="${main}"><numFmts count="1"><numFmt numFmtId="164" formatCode="yyyy-mm-dd hh:mm:ss"/></numFmts><cellXfs count="2"><xf numFmtId="0"/><xf numFmtId="164" applyNumberFormat="1"/></cellXfs></styleSheet>`,
  }
  return zip(Object.entries(parts).map(([name, content]) => ({ name, content: text(content) })))
}
