// The workbook of a page: what it is now, what it was, and what was saved.

import type { RawSheet } from '@sheaf/xlsform/sheets'
import { computed, shallowRef } from 'vue'
import { type KnownNames, knownAfter } from './known-names'
import { applyEdit, type Edit, inTurn, inverseOf } from './steps'
import { fromSheets, type Place, saysTheSame, sheetNamed, toSheets, type Workbook } from './workbook'

/** More than anybody takes back; the oldest are forgotten. */
const mostEdits = 500

export interface Touched extends Place {
  readonly sheet: string
}

interface Done {
  readonly edit: Edit
  /** Before it. */
  readonly known: KnownNames
}

/** The first cell or row of an edit, as it stands in the book after it. */
const placeOf = (book: Workbook, { steps }: Edit): Touched | null => {
  const step = steps.find((one) => one.kind !== 'sheets')
  if (step === undefined) return null
  const sheet = sheetNamed(book, step.sheet)
  if (sheet === undefined) return null
  if (step.kind === 'rows') return { sheet: sheet.name, row: Math.min(step.at, sheet.rows.length), column: 0 }
  if (step.kind === 'columns') return { sheet: sheet.name, row: 0, column: 0 }
  const [change] = step.changes
  const row = sheet.rows.findIndex(({ id }) => id === change?.row)
  const column = sheet.columns.findIndex(({ id }) => id === change?.column)
  return row < 0 || column < 0 ? null : { sheet: sheet.name, row, column }
}

/** What follows from an edit, such as names for rows that it labelled; it is done and undone with it. */
export type Follow = (before: Workbook, after: Workbook) => Edit | null

export const useWorkbook = (sheets: readonly RawSheet[] | Workbook, follow: Follow = () => null) => {
  const opened: Workbook = 'sheets' in sheets ? sheets : fromSheets(sheets)
  const book = shallowRef(opened)
  const saved = shallowRef(opened)
  /** The names by which references know questions that have another one. */
  const known = shallowRef<KnownNames>(new Map())
  const past = shallowRef<readonly Done[]>([])
  const future = shallowRef<readonly Edit[]>([])
  /** Where undo or redo has changed something last: people want to see it. */
  const touched = shallowRef<Touched | null>(null)

  /** What leaving the open cell would do. It is no edit yet, but whoever keeps the workbook keeps it too. */
  const typing = shallowRef<Edit | null>(null)
  const withTyped = computed(() => (typing.value === null ? book.value : applyEdit(book.value, typing.value)))

  const go = (edit: Edit) => {
    const before = book.value
    book.value = applyEdit(before, edit)
    past.value = [...past.value.slice(1 - mostEdits), { edit, known: known.value }]
    known.value = knownAfter(known.value, before, book.value, edit)
  }
  const done = (edit: Edit) => {
    go(edit)
    future.value = []
  }
  const apply = (edit: Edit | null): boolean => {
    if (edit === null) return false
    const before = book.value
    done(
      inTurn(
        before,
        () => edit,
        (after) => follow(before, after),
      ) ?? edit,
    )
    return true
  }
  const undo = () => {
    const last = past.value.at(-1)
    if (last === undefined) return
    const { edit } = last
    known.value = last.known
    const inverse = inverseOf(edit)
    book.value = applyEdit(book.value, inverse)
    past.value = past.value.slice(0, -1)
    future.value = [...future.value, edit]
    touched.value = placeOf(book.value, inverse)
  }
  const redo = () => {
    const edit = future.value.at(-1)
    if (edit === undefined) return
    go(edit)
    future.value = future.value.slice(0, -1)
    touched.value = placeOf(book.value, edit)
  }
  /** As one edit that can be taken back: the merged one, for example. */
  const replace = (next: Workbook) => {
    if (next !== book.value) done({ steps: [{ kind: 'sheets', before: book.value.sheets, after: next.sheets }] })
  }
  /** Undo ends here: what was before is no longer what this is made of. */
  const forgetPast = () => {
    past.value = []
    future.value = []
  }
  const load = (given: readonly RawSheet[] | Workbook) => {
    const next: Workbook = 'sheets' in given ? given : fromSheets(given)
    book.value = next
    saved.value = next
    known.value = new Map()
    forgetPast()
    touched.value = null
  }

  return {
    book,
    saved,
    touched,
    typing,
    withTyped,
    sheets: computed(() => toSheets(book.value)),
    apply,
    undo,
    redo,
    known,
    replace,
    load,
    forgetPast,
    mayUndo: computed(() => past.value.length > 0),
    mayRedo: computed(() => future.value.length > 0),
    isChanged: computed(() => typing.value !== null || !saysTheSame(book.value, saved.value)),
    /** What was saved may be older than what is there: somebody went on typing meanwhile. */
    markSaved: (what: Workbook = book.value) => {
      saved.value = what
    },
  }
}

export type WorkbookModel = ReturnType<typeof useWorkbook>
