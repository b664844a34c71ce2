import { deflateRawSync } from 'node:zlib'
import { CFB, utils, write } from '@e965/xlsx'
import { describe, expect, it } from 'vitest'
import { limits } from '../src/limits.js'
import { XlsFormError } from '../src/problems.js'
import { dateText } from '../src/workbook/cell-text.js'
import { readWorkbook } from '../src/workbook/read-workbook.js'
import { readSheets } from '../src/workbook.js'
import { rawXlsx, text, workbook, zip } from './support/workbooks.js'

const rowsOf = (bytes: Uint8Array, sheet: 'survey' | 'choices' = 'survey') =>
  (readWorkbook(bytes).sheets.get(sheet)?.rows ?? []).map(({ number, columns, texts }) => [
    number,
    ...columns.map((column, index) => `${column}:${texts[index]}`),
  ])

const codeOf = (bytes: Uint8Array): string | undefined => {
  try {
    readWorkbook(bytes)
  } catch (error) {
    if (error instanceof XlsFormError) return error.problems[0]?.code
    throw error
  }
  return undefined
}

const cells = [
  ['type', 'name', 'label'],
  ['text', 'a', '  A\u00a0b “q” ’s  '],
  [null, null, null],
  ['integer', 'b', 5],
  ['decimal', 'c', 2.5],
  ['text', 'd', true],
]

const understood = [
  [1, '0:type', '1:name', '2:label'],
  [2, '0:text', '1:a', `2:A b "q" 's`],
  [4, '0:integer', '1:b', '2:5'],
  [5, '0:decimal', '1:c', '2:2.5'],
  [6, '0:text', '1:d', '2:TRUE'],
]

describe('kinds of file, told apart by content', () => {
  it.each(['xlsx', 'xlsm', 'biff8'] as const)('%s gives the same rows, blank ones kept for numbering', (kind) => {
    expect(rowsOf(workbook({ survey: cells }, kind))).toEqual(understood)
  })

  it('the CSV dialect has the sheet name alone in column 1', () => {
    const csv =
      'survey,,\r\n,type,name\r\n,text,"a ""b"", c"\r\n\r\n,note,"two\nlines"\r\nchoices\n,list_name,name\n,l,x\n'
    expect(rowsOf(text(csv))).toEqual([
      [1, '0:type', '1:name'],
      [2, '0:text', '1:a "b", c'],
      [4, '0:note', '1:two\nlines'],
    ])
    expect(rowsOf(text(csv), 'choices')).toEqual([
      [1, '0:list_name', '1:name'],
      [2, '0:l', '1:x'],
    ])
  })

  it('a plain CSV table without sheet names is the survey', () => {
    expect(rowsOf(text('type,name\ntext,a\n'))).toEqual([
      [1, '0:type', '1:name'],
      [2, '0:text', '1:a'],
    ])
  })

  it('the Markdown dialect ignores rulers and prose and knows escaped bars', () => {
    const markdown = '# Form\n\n| survey |\n| | type | default |\n| |---|---|\n| | text | x \\| y |\n'
    expect(rowsOf(text(markdown))).toEqual([
      [1, '0:type', '1:default'],
      [2, '0:text', '1:x | y'],
    ])
  })

  it('CSV in a Windows code page keeps its accents', () => {
    expect(rowsOf(new Uint8Array([...text('survey\n,type\n,caf'), 0xe9]))).toEqual([
      [1, '0:type'],
      [2, '0:café'],
    ])
  })

  it.each([
    ['bytes of nothing', new Uint8Array([0, 1, 2, 3, 0, 0]), 'unreadable-file'],
    ['an empty file', new Uint8Array(), 'unreadable-file'],
    ['rows without a sheet', text(',type,name\n,text,a\n'), 'unreadable-file'],
    ['half a zip', workbook({ survey: cells }).subarray(0, 300), 'unreadable-file'],
    ['a zip of something else', zip([{ name: 'a.txt', content: text('hello') }]), 'unreadable-file'],
    ['half an .xls', workbook({ survey: cells }, 'biff8').subarray(0, 600), 'unreadable-file'],
  ])('%s is refused with a message', (_, bytes, code) => {
    expect(codeOf(bytes)).toBe(code)
  })
})

describe('shared strings', () => {
  const withStrings = (strings: string): unknown[] => {
    const cells = ['A', 'B', 'C', 'D'].map((letter, index) => `<c r="${letter}1" t="s"><v>${index}</v></c>`).join('')
    return rowsOf(rawXlsx(`<sheetData><row r="1">${cells}</row></sheetData>`, { strings }))[0] ?? []
  }

  it('are read plain, spaced, rich, empty and with a prefix', () => {
    const strings =
      '<sst><si><t>a &amp; é</t></si><si><t xml:space="preserve"> b </t></si><si/><si><r><t>c</t></r><r><t>d</t></r></si></sst>'
    expect(withStrings(strings)).toEqual([1, '0:a & é', '1:b', '3:cd'])
    expect(withStrings(strings.replace(/<(\/?)(?=[a-z])/g, '<$1x:'))).toEqual([1, '0:a & é', '1:b', '3:cd'])
  })

  it('that are cut off are missing, nothing more', () => {
    expect(withStrings('<sst><si><t>a</t></si><si><t>b')).toEqual([1, '0:a'])
  })
})

