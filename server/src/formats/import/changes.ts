// What a row says that is not stored yet, and what it may not say.
import { isDeepStrictEqual } from 'node:util'
import type { Answer, Answers } from '../instance/index.js'
import { type CellStyle, type Faults, shortened } from './cells.js'
import type { Columns, Slot } from './columns.js'
import { merged, recordIds } from './merge.js'
import { type Change, Reader } from './reader.js'
import type { Row } from './rows.js'
import { entriesOf, ownAnswer, type StoredRecord, unitOf } from './stored.js'
import { storedKey } from './stored-key.js'

/** How a file is to be read: its table of records, and a table for each repeat that has one. */
export interface Layout {
  readonly columns: Columns
  readonly tables: readonly EntryTable[]
  readonly style: CellStyle
  /** Keys of questions whose dates have the day before the month, wherever slashes leave it open. */
  readonly dayFirst: ReadonlySet<string>
}

export interface EntryTable {
  readonly columns: Columns
  /** Keys of the repeats, the outermost first. */
  readonly chain: readonly string[]
}

export interface Changes {
  readonly changes: readonly Change[]
  /** What cannot be stored, in words. */
  readonly faults: readonly string[]
}

/** Of how many entries of a repeat fewer are there than are stored: a row that was left out takes no entry away. */
const missingEntries = ({ entries }: Row, tables: readonly EntryTable[], answers: Answers): Map<string, string[]> => {
  const told = new Map<string, number>()
  for (const { table, entries: place } of entries) {
    const key = JSON.stringify([table, place.slice(0, -1)])
    told.set(key, (told.get(key) ?? 0) + 1)
  }
  const missing = new Map<string, string[]>()
  for (const [table, { chain }] of tables.entries()) {
    const visit = (around: Answers, depth: number, place: readonly number[]): void => {
      const stored = entriesOf(around, chain[depth] as string)
      if (depth < chain.length - 1) {
        for (const [at, entry] of stored.entries()) visit(entry, depth + 1, [...place, at])
        return
      }
      const rows = told.get(JSON.stringify([table, place])) ?? 0
      const unit = storedKey(chain[0] as string)
      if (rows < stored.length) {
        missing.set(unit, [...(missing.get(unit) ?? []), `${chain[depth]} (${rows} of ${stored.length})`])
      }
    }
    visit(answers, 0, [])
  }
  return missing
}

const tooFew = 'Rows of entries are missing; empty their cells instead'
const unknownAnswers = 'Answers without a column of their own, which only the record that they are of keeps'
const changedByOthers =
  'Changed by others since the file was made, so that the row would take theirs back; export again and make the change there'

/** The changes of questions that have a reader, in the order of the form. */
const readAll = (readerOf: (slot: Slot) => Reader | undefined, row: Row, { columns, tables }: Layout): Change[] => {
  const { slots, ranks } = columns
  const ranked = slots.flatMap((slot) => {
    const change = readerOf(slot)?.read(slot, slot.entries, row.cells)
    return change === undefined ? [] : [{ change, rank: ranks.get(slot) ?? 0 }]
  })
  const changes = ranked.sort((a, b) => a.rank - b.rank).map(({ change }) => change)
  for (const { table, entries, cells } of row.entries) {
    for (const slot of tables[table]?.columns.slots ?? []) {
      const change = readerOf(slot)?.read(slot, entries, cells)
      if (change !== undefined) changes.push(change)
    }
  }
  return changes
}

/** Questions, and repeats as a whole, that others have changed since the version that the row names. */
const changedSince = ({ former }: StoredRecord): ReadonlySet<string> => {
  if (former === undefined) return new Set()
  const { answers, since } = former
  const keys = new Set([...Object.keys(answers), ...Object.keys(since)])
  return new Set(
    [...keys].filter(
      (key) => !recordIds.has(key) && !isDeepStrictEqual(ownAnswer(answers, key), ownAnswer(since, key)),
    ),
  )
}

const shown = (answer: Answer | undefined): string => {
  if (answer === undefined) return 'empty'
  return `'${shortened(typeof answer === 'string' ? answer : JSON.stringify(answer))}'`
}

/** What the row says of some questions and repeats, of each by itself, in the place of these answers. */
const readEach = (units: ReadonlySet<string>, row: Row, layout: Layout, stored: StoredRecord) => {
  const readers = new Map([...units].map((unit) => [unit, new Reader(layout, stored)]))
  const changes = new Map<string, Change[]>()
  for (const change of readAll(({ question }) => readers.get(unitOf(question)), row, layout)) {
    const unit = unitOf(change.question)
    const same = changes.get(unit)
    if (same === undefined) changes.set(unit, [change])
    else same.push(change)
  }
  const missing = missingEntries(row, layout.tables, stored.answers)
  return (unit: string) => ({
    changes: changes.get(unit) ?? [],
    missing: missing.get(unit) ?? [],
    faults: (readers.get(unit) as Reader).faults,
    isSilent: !changes.has(unit) && !missing.has(unit) && readers.get(unit)?.faults.isEmpty === true,
  })
}

/**
 * Where others have changed an answer, the row is a change of what it was before theirs: what it leaves as it was then says
 * nothing, and what it says otherwise than both is for people to decide.
 */
const checkContested = (units: ReadonlySet<string>, row: Row, layout: Layout, stored: StoredRecord, faults: Faults) => {
  const before = stored.former?.answers ?? {}
  const ofThen = readEach(units, row, layout, { ...stored, answers: before })
  const ofNow = readEach(units, row, layout, stored)
  for (const unit of units) {
    const [then, now] = [ofThen(unit), ofNow(unit)]
    if (then.isSilent || now.isSilent) continue
    faults.addAll(now.faults.isEmpty ? then.faults : now.faults)
    for (const missing of then.missing) faults.add(tooFew, missing)
    if (then.changes.length === 0) continue
    const was = ownAnswer(before, unit)
    const here = ownAnswer(merged(was === undefined ? {} : { [unit]: structuredClone(was) }, then.changes), unit)
    const is = ownAnswer(stored.answers, unit)
    faults.addWhole(changedByOthers, `${unit} was ${shown(was)}, is ${shown(is)} now, and here ${shown(here)}`)
  }
}

/** What the record does not let the row say. */
const checkStored = (
  contested: ReadonlySet<string>,
  row: Row,
  layout: Layout,
  stored: StoredRecord,
  faults: Faults,
) => {
  for (const [unit, missing] of missingEntries(row, layout.tables, stored.answers)) {
    if (!contested.has(unit)) for (const one of missing) faults.add(tooFew, one)
  }
  if (contested.size > 0) checkContested(contested, row, layout, stored, faults)
}

/** `stored` is the record of the row; undefined: it becomes a new one. */
export const changesOf = (row: Row, layout: Layout, stored: StoredRecord | undefined): Changes => {
  const reader = new Reader(layout, stored)
  const { faults } = reader
  const contested = stored === undefined ? new Set<string>() : changedSince(stored)
  const isFree = ({ question }: Slot) => contested.size === 0 || !contested.has(unitOf(question))
  const changes = readAll((slot) => (isFree(slot) ? reader : undefined), row, layout)
  if (stored !== undefined) checkStored(contested, row, layout, stored, faults)
  else if (row.hasOthers) faults.add(unknownAnswers, '_other_answers')
  return { changes, faults: [...row.faults, ...faults.messages] }
}
