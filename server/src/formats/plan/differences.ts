// What is different between two definitions of one form, question by question.
import { type FormModel, type ModelQuestion, walkModel } from '@sheaf/xlsform'
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

/** A question that has gone and one that has come are the same one when they have the type and the label in common, or
 * the label and the place. Without a label: the type and the name, so that it moved. */
const pairs = (gone: readonly Field[], come: readonly Field[], placeOf: (field: Field) => number) => {
  const renamed: { from: Field; to: Field }[] = []
  const free = new Set(come)
  const rules: ((from: Field, to: Field) => boolean)[] = [
    (from, to) => labelOf(from) !== '' && labelOf(from) === labelOf(to) && from.type === to.type,
    (from, to) => labelOf(from) !== '' && labelOf(from) === labelOf(to) && placeOf(from) === placeOf(to),
    (from, to) => labelOf(from) === '' && labelOf(to) === '' && from.name === to.name && from.type === to.type,
  ]
  const left = new Set(gone)
  for (const rule of rules) {
    for (const from of left) {
      const matching = [...free].filter((to) => rule(from, to))
      // Of several with one label the one with the same name, or else nobody knows which.
      const to = matching.length === 1 ? matching[0] : matching.find(({ name }) => name === from.name)
      if (to === undefined) continue
      renamed.push({ from, to })
      free.delete(to)
      left.delete(from)
    }
  }
  return { renamed, removed: [...left], added: [...free] }
}

const isOtherType = (from: Field, to: Field): boolean => from.type !== to.type || from.kind !== to.kind

const removedChoices = (from: Field, to: Field): string[] => {
  if (from.choices === null || to.choices === null) return []
  const names = new Set(to.choices.map(({ name }) => name))
  return [...new Set(from.choices.map(({ name }) => name))].filter((name) => !names.has(name))
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