describe('dates and times', () => {
  it.each(['xlsx', 'biff8'] as const)('in %s are written out', (bookType) => {
    const book = utils.book_new()
    const sheet = {
      A1: { t: 'n', v: 41255, z: 'yyyy-mm-dd' },
      B1: { t: 'n', v: 41255.4375, z: 'd/m/yy h:mm' },
      C1: { t: 'n', v: 0.4375, z: 'h:mm' },
      D1: { t: 'n', v: 12.5, z: '0.00' },
      E1: { t: 'n', v: 3, z: '#,##0 "days"' },
      F1: { t: 'b', v: true },
      '!ref': 'A1:F1',
    }
    utils.book_append_sheet(book, sheet, 'survey')
    expect(rowsOf(new Uint8Array(write(book, { type: 'array', bookType })))).toEqual([
      [1, '0:2012-12-12 00:00:00', '1:2012-12-12 10:30:00', '2:10:30:00', '3:12.5', '4:3', '5:TRUE'],
    ])
  })
})

describe('day numbers', () => {
  it.each([
    [0.5, false, '12:00:00'],
    [1, false, '1900-01-01 00:00:00'],
    [59.5, false, '1900-02-28 12:00:00'],
    // The 29 February 1900 of spreadsheet programs, which never was.
    [60, false, '1900-02-28 00:00:00'],
    [61, false, '1900-03-01 00:00:00'],
    [1, true, '1904-01-02 00:00:00'],
    [59, true, '1904-02-29 00:00:00'],
    [2_958_465, false, '9999-12-31 00:00:00'],
    [2_958_466, false, undefined],
    [-1, false, undefined],
  ])('%d (1904: %s) is %s', (serial, is1904, text) => {
    expect(dateText(serial, is1904)).toBe(text)
  })
})

describe('parts of a workbook', () => {
  it('may hold comments, sections of plain text and instructions', () => {
    const strings = '<?xml version="1.0"?><!-- a > b --><sst><si><r><t><![CDATA[<a>]]></t></r></si></sst>'
    const sheet =
      '<?xml version="1.0"?><!-- <row> --><sheetData><!-- x --><row r="1"><c r="A1" t="s"><v>0</v></c></row></sheetData>'
    expect(rowsOf(rawXlsx(sheet, { strings }))).toEqual([[1, '0:<a>']])
  })

  it('may leave out the addresses of rows and cells', () => {
    const cell = (value: string): string => `<c t="str"><v>${value}</v></c>`
    expect(
      rowsOf(rawXlsx(`<sheetData><row>${cell('a')}<c/>${cell('b')}</row><row>${cell('c')}</row></sheetData>`)),
    ).toEqual([
      [1, '0:a', '2:b'],
      [2, '0:c'],
    ])
  })

  it('a failed formula shows its error, in .xls as in .xlsx', () => {
    const book = utils.book_new()
    utils.book_append_sheet(book, { A1: { t: 'e', v: 0x2a }, '!ref': 'A1' }, 'survey')
    for (const bookType of ['xlsx', 'biff8'] as const)
      expect(rowsOf(new Uint8Array(write(book, { type: 'array', bookType })))).toEqual([[1, '0:#N/A']])
  })

  it('more sheets than any form has are refused', () => {
    for (const bookType of ['xlsx', 'biff8'] as const) {
      const sheets = Object.fromEntries(Array.from({ length: 201 }, (_, index) => [`s${index}`, [['x']]]))
      expect(codeOf(workbook(sheets, bookType))).toBe('too-many-sheets')
    }
  })
})

describe('sheets', () => {
  it('are found whatever their case, the others are named for hints', () => {
    const book = readWorkbook(workbook({ SURVEY: cells, Choices: [['list_name']], notes: [['x']] }))
    expect([...book.sheets.keys()]).toEqual(['survey', 'choices'])
    expect(book.otherNames).toEqual(['notes'])
  })

  it('a lone sheet of any name is the survey', () => {
    expect([...readWorkbook(workbook({ Feuille1: cells })).sheets.keys()]).toEqual(['survey'])
  })
})

