// All logs of a form's records as one table.
import { Readable } from 'node:stream'
import { budgets } from '../../../budgets.js'
import { type AuditLine, AuditLogReader, auditColumns, isUnknown } from '../../../formats/audit/index.js'
import type { FormShape } from '../../../formats/columns/index.js'
import { type CsvStyle, csvLine } from '../../../formats/csv/index.js'
import type { Db } from '../../../platform/db/index.js'
import type { Deps } from '../../../platform/deps.js'
import type { Files } from '../../../platform/files/index.js'
import type { Export } from '../reading/index.js'
import type { ListRequest, Slice } from '../selection/index.js'
import { type LogsOf, logFiles, newestLogFiles } from './audits.queries.js'
import { columnsOfLogs, linesIn, openLogs } from './read-logs.js'

/** As Briefcase and Central head it. */
const instanceColumn = 'instance ID'
/** As JSON, what stands in columns that have none here. */
const othersColumn = 'other columns'

const usual = 'meta/audit'

/** The questions of a form that logs answer, of every version. Forms of other makers may call the file by another type. */
export const logQuestions = ({ questions, meta }: FormShape): string[] =>
  [...questions, ...meta].filter(({ type, key }) => type === 'audit' || key === usual).map(({ key }) => key)

interface Head {
  readonly unknown: readonly string[]
  /** Not all logs were looked at, or they have more columns than a table. */
  readonly hasOthers: boolean
}

/** Which columns there are has to be known before the first line goes out: so the heads of the newest logs are looked at first. */
const headOf = async (tx: Db, files: Files, of: LogsOf): Promise<Head> => {
  const { heads, columns: most } = budgets.audits
  const logs = await newestLogFiles(tx, of, heads)
  const unknown = [...(await columnsOfLogs(files, logs))].filter(isUnknown)
  return { unknown: unknown.slice(0, most), hasOthers: logs.length === heads || unknown.length > most }
}

const othersIn = (line: AuditLine, shown: ReadonlySet<string>): string | null => {
  const others = [...line].filter(([name]) => isUnknown(name) && !shown.has(name))
  return others.length === 0 ? null : JSON.stringify(Object.fromEntries(others))
}

export interface AuditTable {
  readonly slice: Slice
  readonly list: ListRequest
  readonly style: CsvStyle
  /** Stands before everything. */
  readonly mark: string
}

interface Counter {
  rows: number
}

/** Header and lines as CSV. */
export async function* auditLines(
  { tx, files }: { readonly tx: Db; readonly files: Files },
  { slice, list, style, mark }: AuditTable,
  counter: Counter = { rows: 0 },
): AsyncGenerator<string> {
  const of = { slice, formId: list.seen.form.id, questions: logQuestions(list.shape) }
  const { unknown, hasOthers } = await headOf(tx, files, of)
  const names = [...auditColumns, ...unknown]
  const shown = new Set<string>(names)
  yield mark + csvLine([instanceColumn, ...names, ...(hasOthers ? [othersColumn] : [])])
  for await (const { file, bytes } of openLogs(files, logFiles(tx, of))) {
    for await (const line of linesIn(bytes, new AuditLogReader())) {
      counter.rows += 1
      const cells = names.map((name) => line.get(name) ?? null)
      yield csvLine([file.instanceId, ...cells, ...(hasOthers ? [othersIn(line, shown)] : [])], style)
    }
  }
}

async function* inBytes(lines: AsyncIterable<string>): AsyncGenerator<Buffer> {
  let piece = ''
  for await (const line of lines) {
    piece += line
    if (piece.length < 64 * 1024) continue
    yield Buffer.from(piece)
    piece = ''
  }
  if (piece !== '') yield Buffer.from(piece)
}

export const auditsOf = ({ db, files }: Deps, table: AuditTable): Export => {
  const counter = { rows: 0 }
  const bytes = db.snapshot(async (tx) => {
    // Begun once more where a copy gives up.
    counter.rows = 0
    return Readable.from(inBytes(auditLines({ tx, files }, table, counter)))
  })
  return { bytes, rowCount: () => counter.rows }
}
