// Columns as people name them: a question, a choice of a question, or one of three built-in fields.
import type { Field, FormFields } from '../../formats/form/index.js'

const builtIns = ['_submission_time', '_submitted_by', '_duration'] as const

export type Column =
  | { readonly kind: 'built-in'; readonly name: (typeof builtIns)[number] }
  | { readonly kind: 'question'; readonly field: Field }
  | { readonly kind: 'choice'; readonly field: Field; readonly choice: string }

/** By its path, or by its name alone: then the first of that name. Notes are never answered. */
const questionNamed = ({ fields, byKey }: FormFields, text: string): Field | undefined => {
  const found = byKey.get(text) ?? fields.find(({ name }) => name === text)
  return found?.kind === 'none' ? undefined : found
}

/** `fruits/apple`: whether somebody who was asked chose it. */
const choiceNamed = (form: FormFields, text: string): Column | undefined => {
  const slash = text.lastIndexOf('/')
  const field = slash === -1 ? undefined : questionNamed(form, text.slice(0, slash))
  const choice = text.slice(slash + 1)
  return field?.type === 'select_multiple' && field.choices?.some(({ name }) => name === choice)
    ? { kind: 'choice', field, choice }
    : undefined
}

export const columnNamed = (form: FormFields, text: string): Column | undefined => {
  const name = builtIns.find((one) => one === text)
  if (name !== undefined) return { kind: 'built-in', name }
  const field = questionNamed(form, text)
  return field === undefined ? choiceNamed(form, text) : { kind: 'question', field }
}

/** Equal for two names of one column. */
export const identityOf = (column: Column): string => {
  if (column.kind === 'built-in') return column.name
  return column.kind === 'question' ? column.field.key : `${column.field.key}/${column.choice}`
}