describe('cells as text', () => {
  const sheet = (row: string) => `<worksheet><dimension ref="A1:XFD1048576"/><sheetData>${row}</sheetData></worksheet>`
  const one = (cell: string, extra = {}) => rowsOf(rawXlsx(sheet(`<row r="1">${cell}</row>`), extra))[0]?.[1]
  const styles = '<styleSheet><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="164"/></cellXfs></styleSheet>'
  const custom = styles.replace(
    '<cellXfs>',
    '<numFmts><numFmt numFmtId="164" formatCode="[$-409]h:mm\\ AM/PM;@"/></numFmts><cellXfs>',
  )

  it.each([
    ['a formula gives its stored value', '<c r="A1" t="str"><f>1+1</f><v>two</v></c>', {}, '0:two'],
    ['a number formula too', '<c r="A1"><f>1+1</f><v>2</v></c>', {}, '0:2'],
    ['a whole number has no point', '<c r="A1"><v>5.0</v></c>', {}, '0:5'],
    ['a tiny number is a plain decimal', '<c r="A1"><v>1.5E-7</v></c>', {}, '0:0.00000015'],
    ['a large number is a plain integer', '<c r="A1"><v>1E+20</v></c>', {}, '0:100000000000000000000'],
    ['a date', '<c r="A1" s="1"><v>41255</v></c>', { styles }, '0:2012-12-12 00:00:00'],
    ['a date and time', '<c r="A1" s="1"><v>41255.4375</v></c>', { styles }, '0:2012-12-12 10:30:00'],
    ['a time', '<c r="A1" s="2"><v>0.4375</v></c>', { styles: custom }, '0:10:30:00'],
    [
      'a fraction of a second',
      '<c r="A1" s="1"><v>41255.43750578704</v></c>',
      { styles },
      '0:2012-12-12 10:30:00.500000',
    ],
    [
      'a date of the 1904 calendar',
      '<c r="A1" s="1"><v>39793</v></c>',
      { styles, workbookPr: '<workbookPr date1904="1"/>' },
      '0:2012-12-12 00:00:00',
    ],
    [
      'rich text loses its styling',
      '<c r="A1" t="s"><v>0</v></c>',
      { strings: '<sst><si><r><t>A </t></r><r><rPr><b/></rPr><t>bold</t></r><rPh><t>x</t></rPh></si></sst>' },
      '0:A bold',
    ],
    ['inline text', '<c r="A1" t="inlineStr"><is><t>in &amp; out &#233;</t></is></c>', {}, '0:in & out é'],
    ['a prefixed element', '<x:c r="B1" t="str"><x:v>p</x:v></x:c>', {}, '1:p'],
    ['a boolean', '<c r="A1" t="b"><v>0</v></c>', {}, '0:FALSE'],
    ['a written-out date', '<c r="A1" t="d"><v>2012-12-12</v></c>', {}, '0:2012-12-12 00:00:00'],
    ['a written-out date and time', '<c r="A1" t="d"><v>2012-12-12T10:30:00.000Z</v></c>', {}, '0:2012-12-12 10:30:00'],
    ['a written-out time', '<c r="A1" t="d"><v>T10:30:00</v></c>', {}, '0:10:30:00'],
    ['characters XML cannot hold are left out', '<c r="A1" t="str"><v>a_x0007_b&#11;c</v></c>', {}, '0:abc'],
  ])('%s', (_, cell, extra, expected) => {
    expect(one(cell, extra)).toBe(expected)
  })

  it.each([
    [41255 + 10.5 / 24 - 4e-7, '0:2012-12-12 10:30:00'],
    [41255 + 1 - 1e-6, '0:2012-12-13 00:00:00'],
    [41255 + 0.4 / 86_400, '0:2012-12-12 00:00:00'],
    [41255 + 0.6 / 86_400, '0:2012-12-12 00:00:01'],
    [0.4375 + 3e-6, '0:10:30:00'],
    [0.4375 + 9e-6, '0:10:30:01'],
    [1 - 1e-7, '0:23:59:59'],
  ])('in .xls are rounded to seconds: %s', (serial, expected) => {
    const book = utils.book_new()
    utils.book_append_sheet(book, { A1: { t: 'n', v: serial, z: 'yyyy-mm-dd hh:mm:ss' }, '!ref': 'A1' }, 'survey')
    expect(rowsOf(new Uint8Array(write(book, { type: 'array', bookType: 'biff8' })))).toEqual([[1, expected]])
  })

  it('a date past the calendar is an error with its row', () => {
    const book = utils.book_new()
    utils.book_append_sheet(book, { A1: { t: 'n', v: 1e9, z: 'yyyy-mm-dd' }, '!ref': 'A1' }, 'survey')
    expect(codeOf(new Uint8Array(write(book, { type: 'array', bookType: 'biff8' })))).toBe('unreadable-date')
    expect(codeOf(rawXlsx(sheet('<row r="1"><c r="A1" s="1"><v>1e9</v></c></row>'), { styles }))).toBe(
      'unreadable-date',
    )
  })

  it('merged cells hold their text once', () => {
    const merged = sheet('<row r="1"><c r="A1" t="str"><v>m</v></c><c r="B1"/></row>').replace(
      '</worksheet>',
      '<mergeCells><mergeCell ref="A1:XFD1048576"/></mergeCells></worksheet>',
    )
    expect(rowsOf(rawXlsx(merged))).toEqual([[1, '0:m']])
  })
})

