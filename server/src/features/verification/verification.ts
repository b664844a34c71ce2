// Comparing everything that is stored twice, and everything that must go together, on live data: nothing is written,
// every form is looked at in one snapshot, and what is kept in memory does not grow with the data.
import { databaseTime, type Sql } from '../../platform/db/index.js'
import type { Deps } from '../../platform/deps.js'
import { differingTallies } from '../aggregation/index.js'
import { differingBlocks } from '../data/index.js'
import { rebuildRecords } from '../imports/index.js'
import { restServiceSettings } from '../rest-services/index.js'
import { differingDeliveries, differingEvents } from './consequences.queries.js'
import { differingCounters, differingFiles, differingNotes, differingReviews } from './copies.queries.js'
import { type Difference, Findings, mostExamples } from './findings.js'
import type { Kind } from './kinds.js'
import {
  brokenHistories,
  lostInstanceIds,
  overtakenSequences,
  strayRows,
  unclaimedInstanceIds,
} from './records.queries.js'
import { verifySecret } from './secret.js'
import { type FormToVerify, firstOf, listFormsToVerify, takeSnapshot } from './verification.queries.js'
import { verifyFiles } from './verify-files.js'

export interface Verification {
  readonly forms: number
  readonly records: number
  readonly versions: number
  readonly files: number
  readonly differences: readonly Difference[]
}

interface Options {
  /** Also reads every file and compares its hash. */
  readonly readsFiles: boolean
  onProgress?(done: number, total: number): void
}

/** Deliveries are cleared by the hour. */
const clearingHours = 2

const statements = (formId: number, keptSince: Date): readonly (readonly [Kind, Sql])[] => [
  ['instance_id', unclaimedInstanceIds(formId)],
  ['lost_instance_id', lostInstanceIds(formId)],
  ['stray_row', strayRows(formId)],
  ['history', brokenHistories(formId)],
  ['files_of_record', differingFiles(formId)],
  ['notes_of_record', differingNotes(formId)],
  ['review_of_record', differingReviews(formId)],
  ['counter', differingCounters(formId)],
  ['block', differingBlocks(formId)],
  ['tally', differingTallies(formId)],
  ['event', differingEvents(formId)],
  ['delivery', differingDeliveries(formId, keptSince)],
  ['sequence', overtakenSequences(formId)],
]

const verifyForm = (deps: Deps, findings: Findings, { id, isMissing }: FormToVerify, keptSince: Date) =>
  deps.db.transaction(async (tx) => {
    await takeSnapshot(tx)
    if (isMissing) findings.add('form', 1, [{ form: id, what: 'there is no such form' }])
    for (const [kind, statement] of statements(id, keptSince)) {
      const { count, first } = await firstOf(tx, statement, mostExamples)
      const examples = first.map((one) => ({ form: id, ...(one.id > 0 && { record: one.id }), what: one.what }))
      findings.add(kind, count, examples)
    }
    const { records, versions, different, differences } = await rebuildRecords(deps, id, false, tx)
    const examples = differences.slice(0, mostExamples).map(({ id: record, history, field }) => ({
      form: id,
      record,
      what: history === undefined ? `its ${field}` : `${field} of its version ${history}`,
    }))
    findings.add('derived', different, examples)
    return { records, versions }
  })

export const verify = async (deps: Deps, { readsFiles, onProgress }: Options): Promise<Verification> => {
  const findings = new Findings()
  const begunAt = await databaseTime(deps.db)
  const { logDays } = deps.config.of(restServiceSettings)
  const keptSince = new Date(begunAt.getTime() - (logDays * 24 - clearingHours) * 3_600_000)
  const forms = await listFormsToVerify(deps.db)
  let [records, versions] = [0, 0]
  for (const [place, form] of forms.entries()) {
    const seen = await verifyForm(deps, findings, form, keptSince)
    records += seen.records
    versions += seen.versions
    onProgress?.(place + 1, forms.length + 1)
  }
  await verifySecret(deps, findings)
  const files = await verifyFiles(deps, findings, { readsBytes: readsFiles, begunAt })
  onProgress?.(forms.length + 1, forms.length + 1)
  return { forms: forms.length, records, versions, files, differences: findings.all() }
}

/** Where the secret was left out on purpose, what was sealed with it cannot be read, and nothing is wrong with it. */
export const withoutSecret = (result: Verification): Verification => ({
  ...result,
  differences: result.differences.filter(({ kind }) => kind !== 'secret_key' && kind !== 'sealed_secret'),
})
