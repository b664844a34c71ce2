// What is different between two definitions of one form, question by question.
import { type FormModel, type ModelQuestion, walkModel } from '@sheaf/xlsform/form'
import { type Field, fieldsOf } from '../form/index.js'

export interface FormDifferences {
  /** Keys of questions. */
  readonly added: readonly string[]
  readonly removed: readonly Field[]
  readonly renamed: readonly { readonly from: Field; readonly to: Field }[]
  readonly typeChanged: readonly { readonly from: Field; readonly to: Field }[]
  /** Names of choices that a question no longer has; the question as it was, since its answers are of that kind. */
  readonly choicesRemoved: readonly { readonly field: Field; readonly names: readonly string[] }[]
  /** Constraints that are new, or other than before. */
  readonly constraints: readonly { readonly field: Field; readonly constraint: string }[]
  /** Groups that become repeats or the reverse: answers so far stay where they are. */
  readonly regrouped: readonly { readonly key: string; readonly to: 'group' | 'repeat' }[]
}

const questionsOf = (model: FormModel): Field[] => fieldsOf(model).fields.filter(({ isMeta }) => !isMeta)

/** By key. */
const modelQuestions = (model: FormModel): Map<string, ModelQuestion> => {
  const found = new Map<string, ModelQuestion>()
  for (const node of walkModel(model.children)) {
    if (node.kind === 'question') found.set(keyOf(node.path), node)
  }
  return found
}

const keyOf = (path: string): string => path.split('/').slice(2).join('/')

const labelOf = ({ labels }: Field): string =>
  labels.every(({ text }) => text.trim() === '') ? '' : JSON.stringify(labels.map(({ text }) => text.trim()))

type Same = (field: Field) => string | undefined

/** A question that has gone and one that has come are the same one when they have the type and the label in common, or
 * the label and the place. Without a label: the type and the name, so that it moved. */
const pairs = (gone: readonly Field[], come: readonly Field[], placeOf: (field: Field) => number) => {
  const labels = new Map([...gone, ...come].map((field) => [field, labelOf(field)]))
  const labelled = (field: Field, more: string | number) => {
    const label = labels.get(field) ?? ''
    return label === '' ? undefined : JSON.stringify([label, more])
  }
  const rules: Same[] = [
    (field) => labelled(field, field.type),
    (field) => labelled(field, placeOf(field)),
    (field) => (labels.get(field) === '' ? JSON.stringify([field.name, field.type]) : undefined),
  ]
  const renamed: { from: Field; to: Field }[] = []
  const left = new Set(gone)
  const free = new Set(come)
  for (const rule of rules) {
    for (const pair of matched(left, free, rule)) {
      renamed.push(pair)
      left.delete(pair.from)
      free.delete(pair.to)
    }
  }
  return { renamed, removed: [...left], added: [...free] }
}

interface Group {
  readonly gone: Field[]
  readonly come: Field[]
}

const matched = (gone: ReadonlySet<Field>, come: ReadonlySet<Field>, rule: Same): { from: Field; to: Field }[] => {
  const groups = new Map<string, Group>()
  const groupOf = (field: Field) => {
    const key = rule(field)
    if (key === undefined) return undefined
    const group = groups.get(key) ?? { gone: [], come: [] }
    groups.set(key, group)
    return group
  }
  for (const field of gone) groupOf(field)?.gone.push(field)
  for (const field of come) groupOf(field)?.come.push(field)
  return [...groups.values()].flatMap(pairsOf)
}

/** Of several that are the same, those with one name; or else nobody knows which is which. */
const pairsOf = ({ gone, come }: Group): { from: Field; to: Field }[] => {
  const [from, to] = [gone[0], come[0]]
  if (gone.length === 1 && come.length === 1 && from !== undefined && to !== undefined) return [{ from, to }]
  const names = new Map(come.map((field) => [field.name, field]))
  return gone.flatMap((one) => {
    const other = names.get(one.name)
    names.delete(one.name)
    return other === undefined ? [] : [{ from: one, to: other }]
  })
}

const isOtherType = (from: Field, to: Field): boolean => from.type !== to.type || from.kind !== to.kind

/** Once for each pair of lists: many questions may share one of 100,000 choices. */
const choiceComparison = () => {
  const known = new Map<Field['choices'], Map<Field['choices'], readonly string[]>>()
  return ({ choices: before }: Field, { choices: after }: Field): readonly string[] => {
    if (before === null || after === null) return []
    const others = known.get(before) ?? new Map<Field['choices'], readonly string[]>()
    known.set(before, others)
    const found = others.get(after) ?? missingNames(before, after)
    others.set(after, found)
    return found
  }
}

const missingNames = (before: readonly { name: string }[], after: readonly { name: string }[]): readonly string[] => {
  const names = new Set(after.map(({ name }) => name))
  return [...new Set(before.map(({ name }) => name))].filter((name) => !names.has(name))
}

const regroupedOf = (present: FormModel, next: FormModel): FormDifferences['regrouped'] => {
  const kinds = (model: FormModel) =>
    new Map(
      [...walkModel(model.children)].flatMap((node) =>
        node.kind === 'question' ? [] : [[keyOf(node.path), node.kind] as const],
      ),
    )
  const before = kinds(present)
  return [...kinds(next)].flatMap(([key, to]) => {
    const from = before.get(key)
    return from === undefined || from === to ? [] : [{ key, to }]
  })
}

export const differencesOf = (present: FormModel, next: FormModel): FormDifferences => {
  const before = questionsOf(present)
  const after = questionsOf(next)
  const beforeByKey = new Map(before.map((field) => [field.key, field]))
  const afterByKey = new Map(after.map((field) => [field.key, field]))
  const places = new Map([...before, ...after].map((field) => [field, 0]))
  for (const list of [before, after]) for (const [place, field] of list.entries()) places.set(field, place)
  const { renamed, removed, added } = pairs(
    before.filter(({ key }) => !afterByKey.has(key)),
    after.filter(({ key }) => !beforeByKey.has(key)),
    (field) => places.get(field) ?? 0,
  )
  const kept = after.flatMap((to) => {
    const from = beforeByKey.get(to.key)
    return from === undefined ? [] : [{ from, to }]
  })
  const removedChoices = choiceComparison()
  const [was, is] = [modelQuestions(present), modelQuestions(next)]
  return {
    added: added.map(({ key }) => key),
    removed,
    renamed,
    typeChanged: kept.filter(({ from, to }) => isOtherType(from, to)),
    choicesRemoved: kept
      .map(({ from, to }) => ({ field: from, names: removedChoices(from, to) }))
      .filter(({ names }) => names.length > 0),
    constraints: kept.flatMap(({ to }) => {
      const constraint = is.get(to.key)?.constraint ?? null
      return constraint === null || constraint === was.get(to.key)?.constraint ? [] : [{ field: to, constraint }]
    }),
    regrouped: regroupedOf(present, next),
  }
}