describe('bounds', () => {
  it('reading stops after more than 60 empty rows', () => {
    const at = (row: number) => `<row r="${row}"><c r="A${row}" t="str"><v>r${row}</v></c></row>`
    const rows = rowsOf(rawXlsx(`<sheetData>${at(1)}${at(62)}${at(124)}</sheetData>`))
    expect(rows.map(([number]) => number)).toEqual([1, 62])
  })

  it('a stray cell in the last row or the far corner costs nothing', () => {
    const corner =
      '<sheetData><row r="1"><c r="A1" t="str"><v>type</v></c></row>' +
      '<row r="1048576"><c r="XFD1048576" t="str"><v>x</v></c></row></sheetData>'
    const book = utils.book_new()
    utils.book_append_sheet(
      book,
      { A1: { t: 's', v: 'type' }, A65536: { t: 's', v: 'x' }, '!ref': 'A1:A65536' },
      'survey',
    )
    for (const bytes of [rawXlsx(corner), new Uint8Array(write(book, { type: 'array', bookType: 'biff8' }))]) {
      const start = performance.now()
      expect(rowsOf(bytes)).toEqual([[1, '0:type']])
      expect(performance.now() - start).toBeLessThan(5000)
    }
  })

  it('a zip whose directory admits to gigabytes is refused unread', () => {
    const bomb = zip([{ name: 'xl/workbook.xml', content: text('x'), method: 8, declaredSize: 0xfffffff0 }])
    expect(codeOf(bomb)).toBe('unpacks-too-large')
  })

  it('a zip whose directory lies is stopped while unpacking', () => {
    const zeros = deflateRawSync(Buffer.alloc(200 * 1024 * 1024))
    const bomb = zip([{ name: 'xl/workbook.xml', content: zeros, method: 8, declaredSize: 1000 }])
    expect(bomb.length).toBeLessThan(300_000)
    expect(codeOf(bomb)).toBe('unpacks-too-large')
  })

  it('a workbook with a password is refused as such, a huge .xls before it is read', async () => {
    const container = CFB.utils.cfb_new()
    CFB.utils.cfb_add(container, '/EncryptionInfo', new Uint8Array([4, 0, 4, 0, 64, 0, 0, 0]))
    CFB.utils.cfb_add(container, '/EncryptedPackage', new Uint8Array(16))
    const locked = new Uint8Array(CFB.write(container, { type: 'array' }) as ArrayLike<number>)
    expect(codeOf(locked)).toBe('encrypted-file')
    await expect(readSheets(locked)).rejects.toMatchObject({ problems: [{ code: 'encrypted-file' }] })
    const huge = new Uint8Array(17 * 1024 * 1024)
    huge.set([0xd0, 0xcf, 0x11, 0xe0])
    expect(codeOf(huge)).toBe('file-too-large')
  })

  it('a document type in a workbook part is refused', () => {
    expect(codeOf(rawXlsx('<!DOCTYPE a [<!ENTITY b "c">]><sheetData/>'))).toBe('unreadable-file')
  })

  it('a million declared columns are not walked', () => {
    const sheet =
      '<dimension ref="A1:ZZZZ9"/><cols><col min="1" max="1000000" width="9"/></cols><sheetData><row r="1"><c r="A1" t="str"><v>type</v></c></row></sheetData>'
    expect(rowsOf(rawXlsx(sheet))).toEqual([[1, '0:type']])
  })

  it('a second sheet of the same name is refused, because its questions would be lost', () => {
    const twice = 'survey\n,type,name,label\n,text,a,A\nSurvey\n,type,name,label\n,text,b,B\n'
    expect(codeOf(new TextEncoder().encode(twice))).toBe('duplicate-sheet')
  })
})

describe('a survey', () => {
  it('has as many rows as are read; one more is refused in words', () => {
    const rows = (count: number) =>
      Buffer.from(`survey\n,type,name,label\n${Array.from({ length: count }, (_, at) => `,text,q${at},Q\n`).join('')}`)
    expect(readWorkbook(rows(limits.surveyRows)).sheets.get('survey')?.rows).toHaveLength(limits.surveyRows + 1)
    expect(() => readWorkbook(rows(limits.surveyRows + 1))).toThrow(/more than 50000 rows/)
  })
})
