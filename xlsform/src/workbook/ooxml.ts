import { limits } from '../limits.js'
import { fail } from '../problems.js'
import { booleanText, dateText, isBuiltInDateFormat, isDateFormat, numberText } from './cell-text.js'
import { type RawSheet, SheetReader } from './raw-sheet.js'
import { scanXml, xmlAttribute } from './xml-scan.js'
import { Zip } from './zip.js'

interface SheetPart {
  name: string
  relation: string
}

interface Book {
  strings: string[]
  /** Per cell style: whether its number format shows a date. */
  dateStyles: boolean[]
  is1904: boolean
}

/** The sheets of an .xlsx or .xlsm file. `wanted` spares reading the sheets of other purposes. */
export const readOoxml = (bytes: Uint8Array, wanted: (names: string[]) => Set<string>): RawSheet[] => {
  const zip = new Zip(bytes)
  const workbookPath = findWorkbook(zip)
  const workbook = zip.text(workbookPath)
  if (workbook === undefined)
    return fail('unreadable-file', 'The file is a zip archive but no spreadsheet. Upload the .xlsx file itself.')
  const folder = workbookPath.slice(0, workbookPath.lastIndexOf('/') + 1)
  const base = workbookPath.slice(folder.length)
  const targets = readRelations(zip.text(`${folder}_rels/${base}.rels`) ?? '')
  const { sheets, is1904 } = readWorkbookPart(workbook)
  const pathOf = (relation: string): string => resolvePath(folder, targets.get(relation)?.target ?? '')
  const byType = (type: string): string | undefined => {
    for (const { target, kind } of targets.values())
      if (kind.endsWith(`/${type}`)) return zip.text(resolvePath(folder, target))
    return undefined
  }
  const names = wanted(sheets.map((sheet) => sheet.name))
  const book: Book = {
    strings: readStrings(byType('sharedStrings') ?? ''),
    dateStyles: readDateStyles(byType('styles') ?? ''),
    is1904,
  }
  return sheets.map(({ name, relation }) =>
    names.has(name) ? readCells(name, zip.text(pathOf(relation)) ?? '', book) : { name, rows: [] },
  )
}

const findWorkbook = (zip: Zip): string => {
  let path = 'xl/workbook.xml'
  for (const { target, kind } of readRelations(zip.text('_rels/.rels') ?? '').values())
    if (kind.endsWith('/officeDocument')) path = resolvePath('', target)
  if (path.endsWith('.bin')) fail('unreadable-file', 'Binary workbooks (.xlsb) are not read. Save the form as .xlsx.')
  return path
}

const resolvePath = (folder: string, target: string): string => {
  if (target.startsWith('/')) return target.slice(1)
  const parts: string[] = []
  for (const part of (folder + target).split('/')) {
    if (part === '..') parts.pop()
    else if (part !== '.' && part !== '') parts.push(part)
  }
  return parts.join('/')
}

const readRelations = (xml: string): Map<string, { target: string; kind: string }> => {
  const relations = new Map<string, { target: string; kind: string }>()
  scanXml(xml, {
    open: (name, attributes) => {
      if (name !== 'Relationship') return undefined
      relations.set(xmlAttribute(attributes, 'Id') ?? '', {
        target: xmlAttribute(attributes, 'Target') ?? '',
        kind: xmlAttribute(attributes, 'Type') ?? '',
      })
      return undefined
    },
  })
  return relations
}

const readWorkbookPart = (xml: string): { sheets: SheetPart[]; is1904: boolean } => {
  const sheets: SheetPart[] = []
  let is1904 = false
  scanXml(xml, {
    open: (name, attributes) => {
      if (name === 'sheet')
        sheets.push({ name: xmlAttribute(attributes, 'name') ?? '', relation: xmlAttribute(attributes, 'id') ?? '' })
      else if (name === 'workbookPr') is1904 = /^(1|true)$/.test(xmlAttribute(attributes, 'date1904') ?? '')
      return undefined
    },
  })
  if (sheets.length > limits.sheets)
    fail('too-many-sheets', `The workbook has ${sheets.length} sheets; at most ${limits.sheets} are read.`)
  return { sheets, is1904 }
}

