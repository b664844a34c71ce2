// Some answers of one record changed, everything else kept: an edit without a device.
import { randomUUID } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { budgets } from '../../budgets.js'
import type { Answers } from '../../formats/instance/index.js'
import { applyChanges, openSelectsOf, readDocument, readPatch, writeDocument } from '../../formats/patch/index.js'
import { takingTurns } from '../../formats/turns/index.js'
import { type FairGate, fairGate } from '../../platform/concurrency/index.js'
import type { Db } from '../../platform/db/index.js'
import type { Deps } from '../../platform/deps.js'
import { type Caller, invalid } from '../../platform/http/index.js'
import { type FormModels, type FoundForm, findIsTaking, formModels } from '../forms/index.js'
import { type Changeable, findChangeable } from './change-record.queries.js'
import { builtinFields } from './record.queries.js'
import { storeEdit } from './store-edit.js'
import { type Derived, derive, deriveInTurns, largeXmlBytes } from './submission.js'
import { encryptedRecord, formInactive, notEncrypted, staleEdit } from './submissions.errors.js'
import { readArrivalInTurns } from './submit.js'

export interface RecordChange {
  readonly form: FoundForm
  readonly caller: Caller
  readonly id: number
  /** Answers by the keys that the record has as JSON; null takes one away. */
  readonly body: Record<string, unknown>
  /** The `_uuid` that the caller saw; where the record has another by now, nothing is changed. */
  readonly basedOn?: string | undefined
}

export type ChangeRecord = (change: RecordChange) => Promise<boolean>

interface Prepared {
  readonly xml: string
  readonly derived: Derived
  /** No answer differs. */
  readonly isSame: boolean
}

const builtins: ReadonlySet<string> = new Set(builtinFields)

const withoutIds = (answers: Answers): Answers => {
  const { 'meta/instanceID': _instance, 'meta/deprecatedID': _deprecated, ...rest } = answers
  return rest
}

/** Throws 400 with every fault. The record keeps the version that it is read by. */
const prepared = async (
  models: FormModels,
  db: Db,
  { form, body }: RecordChange,
  record: Changeable,
): Promise<Prepared> => {
  const answers = JSON.parse(record.answers) as Answers
  if (answers.base64EncryptedKey !== undefined) throw encryptedRecord()
  if (form.publicKey !== '') throw notEncrypted()
  const definition = await models.get(db, form.id, record.modelNumber)
  const { fields: newest } = await models.get(db, form.id, form.versionNumber)
  const own = definition.fields
  const openSelects = openSelectsOf(definition.model)
  const files = new Set(record.files)
  const { changes, faults } = await readPatch(body, { own, newest, answers, files, builtins, openSelects })
  if (faults.size > 0) throw invalid(Object.fromEntries(faults))
  // Each step may take long for a large record: others have a turn in between.
  const pause = takingTurns()
  const root = await readDocument(record.xml)
  await pause()
  applyChanges(root, changes, { own, newest }, { instanceId: randomUUID(), deprecatedId: record.uuid })
  await pause()
  const xml = writeDocument(root)
  await pause()
  const arrival = await readArrivalInTurns(xml)
  const reading = { number: definition.number, version: record.version, fields: own }
  const read = await (xml.length > largeXmlBytes ? deriveInTurns(arrival, reading) : derive(arrival, reading))
  const derived = { ...read, version: record.version }
  await pause()
  const made = withoutIds(JSON.parse(derived.answers))
  await pause()
  const isSame = isDeepStrictEqual(made, withoutIds(answers))
  return { xml, derived, isSame }
}

const checkBase = ({ basedOn }: RecordChange, { uuid }: Changeable): void => {
  if (basedOn !== undefined && basedOn.replace(/^uuid:/, '') !== uuid) throw staleEdit()
}

/** As a tree it takes ten times the memory: large ones go through a few at a time. */
const inLine = <T>(gate: FairGate, { caller }: RecordChange, record: Changeable, work: () => Promise<T>): Promise<T> =>
  record.xml.length > largeXmlBytes ? gate(String(caller.id), work) : work()

/** False: it was deleted in the meantime. Whoever changes other answers at the same time loses none of them. */
export const recordChanger = (deps: Deps): ChangeRecord => {
  const { db, clock } = deps
  const models = formModels(db)
  const gate = fairGate(budgets.queues.largeSubmissions)

  const store = async (tx: Db, change: RecordChange, before: Changeable, first: Prepared): Promise<boolean> => {
    const { form, caller, id } = change
    const record = await findChangeable(tx, form.id, id, 'lock')
    if (record === undefined) return false
    checkBase(change, record)
    // Somebody was faster: theirs stays, and this goes on top of it.
    const ready = record.uuid === before.uuid ? first : await prepared(models, tx, change, record)
    if (ready.isSame) return true
    if (!(await findIsTaking(tx, form.id))) throw formInactive()
    const context = { formId: form.id, editedBy: caller.id, preference: 'shown', now: clock.now() } as const
    await storeEdit(tx, context, { ...ready.derived, xml: ready.xml, target: { id, version: record.version } })
    return true
  }

  return async (change) => {
    const record = await findChangeable(db, change.form.id, change.id, 'look')
    if (record === undefined) return false
    checkBase(change, record)
    return inLine(gate, change, record, async () => {
      const ready = await prepared(models, db, change, record)
      return ready.isSame || db.transaction((tx) => store(tx, change, record, ready))
    })
  }
}
