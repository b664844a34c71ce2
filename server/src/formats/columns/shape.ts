// What a form has asked in all of its versions, in one stable order: the questions of the newest version as they stand
// there, then those that only former versions had, newest first. Whatever a record holds has its one place here, or is
// one of the keys that no version knows.
import { budgets } from '../../budgets.js'
import type { Field, FormFields, RepeatField, ValueKind } from '../form/index.js'

export type Choice = NonNullable<Field['choices']>[number]

export interface Slot {
  /** Key in a record, or in the entry of the innermost repeat around it. */
  readonly key: string
  readonly name: string
  readonly type: string
  readonly kind: ValueKind
  readonly labels: Field['labels']
  /** Of HXL. */
  readonly tag: string | null
  /** Of all versions, the newest first; null where they are not written in the form. */
  readonly choices: readonly Choice[] | null
  /** Its choices are too many to have a column each. */
  readonly isWhole: boolean
  /** Keys of the repeats around it, the outermost first. */
  readonly repeats: readonly string[]
  /** A version has a repeat of this key: what is stored may be its entries, which have columns of their own. */
  readonly isAlsoRepeat: boolean
}

export interface FormShape {
  readonly rootName: string
  readonly questions: readonly Slot[]
  /** In the group `meta`: instanceID, instanceName … */
  readonly meta: readonly Slot[]
  /** Outer ones before inner ones. */
  readonly repeats: readonly RepeatField[]
  readonly languages: readonly string[]
  slotsOf(key: string): readonly Slot[]
  /** Whether any version has a repeat of this key. */
  hasRepeat(key: string): boolean
}

const identity = ({ key, repeats }: Pick<Slot, 'key' | 'repeats'>): string => JSON.stringify([...repeats, key])

/** What the server and devices write about a record: whose form it is, which version it replaced. Nobody answers it, and a
 * record shows it, but it is no column. */
export const serverKeys: ReadonlySet<string> = new Set(['form/uuid', 'formhub/uuid', 'meta/deprecatedID'])

const ownNames = new WeakMap<readonly Choice[], boolean>()

const hasOwnNames = (choices: readonly Choice[]): boolean => {
  const known = ownNames.get(choices) ?? new Set(choices.map(({ name }) => name)).size === choices.length
  ownNames.set(choices, known)
  return known
}

const mergedChoices = (fields: readonly Field[]): readonly Choice[] | null => {
  const [only, ...more] = fields
  // Many questions may share one long list.
  if (more.length === 0 && only !== undefined && hasOwnNames(only.choices ?? [])) return only.choices
  const lists = fields.map(({ choices }) => choices)
  if (lists.some((choices) => choices === null)) return null
  const byName = new Map<string, Choice>()
  for (const choice of lists.flatMap((choices) => choices ?? [])) {
    if (!byName.has(choice.name)) byName.set(choice.name, choice)
  }
  return [...byName.values()]
}

/** One question over the versions that have it, the newest first. What was a text once is not split by choices. */
const slotOf = (fields: readonly Field[], repeatKeys: ReadonlySet<string>): Slot => {
  const [newest] = fields as [Field, ...Field[]]
  const isSame = fields.every(({ type }) => type === newest.type)
  return {
    key: newest.key,
    name: newest.name,
    type: isSame || newest.type !== 'select_multiple' ? newest.type : 'text',
    kind: newest.kind,
    labels: newest.labels,
    tag: newest.tag,
    choices: mergedChoices(fields),
    isWhole: false,
    repeats: newest.repeats,
    isAlsoRepeat: repeatKeys.has(newest.key),
  }
}

const asksNothing = ({ kind, key }: Field): boolean => kind === 'none' || serverKeys.has(key)

/** Columns for choices go to the questions in their order, as long as there are some left. */
const withColumnsForSome = <T extends { readonly slot: Slot }>(slots: readonly T[]): T[] => {
  let left: number = budgets.columns.choices
  return slots.map((one) => {
    const count = one.slot.type === 'select_multiple' ? (one.slot.choices?.length ?? 0) : 0
    if (count > left) return { ...one, slot: { ...one.slot, isWhole: true } }
    left -= count
    return one
  })
}

/** Things of several versions under one key, in the order in which they are met. */
const grouped = <T>(things: readonly T[], keyOf: (thing: T) => string): Map<string, T[]> => {
  const groups = new Map<string, T[]>()
  for (const thing of things) {
    const same = groups.get(keyOf(thing))
    if (same === undefined) groups.set(keyOf(thing), [thing])
    else same.push(thing)
  }
  return groups
}

/** `versions` from the oldest to the newest. */
export const shapeOf = (versions: readonly FormFields[]): FormShape => {
  const newestFirst = [...versions].reverse()
  const fields = newestFirst.flatMap((version) => version.fields).filter((field) => !asksNothing(field))
  const allRepeats = newestFirst.flatMap((version) => [...version.repeats.values()])
  const repeats = [...grouped(allRepeats, identity).values()].map(([newest]) => newest as RepeatField)
  const repeatKeys = new Set(repeats.map(({ key }) => key))
  const slots = withColumnsForSome(
    [...grouped(fields, identity).values()].map((same) => ({
      isMeta: same[0]?.isMeta === true,
      slot: slotOf(same, repeatKeys),
    })),
  )
  const byKey = grouped(
    slots.map(({ slot }) => slot),
    ({ key }) => key,
  )
  return {
    rootName: newestFirst[0]?.rootName ?? 'data',
    questions: slots.filter(({ isMeta }) => !isMeta).map(({ slot }) => slot),
    meta: slots.filter(({ isMeta }) => isMeta).map(({ slot }) => slot),
    repeats: repeats.sort((a, b) => a.repeats.length - b.repeats.length),
    languages: [...new Set(newestFirst.flatMap(({ languages }) => languages))],
    slotsOf: (key) => byKey.get(key) ?? [],
    hasRepeat: (key) => repeatKeys.has(key),
  }
}

/** A key that records hold and no version of the form knows. */
export const otherSlot = (key: string, repeats: readonly string[]): Slot => ({
  key,
  name: key.slice(key.lastIndexOf('/') + 1),
  type: 'text',
  kind: 'text',
  labels: [],
  tag: null,
  choices: null,
  isWhole: false,
  repeats,
  isAlsoRepeat: false,
})
