// The columns of a form's one wide table: what the form asks, what records hold besides, and what the server knows.
import { setImmediate } from 'node:timers/promises'
import { budgets } from '../../../budgets.js'
import {
  type Column,
  cutAt,
  entriesThatFit,
  otherSlot,
  answerColumns as placesOf,
  type Slot,
} from '../../../formats/columns/index.js'
import type { Sql } from '../../../platform/db/index.js'
import { builtinFields } from '../../submissions/index.js'
import { chosenOf, type ListRequest } from '../selection/index.js'
import { builtinNames, reviewNames } from './cells.queries.js'
import type { ChoiceWords, Labels } from './choice-words.js'
import {
  answerColumn,
  answerColumns,
  builtinFor,
  type ColumnsRequest,
  columnWith,
  emptyColumn,
  isNamed,
  type TableColumn,
  unnamed,
} from './columns.js'
import { countsIn, type Extent, knownKeys, longestIn, otherSlots, othersName, repeatsFrom } from './extents.js'
import { othersOfRecord, type Shown } from './others.queries.js'
import { UnpackedRecord } from './unpacked.queries.js'

const notesBetween = '; '

/** Every column that is chosen, in its place, and no other. One within a repeat that never occurs is there and empty. */
const columnsWithin = (
  answer: (column: Column) => TableColumn,
  answers: readonly Column[],
  columns: readonly string[],
  builtin: (name: string) => TableColumn,
): TableColumn[] => {
  const shown = [
    ...answers.map((column) => ({ ...column.slot, make: () => answer(column) })),
    ...builtinFields.map((key) => ({ key, repeats: [], make: () => builtin(key) })),
  ]
  const known = new Set(shown.flatMap(({ key, repeats }) => [key, ...repeats]))
  const empty = columns
    .filter((name) => !known.has(name))
    .map((key) => ({ key, repeats: [], make: () => emptyColumn(key) }))
  return chosenOf([...shown, ...empty], columns).map(({ make }) => make())
}

/** What of a form may have columns: where everything is chosen by its name, nothing else counts. */
const isAsked = ({ list, options }: ColumnsRequest, slots: readonly Slot[]): ((slot: Slot) => boolean) => {
  const { columns } = list
  if (columns !== undefined) {
    const chosen = new Set(chosenOf(slots, columns))
    return (slot) => chosen.has(slot)
  }
  const names = new Set(options.fields)
  const keys = new Set([
    ...slots.flatMap(({ key, repeats }) => [key, ...repeats]),
    ...builtinNames,
    ...builtinFields,
    ...reviewNames,
    othersName,
  ])
  return names.size > 0 && [...names].every((name) => keys.has(name))
    ? (slot) => isNamed(names)({ ...slot, heading: slot.key })
    : () => true
}

/** In labels of one statement, which stand there once for each column; and in the label of one choice, which a record may
 * name a million times. */
const mostCharacters = { ofLabels: 100_000, ofLabel: 100 }

/** Labels that are short together are looked up by the database: what it writes by itself takes half the time. */
const labelTextsOf = (answers: readonly Column[], words: ChoiceWords): ReadonlyMap<Labels, string> | undefined => {
  const texts = new Map<Labels, string>()
  let characters = 0
  for (const { kind, slot } of answers) {
    const labels = kind === 'answer' ? words.labelsOf(slot) : undefined
    if (labels === undefined) continue
    // A label and its name take at least so many.
    if (labels.longest > mostCharacters.ofLabel || labels.byName.size * 6 > mostCharacters.ofLabels) return undefined
    const text = texts.get(labels) ?? JSON.stringify(Object.fromEntries(labels.byName))
    texts.set(labels, text)
    characters += text.length
    if (characters > mostCharacters.ofLabels) return undefined
  }
  return texts
}

export interface Columns {
  readonly columns: readonly TableColumn[]
  /** So many entries of each repeat have columns. */
  readonly entriesShown: number
  /** What the cells are taken from. */
  readonly joins: Sql
}

