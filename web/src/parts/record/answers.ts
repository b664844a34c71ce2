// A record as a person reads it: its answers in the form's order, under their groups, entries of repeats below theirs.
import type { FormModel, Group, Question } from '@/api/form-model'
import type { Answers } from '@/api/records'

export interface Section {
  /** Undefined for the form itself, and for what devices fill in. */
  readonly group: Group | undefined
  readonly isDevice?: boolean
  readonly items: readonly (Question | Section)[]
}

export const isSection = (item: Question | Section): item is Section => 'items' in item

interface Growing extends Section {
  readonly items: (Question | Section)[]
}

const sections = new WeakMap<FormModel, Section>()

/** `start`, `deviceid` and such: nobody was asked, so they come last. */
const isOfDevice = ({ isAutomatic, label, groups }: Question): boolean =>
  isAutomatic && label === undefined && groups.length === 0

/** Made once for a form: it may have thousands of questions. */
export const sectionsOf = (model: FormModel): Section => {
  const known = sections.get(model)
  if (known !== undefined) return known
  const root: Growing = { group: undefined, items: [] }
  const device: Section & Growing = { group: undefined, isDevice: true, items: [] }
  const byKey = new Map<string, Growing>()
  for (const question of model.questions) {
    if (question.kind === 'note') continue
    let place = isOfDevice(question) ? device : root
    for (const group of question.groups) {
      const section: Growing = byKey.get(group.key) ?? { group, items: [] }
      if (!byKey.has(group.key)) place.items.push(section)
      byKey.set(group.key, section)
      place = section
    }
    place.items.push(question)
  }
  if (device.items.length > 0) root.items.push(device)
  sections.set(model, root)
  return root
}

export const isEmpty = (value: unknown): boolean =>
  value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0)

/** Entries of a repeat; what is no list has none. */
export const entriesOf = (values: Answers, key: string): readonly Answers[] => {
  const list = values[key]
  return Array.isArray(list)
    ? list.filter((entry): entry is Answers => typeof entry === 'object' && entry !== null)
    : []
}

export const hasAnswer = (item: Question | Section, values: Answers): boolean => {
  if (!isSection(item)) return !isEmpty(values[item.key])
  if (item.group?.isRepeat) return entriesOf(values, item.group.key).length > 0
  return item.items.some((one) => hasAnswer(one, values))
}

/** Answers to questions that the newest version no longer has, and what forms of others sent along. */
export const otherAnswers = (model: FormModel, record: Answers): [string, string][] =>
  Object.entries(record).flatMap(([key, value]): [string, string][] => {
    const isKnown = model.byKey.has(key) || model.groups.has(key) || /^(_|meta\/|form\/)/.test(key)
    if (isKnown || isEmpty(value)) return []
    return [[key, typeof value === 'string' ? value : JSON.stringify(value)]]
  })

/** Where an answer stands: the entries of repeats that lead to it, from the outermost. */
export type EntryPath = readonly { readonly repeat: string; readonly index: number }[]

/** What is sent to change one answer: itself, or the whole list of the outermost repeat that it stands in. */
export const changeOf = (record: Answers, path: EntryPath, key: string, value: string | null): Answers => {
  const [first, ...rest] = path
  if (first === undefined) return { [key]: value }
  const changed = (values: Answers, [step, ...deeper]: EntryPath): Answers => {
    if (step === undefined) return { ...values, [key]: value }
    const entries = [...entriesOf(values, step.repeat)]
    const entry = entries[step.index]
    if (entry !== undefined) entries[step.index] = changed(entry, deeper)
    return { ...values, [step.repeat]: entries }
  }
  return { [first.repeat]: changed(record, [first, ...rest])[first.repeat] }
}

/** What stands at a path, to see whether it is still the same. */
export const answerAt = (record: Answers, path: EntryPath, key: string): unknown =>
  path.reduce<Answers | undefined>((values, { repeat, index }) => values && entriesOf(values, repeat)[index], record)?.[
    key
  ]

/** The same text for the same answers, in whatever order they come; what is empty is not there. */
const written = (value: unknown, leftOut?: string): string => {
  if (Array.isArray(value)) return `[${value.map((one) => written(one)).join()}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(isEmpty(value) ? '' : String(value))
  const kept = Object.entries(value).filter(([key, one]) => key !== leftOut && !isEmpty(one))
  return `{${kept
    .map(([key, one]) => `${JSON.stringify(key)}:${written(one)}`)
    .sort()
    .join()}}`
}

/** Nothing says which of the two it is: another one may have taken the place of one that went. */
const isStranger = (before: Answers, now: Answers, changing: string): boolean => {
  const others = Object.entries(before).filter(([key, value]) => key !== changing && !isEmpty(value))
  return others.length > 0 && others.every(([key, value]) => written(value) !== written(now[key]))
}

/** Where an entry stands in a newer list; `changing` is what may differ in it. Undefined where that is not certain. */
const indexAgain = (
  old: readonly Answers[],
  young: readonly Answers[],
  index: number,
  changing: string,
): number | undefined => {
  const [entry, there] = [old[index], young[index]]
  if (entry === undefined) return undefined
  const [before, now] = [old.map((one) => written(one)), young.map((one) => written(one))]
  const othersStay = before.length === now.length && before.every((text, at) => at === index || text === now[at])
  if (othersStay && there !== undefined && !isStranger(entry, there, changing)) return index
  for (const leftOut of [undefined, changing]) {
    const wanted = written(entry, leftOut)
    const places = (list: readonly Answers[]) =>
      list.flatMap((one, at) => (written(one, leftOut) === wanted ? [at] : []))
    const [alike, found] = [places(old), places(young)]
    // Of two that are alike nobody can tell which one is meant; an entry of nothing else says nothing.
    if (alike.length > 1 || found.length > 1 || wanted === '{}') return undefined
    if (found.length === 1) return found[0]
  }
  return undefined
}

/** Where an answer of an older version of a record stands in a newer one; undefined where its entry is not found for certain. */
export const pathAgain = (former: Answers, now: Answers, path: EntryPath, key: string): EntryPath | undefined => {
  const found: { repeat: string; index: number }[] = []
  let [before, after]: [Answers, Answers] = [former, now]
  for (const [depth, { repeat, index }] of path.entries()) {
    const [old, young] = [entriesOf(before, repeat), entriesOf(after, repeat)]
    const place = indexAgain(old, young, index, path[depth + 1]?.repeat ?? key)
    if (place === undefined) return undefined
    found.push({ repeat, index: place })
    before = old[index] ?? {}
    after = young[place] ?? {}
  }
  return found
}
