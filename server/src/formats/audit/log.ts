// An audit log: what its columns are, and its lines by their names. Lines may be shorter than the header, which phones write
// anew when a version of the form asks for more; columns of newer phones are kept under their own names.
import { AuditRowReader } from './row-reader.js'

/** Of Collect, in its order. */
export const auditColumns = [
  'event',
  'node',
  'start',
  'end',
  'latitude',
  'longitude',
  'accuracy',
  'old-value',
  'new-value',
  'user',
  'change-reason',
] as const

export type AuditColumn = (typeof auditColumns)[number]

/** What a line holds, by column; nothing where it is blank. */
export type AuditLine = ReadonlyMap<string, string>

/** Those that every log has, for one that begins without a header. */
const everyLog = auditColumns.slice(0, 4)

const namesIn = (cells: readonly string[]): string[] => cells.map((cell) => cell.trim().toLowerCase())

const isHeader = (names: readonly string[]): boolean => names.includes('event') && names.includes('node')

const longestName = 100

export class AuditLogReader {
  readonly #rows = new AuditRowReader()
  readonly #decoder = new TextDecoder()
  #columns: readonly string[] = everyLog

  /** Of the last header that was read. */
  get columns(): readonly string[] {
    return this.#columns
  }

  /** Something of what was read is in no line. */
  get isCut(): boolean {
    return this.#rows.isCut
  }

  push(bytes: Uint8Array): AuditLine[] {
    return this.#linesOf(this.#rows.push(this.#decoder.decode(bytes, { stream: true })))
  }

  end(): AuditLine[] {
    return this.#linesOf([...this.#rows.push(this.#decoder.decode()), ...this.#rows.end()])
  }

  #linesOf(rows: readonly string[][]): AuditLine[] {
    const lines: AuditLine[] = []
    for (const cells of rows) {
      const names = namesIn(cells.slice(0, 2))
      if (isHeader(names)) {
        this.#columns = namesIn(cells).map((name) => name.slice(0, longestName))
        continue
      }
      lines.push(this.#lineOf(cells))
    }
    return lines
  }

  /** Of two columns with one name the first that is filled counts. */
  #lineOf(cells: readonly string[]): AuditLine {
    const line = new Map<string, string>()
    for (const [at, cell] of cells.entries()) {
      const name = this.#columns[at] ?? ''
      if (name !== '' && cell !== '' && !line.has(name)) line.set(name, cell)
    }
    return line
  }
}

const known: ReadonlySet<string> = new Set(auditColumns)

export const isUnknown = (column: string): boolean => column !== '' && !known.has(column)