/** Those that are asked for, and an empty one for each name that there is nothing for, as JSON shows null. */
const amongNames = (
  columns: readonly TableColumn[],
  names: ReadonlySet<string>,
  more: (name: string) => TableColumn,
): TableColumn[] => [...columns.filter(isNamed(names)), ...unnamed(names, columns).map(more)]

/** `more`: built-in fields that are shown because some record has them. */
export const columnsOf = async (request: ColumnsRequest, extent: Extent, more: readonly string[]): Promise<Columns> => {
  const { list, options } = request
  const allOthers = otherSlots(extent, list.shape)
  const isShown = isAsked(request, [...list.shape.questions, ...allOthers, ...list.shape.meta])
  const others = allOthers.filter(isShown)
  const shape = {
    ...list.shape,
    questions: list.shape.questions.filter(isShown),
    meta: list.shape.meta.filter(isShown),
  }
  const slots = [...shape.questions, ...others, ...shape.meta]
  // Each of these steps takes some 20 ms with the most questions that a form may have.
  await setImmediate()
  const counts = countsIn(extent)
  const width = { mostColumns: budgets.columns.repeated, longest: longestIn(extent) }
  const split = { choices: options.isSplit ? 'instead' : 'none' } as const
  const entriesShown = entriesThatFit(slots, counts, split, width)
  const answers = placesOf(shape, others, cutAt(counts, entriesShown), split)
  const source = new UnpackedRecord(answers)
  await setImmediate()
  const answer = answerColumn(request, { source, notesBetween, labelTexts: labelTextsOf(answers, request.words) })
  const longRepeats = repeatsFrom(extent, entriesShown)
  const shown: Shown = { shape: list.shape, slots, entries: entriesShown, longRepeats, hasMore: false }
  const isCut = Number.isFinite(entriesShown) && slots.some(({ repeats }) => repeats.length > 0)
  const othersColumn = (hasMore: boolean) =>
    isCut || hasMore ? [columnWith(othersName, othersOfRecord({ ...shown, hasMore }, source.answers))] : []
  const tableOf = (columns: readonly TableColumn[]): Columns => ({ columns, entriesShown, joins: source.joins })
  const builtin = builtinFor(request, notesBetween)
  const builtinsOf = (names: Iterable<string>) => [...new Set(names)].map(builtin)
  const names = options.fields === undefined ? undefined : new Set(options.fields)
  if (list.columns !== undefined) {
    const within = [
      ...columnsWithin(answer, answers, list.columns, builtin),
      ...builtinsOf(options.hasReviews ? reviewNames : []),
    ]
    return tableOf([...(names === undefined ? within : amongNames(within, names, emptyColumn)), ...othersColumn(false)])
  }
  if (names === undefined) {
    const builtins = builtinsOf([...builtinNames, ...more])
    return tableOf([...(await answerColumns(answers, answer)), ...builtins, ...othersColumn(extent.hasMore)])
  }
  const nameable = [
    ...(await answerColumns(answers, answer)),
    ...builtinsOf([...builtinNames, ...reviewNames, ...builtinFields]),
  ]
  const isOther = names.delete(othersName)
  // Names that no version knows and that have no column of their own among many.
  const hidden = new Set(extent.hasMore ? unnamed(names, nameable).filter((name) => !isKnown(list, name)) : [])
  const chosen = amongNames(nameable, names, (name) =>
    hidden.has(name) ? answer({ kind: 'answer', slot: otherSlot(name, []), entries: [] }) : emptyColumn(name),
  )
  const last = othersColumn(extent.hasMore && isOther)
  // A table has at least one column.
  return tableOf([...chosen, ...(chosen.length === 0 && last.length === 0 ? [emptyColumn(othersName)] : last)])
}

const isKnown = ({ shape }: ListRequest, name: string): boolean => knownKeys(shape, []).has(name)
