// What a form has asked in all of its versions, in one stable order: the questions of the newest version as they stand
// there, then those that only former versions have, newest first. Whatever a record holds has its one place here, or is
// one of the keys that no version knows.
import { setImmediate } from 'node:timers/promises'
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
  /** The HXL tag. */
  readonly tag: string | null
  /** The choices of all versions, the newest first; null where they are not written in the form. */
  readonly choices: readonly Choice[] | null
  /** Its choices, or points of the form, are too many to have columns of their own. */
  readonly isWhole: boolean
  /** Keys of the repeats around it, the outermost first. */
  readonly repeats: readonly string[]
  /** A version has a repeat of this key: what is stored may be its entries, which have columns of their own. */
  readonly isAlsoRepeat: boolean
}

export interface FormShape {
  readonly rootName: string
  readonly questions: readonly Slot[]
  /** What stands in the group `meta`: instanceID, instanceName … */
  readonly meta: readonly Slot[]
  /** Outer ones before inner ones. */
  readonly repeats: readonly RepeatField[]
  readonly languages: readonly string[]
  slotsOf(key: string): readonly Slot[]
  /** Whether any version has a repeat of this key. */
  hasRepeat(key: string): boolean
}

const identity = ({ key, repeats }: Pick<Slot, 'key' | 'repeats'>): string => JSON.stringify([...repeats, key])

/** What the server and devices write about a record: whose form it is, which version it replaces. Nobody answers it. A record
 * shows it, but it is no column. */
export const serverKeys: ReadonlySet<string> = new Set(['form/uuid', 'formhub/uuid', 'meta/deprecatedID'])

/** Work that others may have a turn within: it yields after each piece of some milliseconds. */
type Work<T> = Generator<undefined, T>

/** Choices, fields and the like that are worked through in one go. */
const thingsAtOnce = 4000

/** The choices of one question in all of its versions, each once, the newest first. Many questions may share one long list, in
 * each version, and then share what is made of them. */
class MergedChoices {
  readonly #numbers = new Map<readonly Choice[], number>()
  readonly #mergedByKey = new Map<string, readonly Choice[]>()

  #numberOf(choices: readonly Choice[]): number {
    const number = this.#numbers.get(choices) ?? this.#numbers.size
    this.#numbers.set(choices, number)
    return number
  }

  *merge(fields: readonly Field[]): Work<readonly Choice[] | null> {
    const lists = fields.flatMap(({ choices }) => (choices === null ? [] : [choices]))
    if (lists.length < fields.length) return null
    const key = lists.map((list) => this.#numberOf(list)).join()
    const choices = this.#mergedByKey.get(key) ?? (yield* merged(lists))
    this.#mergedByKey.set(key, choices)
    return choices
  }
}

function* merged([newest = [], ...former]: readonly (readonly Choice[])[]): Work<readonly Choice[]> {
  const byName = new Map<string, Choice>()
  let count = 0
  const add = function* (list: readonly Choice[]): Work<void> {
    for (const choice of list) {
      if (!byName.has(choice.name)) byName.set(choice.name, choice)
      if (++count % thingsAtOnce === 0) yield
    }
  }
  yield* add(newest)
  const own = byName.size
  for (const list of former) yield* add(list)
  const isNewest = own === newest.length && own === byName.size
  return isNewest ? newest : [...byName.values()]
}

/** One question over the versions that have it, the newest first. What is a text in any of them is not split by choices. */
function* slotOf(fields: readonly Field[], repeatKeys: ReadonlySet<string>, choices: MergedChoices): Work<Slot> {
  const [newest] = fields as [Field, ...Field[]]
  const isSame = fields.every(({ type }) => type === newest.type)
  return {
    key: newest.key,
    name: newest.name,
    type: isSame || newest.type !== 'select_multiple' ? newest.type : 'text',
    kind: newest.kind,
    labels: newest.labels,
    tag: newest.tag,
    choices: yield* choices.merge(fields),
    isWhole: false,
    repeats: newest.repeats,
    isAlsoRepeat: repeatKeys.has(newest.key),
  }
}

const asksNothing = ({ kind, key }: Field): boolean => kind === 'none' || serverKeys.has(key)

const points = new Set(['geopoint', 'start-geopoint', 'background-geopoint'])

export const isPoint = ({ type }: Pick<Slot, 'type'>): boolean => points.has(type)

/** Columns for choices and for the numbers of points go to the questions in their order, until there are no more to give. */
const withColumnsForSome = <T extends { readonly slot: Slot }>(slots: readonly T[]): T[] => {
  let choicesLeft: number = budgets.columns.choices
  let pointsLeft: number = budgets.columns.points
  return slots.map((holder) => {
    const { type, choices } = holder.slot
    const count = type === 'select_multiple' ? (choices?.length ?? 0) : 0
    const pointCount = points.has(type) ? 1 : 0
    if (count > choicesLeft || pointCount > pointsLeft) return { ...holder, slot: { ...holder.slot, isWhole: true } }
    choicesLeft -= count
    pointsLeft -= pointCount
    return holder
  })
}

/** Things of several versions under one key, in the order in which they are met. */
function* grouped<T>(things: Iterable<T>, keyOf: (thing: T) => string): Work<Map<string, T[]>> {
  const groups = new Map<string, T[]>()
  let count = 0
  for (const thing of things) {
    const key = keyOf(thing)
    const same = groups.get(key)
    if (same === undefined) groups.set(key, [thing])
    else same.push(thing)
    if (++count % thingsAtOnce === 0) yield
  }
  return groups
}

function* slotsOf(fields: readonly Field[], repeatKeys: ReadonlySet<string>): Work<{ isMeta: boolean; slot: Slot }[]> {
  const choices = new MergedChoices()
  const slots: { isMeta: boolean; slot: Slot }[] = []
  for (const same of (yield* grouped(fields, identity)).values()) {
    slots.push({ isMeta: same[0]?.isMeta === true, slot: yield* slotOf(same, repeatKeys, choices) })
    if (slots.length % thingsAtOnce === 0) yield
  }
  return withColumnsForSome(slots)
}

function* shaping(versions: readonly FormFields[]): Work<FormShape> {
  const newestFirst = [...versions].reverse()
  const fields = newestFirst.flatMap((version) => version.fields).filter((field) => !asksNothing(field))
  const allRepeats = newestFirst.flatMap((version) => [...version.repeats.values()])
  const repeats = [...(yield* grouped(allRepeats, identity)).values()].map(([newest]) => newest as RepeatField)
  const repeatKeys = new Set(repeats.map(({ key }) => key))
  yield
  const slots = yield* slotsOf(fields, repeatKeys)
  const all = slots.map(({ slot }) => slot)
  const byKey = yield* grouped(all, ({ key }) => key)
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

/** `versions` from the oldest to the newest. Others get their turn in between. */
export const shapeOf = async (versions: readonly FormFields[]): Promise<FormShape> => {
  const work = shaping(versions)
  for (;;) {
    const next = work.next()
    if (next.done === true) return next.value
    await setImmediate()
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
