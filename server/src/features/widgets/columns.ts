// Columns as people name them: a question, a choice of a question, or one of three built-in fields.
import type { Field, FormFields } from '../../formats/form/index.js'

const builtIns = ['_submission_time', '_submitted_by', '_duration']

/** By its path, or by its name alone: then the first of that name. What is never answered is no column. */
const questionNamed = ({ fields, byKey }: FormFields, text: string): Field | undefined => {
  const found = byKey.get(text) ?? fields.find(({ name, isMeta }) => name === text && !isMeta)
  return found?.kind === 'none' || found?.isMeta ? undefined : found
}

/** `fruits/apple`: whether somebody who was asked chose it. */
const choiceNamed = (form: FormFields, text: string): { question: Field; choice: string } | undefined => {
  const slash = text.lastIndexOf('/')
  const question = slash === -1 ? undefined : questionNamed(form, text.slice(0, slash))
  const choice = text.slice(slash + 1)
  const isThere = question?.type === 'select_multiple' && question.choices?.some(({ name }) => name === choice)
  return isThere ? { question, choice } : undefined
}

/** A dataview shows the questions that it names, everything within the repeats that it names, and always when a record
 * was sent. */
const isShown = (shown: readonly string[] | undefined, names: readonly string[]): boolean =>
  shown === undefined || names.some((name) => shown.includes(name))

export interface Column {
  readonly path: string
  /** Keys of the repeats around it, the outermost first. */
  readonly repeats: readonly string[]
}

/** A column of the form as it is now; `shown` are those of a dataview. Undefined when there is no such column. */
export const columnNamed = (form: FormFields, text: string, shown?: readonly string[]): Column | undefined => {
  if (builtIns.includes(text)) {
    return text === '_submission_time' || isShown(shown, [text]) ? { path: text, repeats: [] } : undefined
  }
  const question = questionNamed(form, text)
  const chosen = question === undefined ? choiceNamed(form, text) : undefined
  const field = question ?? chosen?.question
  if (field === undefined || !isShown(shown, [field.key, ...field.repeats])) return undefined
  return { path: chosen === undefined ? field.key : `${field.key}/${chosen.choice}`, repeats: field.repeats }
}

/** The repeat that stands in the way: an answer would be counted once for every entry of it. */
export const repeatBetween = (column: Column, group: Column): string | undefined =>
  group.repeats.find((repeat, depth) => column.repeats[depth] !== repeat)
