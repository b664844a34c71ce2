import { limits } from '../limits.js'
import { fail } from '../problems.js'
import { type Decode, startsWith } from './bytes.js'
import { readOoxml } from './ooxml.js'
import type { RawSheet, SheetRules } from './raw-sheet.js'
import { csvLines, looksLikeMarkdown, markdownLines, sheetsFromLines } from './text-sheets.js'
import { sheetsOfForm } from './workbook.js'
import type { Unpacking } from './zip.js'

export interface SheetReading {
  readonly decode: Decode
  /** Reads a legacy .xls file, or says why it is not read here. */
  readonly readLegacy: (bytes: Uint8Array, rules?: SheetRules) => RawSheet[]
  readonly rules?: SheetRules
  /** Reads sheets that mean nothing to a form, too; of those there is otherwise the name alone. */
  readonly isWhole?: boolean
}

/** The sheets of a file by what its bytes are; the name of a file says nothing reliable. */
export function* readSheetsOf(
  bytes: Uint8Array,
  { decode, readLegacy, rules, isWhole = false }: SheetReading,
): Unpacking<RawSheet[]> {
  if (bytes.byteLength > limits.fileBytes)
    fail('file-too-large', `The file is larger than ${limits.fileBytes / 1024 / 1024} MB.`)
  if (startsWith(bytes, [0x50, 0x4b, 0x03, 0x04])) {
    const wanted = isWhole ? (names: string[]) => new Set(names) : sheetsOfForm
    return yield* readOoxml(bytes, wanted, decode, rules)
  }
  if (startsWith(bytes, [0xd0, 0xcf, 0x11, 0xe0])) return readLegacy(bytes, rules)
  const text = decodeFile(bytes)
  return sheetsFromLines(looksLikeMarkdown(text) ? markdownLines(text) : csvLines(text), rules)
}

const decodeFile = (bytes: Uint8Array): string => {
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
