// What the logs of one record say.

import { budgets } from '../../../budgets.js'
import { AuditFactsReader, type AuditLine, AuditLogReader, momentIn } from '../../../formats/audit/index.js'
import type { Deps } from '../../../platform/deps.js'
import type { Static } from '../../../platform/schema/index.js'
import { shapeOfForm } from '../selection/index.js'
import { listLogsOf } from './audits.queries.js'
import type { AuditView } from './audits.schemas.js'
import { linesIn, openLogs } from './read-logs.js'
import { logQuestions } from './table.js'

type LineView = Static<typeof AuditView>['lines'][number]

const lineView = (line: AuditLine): LineView => ({
  ...Object.fromEntries(line),
  event: line.get('event') ?? null,
  node: line.get('node') ?? null,
  start: momentIn(line.get('start')) ?? null,
  end: momentIn(line.get('end')) ?? null,
})

async function* each<T>(things: readonly T[]): AsyncGenerator<T> {
  yield* things
}

/** null where there is no log: nothing is known. */
export const auditOfRecord = async (
  { db, files }: Deps,
  formId: number,
  id: number,
): Promise<Static<typeof AuditView>> => {
  const logs = await listLogsOf(db, formId, id, logQuestions(await shapeOfForm(db, formId)))
  const { shownBytes, shownLines } = budgets.audits
  const facts = new AuditFactsReader()
  const columns = new Set<string>()
  const lines: LineView[] = []
  let isWhole = logs.every(({ bytes }) => bytes <= shownBytes)
  for await (const { bytes } of openLogs(files, each(logs))) {
    const reader = new AuditLogReader()
    for await (const line of linesIn(bytes, reader, shownBytes)) {
      if (lines.length === shownLines) {
        isWhole = false
        break
      }
      facts.add(line)
      lines.push(lineView(line))
    }
    for (const name of reader.columns) columns.add(name)
    if (reader.isCut) isWhole = false
  }
  const { seconds, questions, edits, nodes } = facts.facts([...columns])
  return {
    _id: id,
    _audit_seconds: seconds,
    _audit_questions: logs.length === 0 ? null : questions,
    _audit_edits: edits,
    is_whole: isWhole,
    nodes: [...nodes],
    lines,
  }
}
