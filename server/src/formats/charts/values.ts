// What is shown for a value that was counted.
import { type FormShape, labelIn } from '../columns/index.js'
import type { ChartField } from './fields.js'

export type ShownValue = string | null | readonly (string | null)[]

export interface ValueLabels {
  /** As rows hold it: a number, a day or a name as it is; a category as the list of its labels. */
  shown(value: string | null): ShownValue
  /** For people to read: labels with commas between them; undefined for no answer. */
  text(value: string | null): string | undefined
}

const severalTypes = new Set(['select all that apply', 'rank'])

export const valueLabels = (field: ChartField, shape: FormShape, hasChoices: boolean): ValueLabels => {
  const { source } = field
  const isPlain = field.dataType !== 'categorized' || source.kind === 'builtin'
  const language = shape.languages[0]
  const choices = source.kind === 'answer' ? source.places.flatMap((place) => place.choices ?? []) : []
  const labels = new Map<string, string>()
  for (const { name, labels: texts } of choices) {
    if (!labels.has(name)) labels.set(name, labelIn(texts, language) ?? name)
  }
  const labelled = (name: string): string => labels.get(name) ?? name
  const listed = (value: string): string[] =>
    severalTypes.has(field.type) ? value.split(' ').map(labelled) : [labelled(value)]
  const unanswered = hasChoices ? [] : [null]
  return {
    shown: (value) => {
      if (isPlain) return value
      return value === null ? unanswered : listed(value)
    },
    text: (value) => {
      if (value === null) return undefined
      return isPlain ? value : listed(value).join(', ')
    },
  }
}
