import { limits } from '../limits.js'
import { fail } from '../problems.js'
import type { Decode } from './bytes.js'
import { isBuiltInDateFormat, isDateFormat, zoneOfFormat } from './cell-text.js'
import { type Book, readCells } from './ooxml-cells.js'
import { readStrings } from './ooxml-strings.js'
import type { RawSheet, SheetRules } from './raw-sheet.js'
import { rulesBySheet } from './workbook.js'
import { scanXml, xmlAttribute } from './xml-scan.js'
import { type Unpacking, Zip } from './zip.js'

interface SheetPart {
  name: string
  relation: string
}

const noBytes = new Uint8Array(0)

/** The sheets of an .xlsx or .xlsm file. `wanted` spares reading the sheets of other purposes. */
export function* readOoxml(
  bytes: Uint8Array,
  wanted: (names: string[]) => Set<string>,
  decode: Decode,
  rules?: SheetRules,
): Unpacking<RawSheet[]> {
  const zip = new Zip(bytes, decode)
  const workbookPath = yield* findWorkbook(zip)
  const workbook = yield* zip.text(workbookPath)
  if (workbook === undefined)
    return fail('unreadable-file', 'The file is a zip archive but no spreadsheet. Upload the .xlsx file itself.')
  const folder = workbookPath.slice(0, workbookPath.lastIndexOf('/') + 1)
  const base = workbookPath.slice(folder.length)
  const targets = readRelations((yield* zip.text(`${folder}_rels/${base}.rels`)) ?? '')
  const { sheets, is1904 } = readWorkbookPart(workbook)
  const pathOf = (relation: string): string => resolvePath(folder, targets.get(relation)?.target ?? '')
  function* byType(type: string): Unpacking<Uint8Array> {
    for (const { target, kind } of targets.values())
      if (kind.endsWith(`/${type}`)) return (yield* zip.bytes(resolvePath(folder, target))) ?? noBytes
    return noBytes
  }
  const all = sheets.map(({ name }) => name)
  const names = wanted(all)
  const rulesOf = rulesBySheet(all, rules)
  const book: Book = {
    strings: readStrings(yield* byType('sharedStrings'), decode),
    ...readDateStyles(decode(yield* byType('styles'))),
    is1904,
    decode,
  }
  const read: RawSheet[] = []
  for (const { name, relation } of sheets) {
    const part = names.has(name) ? ((yield* zip.bytes(pathOf(relation))) ?? missingPart(name)) : undefined
    read.push(part === undefined ? { name, rows: [] } : readCells(name, part, book, rulesOf(name)))
  }
  return read
}

const missingPart = (sheet: string): never =>
  fail(
    'unreadable-file',
    `The spreadsheet is damaged: the sheet '${sheet}' is not in the file. Save it again as .xlsx.`,
    {
      sheet,
    },
  )

function* findWorkbook(zip: Zip): Unpacking<string> {
  let path = 'xl/workbook.xml'
  for (const { target, kind } of readRelations((yield* zip.text('_rels/.rels')) ?? '').values())
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

const readDateStyles = (xml: string): Pick<Book, 'dateStyles' | 'zones'> => {
  const dateFormats = new Map<number, boolean>()
  const zonesOfFormats = new Map<number, string>()
  const dateStyles: boolean[] = []
  const zones: string[] = []
  let isInCellStyles = false
  scanXml(xml, {
    open: (name, attributes) => {
      if (name === 'numFmt') {
        const id = Number(xmlAttribute(attributes, 'numFmtId'))
        const format = xmlAttribute(attributes, 'formatCode') ?? ''
        dateFormats.set(id, isDateFormat(format))
        zonesOfFormats.set(id, zoneOfFormat(format))
      } else if (name === 'cellXfs') isInCellStyles = true
      else if (name === 'xf' && isInCellStyles) {
        const id = Number(xmlAttribute(attributes, 'numFmtId') ?? 0)
        dateStyles.push(dateFormats.get(id) ?? isBuiltInDateFormat(id))
        zones.push(zonesOfFormats.get(id) ?? '')
      }
      return undefined
    },
    close: (name) => {
      if (name === 'cellXfs') isInCellStyles = false
      return undefined
    },
  })
  return { dateStyles, zones }
}