/** Shared strings as plain text: the runs of rich text joined, phonetic guides left out. */
const readStrings = (xml: string): string[] => {
  const strings: string[] = []
  let current = ''
  let isInText = false
  let phonetic = 0
  scanXml(xml, {
    open: (name) => {
      if (name === 'si') current = ''
      else if (name === 't') isInText = true
      else if (name === 'rPh') phonetic += 1
      return undefined
    },
    close: (name) => {
      if (name === 'si') strings.push(decodeEscapes(current))
      else if (name === 't') isInText = false
      else if (name === 'rPh') phonetic -= 1
      return undefined
    },
    text: (text) => {
      if (isInText && phonetic === 0) current += text
    },
  })
  return strings
}

/** Spreadsheets write characters XML cannot hold as `_x000D_`. */
const decodeEscapes = (text: string): string =>
  text.includes('_x')
    ? text.replace(/_x([0-9A-Fa-f]{4})_/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
    : text

const readDateStyles = (xml: string): boolean[] => {
  const dateFormats = new Map<number, boolean>()
  const styles: boolean[] = []
  let isInCellStyles = false
  scanXml(xml, {
    open: (name, attributes) => {
      if (name === 'numFmt')
        dateFormats.set(
          Number(xmlAttribute(attributes, 'numFmtId')),
          isDateFormat(xmlAttribute(attributes, 'formatCode') ?? ''),
        )
      else if (name === 'cellXfs') isInCellStyles = true
      else if (name === 'xf' && isInCellStyles) {
        const id = Number(xmlAttribute(attributes, 'numFmtId') ?? 0)
        styles.push(dateFormats.get(id) ?? isBuiltInDateFormat(id))
      }
      return undefined
    },
    close: (name) => {
      if (name === 'cellXfs') isInCellStyles = false
      return undefined
    },
  })
  return styles
}

const readCells = (name: string, xml: string, book: Book): RawSheet => {
  const reader = new SheetReader(name)
  let row = 0
  let column = -1
  let type = ''
  let isDate = false
  let value = ''
  let isInValue = false
  let phonetic = 0
  scanXml(xml, {
    open: (tag, attributes) => {
      if (tag === 'c') {
        column = columnIndex(xmlAttribute(attributes, 'r')) ?? column + 1
        type = xmlAttribute(attributes, 't') ?? 'n'
        isDate = book.dateStyles[Number(xmlAttribute(attributes, 's') ?? -1)] ?? false
        value = ''
      } else if (tag === 'v' || tag === 't') isInValue = true
      else if (tag === 'rPh') phonetic += 1
      else if (tag === 'row') {
        row = Number(xmlAttribute(attributes, 'r') ?? row + 1)
        column = -1
        return reader.reaches(row)
      }
      return undefined
    },
    close: (tag) => {
      if (tag === 'c') {
        if (value !== '') reader.add(row, column, cellText(value, type, isDate, book, { sheet: name, row }))
      } else if (tag === 'v' || tag === 't') isInValue = false
      else if (tag === 'rPh') phonetic -= 1
      else if (tag === 'sheetData') return false
      return undefined
    },
    text: (text) => {
      if (isInValue && phonetic === 0) value += text
    },
  })
  return reader.sheet
}

const cellText = (value: string, type: string, isDate: boolean, book: Book, place: { sheet: string; row: number }) => {
  if (type === 's') return book.strings[Number(value)] ?? ''
  if (type === 'inlineStr' || type === 'str') return decodeEscapes(value)
  if (type === 'b') return booleanText(value.trim() === '1')
  if (type === 'e') return value
  if (type === 'd') return value.replace('T', ' ')
  const number = Number(value)
  if (Number.isNaN(number)) return value
  if (!isDate) return numberText(number)
  return (
    dateText(number, book.is1904) ??
    fail('unreadable-date', `The date in this cell cannot be read (day number ${value}). Type it as text.`, place)
  )
}

const columnIndex = (address: string | undefined): number | undefined => {
  if (address === undefined) return undefined
  let index = 0
  for (let position = 0; position < address.length; position += 1) {
    const code = address.charCodeAt(position)
    if (code < 65 || code > 90) break
    index = index * 26 + code - 64
  }
  return index === 0 ? undefined : index - 1
}
