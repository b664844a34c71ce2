import { limits } from '../limits.js'
import { fail } from '../problems.js'
import { readBiff } from './biff.js'
import { readOoxml } from './ooxml.js'
import type { RawSheet } from './raw-sheet.js'
import { csvLines, looksLikeMarkdown, markdownLines, sheetsFromLines } from './text-sheets.js'

const sheetNames = ['survey', 'choices', 'settings', 'external_choices', 'entities', 'osm'] as const
export type SheetName = (typeof sheetNames)[number]

export interface Workbook {
  sheets: Map<SheetName, RawSheet>
  /** Names of sheets with no meaning to a form; they feed hints at misspellings. */
  otherNames: string[]
}

/** Reads a workbook by what the bytes are; the name of a file says nothing reliable. */
export const readWorkbook = (bytes: Uint8Array): Workbook => {
  if (bytes.byteLength > limits.fileBytes)
    fail('file-too-large', `The file is larger than ${limits.fileBytes / 1024 / 1024} MB.`)
  const sheets = readSheets(bytes)
  const known = new Map<SheetName, RawSheet>()
  const otherNames: string[] = []
  for (const sheet of sheets) {
    const name = knownName(sheet.name)
    if (name === undefined) otherNames.push(sheet.name)
    else if (known.has(name)) failForSecond(name)
    else known.set(name, sheet)
  }
  const [only] = sheets
  if (sheets.length === 1 && known.size === 0 && only !== undefined) {
    refuseLongSurvey(only)
    return { sheets: new Map([['survey', only]]), otherNames: [] }
  }
  refuseLongSurvey(known.get('survey'))
  return { sheets: known, otherNames }
}

const refuseLongSurvey = (sheet: RawSheet | undefined): void => {
  // The first one is the header.
  if (sheet === undefined || sheet.rows.length - 1 <= limits.surveyRows) return
  fail('too-many-rows', `The sheet has more than ${limits.surveyRows} rows. Split the form into several.`, {
    sheet: sheet.name,
    row: sheet.rows[limits.surveyRows + 1]?.number ?? null,
  })
}

/** Taking one of the two would lose the questions of the other. */
const failForSecond = (name: SheetName): never =>
  fail('duplicate-sheet', `There are two sheets named '${name}'. Put all rows into one of them.`, { sheet: name })

const knownName = (name: string): SheetName | undefined => {
  const wanted = name.trim().toLowerCase()
  return sheetNames.find((known) => known === wanted)
}

const readSheets = (bytes: Uint8Array): RawSheet[] => {
  if (startsWith(bytes, [0x50, 0x4b, 0x03, 0x04])) return readOoxml(bytes, wantedSheets)
  if (startsWith(bytes, [0xd0, 0xcf, 0x11, 0xe0])) return readBiff(bytes)
  const text = decode(bytes)
  return sheetsFromLines(looksLikeMarkdown(text) ? markdownLines(text) : csvLines(text))
}

const wantedSheets = (names: string[]): Set<string> =>
  new Set(names.length === 1 ? names : names.filter((name) => knownName(name) !== undefined))

export const startsWith = (bytes: Uint8Array, signature: number[]): boolean =>
  signature.every((byte, index) => bytes[index] === byte)

const decode = (bytes: Uint8Array): string => {
  const text = decodeText(bytes)
  if (text.includes('\u0000') || text.trim() === '')
    return fail(
      'unreadable-file',
      'The file is neither a spreadsheet (.xlsx, .xlsm, .xls) nor a form as CSV or Markdown text.',
    )
  return text
}

const decodeText = (bytes: Uint8Array): string => {
  if (startsWith(bytes, [0xff, 0xfe])) return new TextDecoder('utf-16le').decode(bytes)
  if (startsWith(bytes, [0xfe, 0xff])) return new TextDecoder('utf-16be').decode(bytes)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    // Spreadsheet programs on Windows still save CSV in the local code page.
    return new TextDecoder('windows-1252').decode(bytes)
  }
}
