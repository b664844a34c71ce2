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
