// The names by which references know the questions of a survey. Most are known by the name that they have. One that got the name of
// another, or none, is still known by its former one, and one that was copied by none, until the name is free.
import { questionNames } from '@sheaf/xlsform/sheets'
import { readHeader } from './columns'
import type { Edit, Step } from './steps'
import { type Sheet, toSheets, type Workbook } from './workbook'

/** By the ids of rows, of those alone that are known by another name than they have; empty for one that nothing refers to. */
export type KnownNames = ReadonlyMap<number, string>

/** A row whose references go with it, all at once with those of others: two may change their names for each other's. */
export interface Move {
  readonly row: number
  /** Its place in the file, the header being row 1. */
  readonly number: number
  readonly from: string
  readonly to: string
}

export const surveyIn = (book: Workbook): Sheet | undefined =>
  book.sheets.find(({ name }) => name.trim().toLowerCase() === 'survey')

export const columnNamed = (sheet: Sheet, base: string): number =>
  sheet.columns.findIndex(({ header }) => readHeader(header).base.toLowerCase().replaceAll(' ', '_') === base)

interface Named {
  readonly id: number
  readonly number: number
  readonly name: string
}

/** Every row of the survey; those that name nothing have an empty name. */
const namedRows = (book: Workbook): Named[] => {
  const names = new Map(questionNames(toSheets(book)).map(({ row, name }) => [row, name]))
  return (surveyIn(book)?.rows ?? []).map(({ id }, at) => ({ id, number: at + 2, name: names.get(at + 2) ?? '' }))
}

const mayName = (survey: Sheet | undefined, step: Step): boolean => {
  if (step.kind !== 'cells') return true
  if (survey === undefined || step.sheet !== survey.name) return false
  const column = survey.columns[columnNamed(survey, 'name')]?.id
  return step.changes.some((change) => change.column === column)
}

/** What is known after an edit. A name that nobody else is known by is a row's own as soon as it is there. */
export const knownAfter = (known: KnownNames, before: Workbook, after: Workbook, edit: Edit): KnownNames => {
  if (!edit.steps.some((step) => mayName(surveyIn(before), step))) return known
  const former = new Map(namedRows(before).map(({ id, name }) => [id, name]))
  const moved = new Map(edit.moved)
  const rows = namedRows(after)
  const isSettled = ({ id, name }: Named): boolean => moved.has(id) || former.get(id) === name
  const formerlyKnown = (id: number): string => known.get(id) ?? former.get(id) ?? ''
  const found = new Map<number, string>()
  for (const row of rows) if (isSettled(row)) found.set(row.id, moved.get(row.id) ?? formerlyKnown(row.id))
  const taken = new Set(found.values())
  const pending = rows.filter(({ id }) => !found.has(id))
  // Of rows that come to one name together nobody can tell which is meant: it is that of each.
  const claimed = new Set(pending.flatMap(({ name }) => (name === '' || taken.has(name) ? [] : [name])))
  for (const { id, name } of pending) {
    const kept = formerlyKnown(id)
    found.set(id, claimed.has(name) ? name : taken.has(kept) || claimed.has(kept) ? '' : kept)
  }
  // A new question in place of one that was deleted.
  const held = new Set(found.values())
  for (const { id, name } of rows) if (found.get(id) === '' && !held.has(name)) found.set(id, name)
  return new Map(rows.flatMap(({ id, name }) => (found.get(id) === name ? [] : [[id, found.get(id) ?? '']])))
}

/**
 * The rows that can be known by the name that they have, once the row `renamed` has its new one: its own, and those that waited for
 * a name that is free now. `shared`: its former name, where other rows are known by it as well, and nobody can tell which was meant.
 */
export const movesTo = (
  book: Workbook,
  known: KnownNames,
  renamed: { readonly id: number; readonly from: string },
): { readonly moves: readonly Move[]; readonly shared: string | null } => {
  const rows = namedRows(book)
  const knownBy = ({ id, name }: Named): string => known.get(id) ?? (id === renamed.id ? renamed.from : name)
  const own = known.get(renamed.id) ?? renamed.from
  const isShared = own !== '' && rows.some((row) => row.id !== renamed.id && knownBy(row) === own)
  const fromOf = (row: Named): string => (isShared && row.id === renamed.id ? '' : knownBy(row))

  const holders = new Map(rows.flatMap((row) => (fromOf(row) === '' ? [] : [[fromOf(row), row.id]])))
  const movable = new Map<string, Named>()
  for (const row of rows.toSorted((a, b) => Number(a.id === renamed.id) - Number(b.id === renamed.id)))
    if (row.name !== '' && fromOf(row) !== row.name && !movable.has(row.name)) movable.set(row.name, row)
  // Whoever waits for somebody who stays, stays as well.
  const goes = new Set([...movable.values()].map(({ id }) => id))
  for (let size = -1; size !== goes.size; ) {
    size = goes.size
    for (const { id, name } of movable.values()) {
      const holder = holders.get(name)
      if (holder !== undefined && !goes.has(holder)) goes.delete(id)
    }
  }
  const moves = [...movable.values()].filter(({ id }) => goes.has(id))
  return {
    moves: moves.map((row) => ({ row: row.id, number: row.number, from: fromOf(row), to: row.name })),
    shared: isShared ? own : null,
  }
}
