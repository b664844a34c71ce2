// What stands above a column: its name or its label.
import type { FormShape, Slot } from './shape.js'
import type { Column } from './table.js'

export interface HeadingOptions {
  readonly groupDelimiter: '/' | '.'
  readonly isGroupRemoved: boolean
  /** Around the number of a repeat's entry. */
  readonly indexTags: readonly [string, string]
  /** The language of labels; the form's first one where it is not given or not known. */
  readonly language?: string | undefined
}

export const plainHeadings: HeadingOptions = { groupDelimiter: '/', isGroupRemoved: false, indexTags: ['[', ']'] }

/** `kids/toys/name` in the second toy of the first child: `kids[1]/toys[2]/name`. */
const indexed = ({ slot, entries }: Column, [open, close]: readonly [string, string]): string => {
  let path = ''
  let from = 0
  for (const [depth, repeat] of slot.repeats.entries()) {
    const entry = entries[depth]
    path += slot.key.slice(from, repeat.length)
    if (entry !== undefined) path += `${open}${entry + 1}${close}`
    from = repeat.length
  }
  return path + slot.key.slice(from)
}

const withLastPart = (path: string, change: (name: string) => string): string => {
  const at = path.lastIndexOf('/') + 1
  return path.slice(0, at) + change(path.slice(at))
}

export const headingOf = (column: Column, options: HeadingOptions): string => {
  const path = indexed(column, options.indexTags)
  const partOf = (text: string) =>
    column.kind === 'part' ? withLastPart(text, (name) => `_${name}_${column.part}`) : text
  const whole = partOf(path)
  const base = options.isGroupRemoved ? whole.slice(whole.lastIndexOf('/') + 1) : whole
  return (column.kind === 'choice' ? `${base}/${column.choice.name}` : base).replaceAll('/', options.groupDelimiter)
}

export const labelIn = (labels: Slot['labels'], language: string | undefined): string | undefined =>
  (labels.find((label) => label.language === language) ?? labels[0])?.text

/** `[2][1]`: the second entry, and the first within it. Labels say nothing of the repeats that they are in. */
const numbersOf = ({ entries }: Column, { indexTags: [open, close], isGroupRemoved }: HeadingOptions): string =>
  isGroupRemoved ? '' : entries.map((entry) => `${open}${entry + 1}${close}`).join('')

/** The question's label; its name where it has none. A column of a choice is named by both: `question/Label of choice`. */
export const labelOf = (column: Column, shape: FormShape, options: HeadingOptions): string => {
  const language = options.language ?? shape.languages[0]
  const { slot, entries } = column
  if (column.kind === 'choice') {
    const choice = labelIn(column.choice.labels, language) ?? column.choice.name
    return headingOf({ kind: 'answer', slot, entries }, options) + options.groupDelimiter + choice
  }
  const label = labelIn(slot.labels, language)
  return label === undefined || column.kind === 'part' ? headingOf(column, options) : label + numbersOf(column, options)
}

const partTags = { latitude: '+lat', longitude: '+lon', altitude: '+elevation', precision: '+precision' } as const

/** The HXL tag of a question; blank where it has none. Of a part or a choice it says which one. */
export const tagOf = (column: Column): string => {
  const { tag } = column.slot
  if (tag === null || column.kind === 'answer') return tag ?? ''
  if (column.kind === 'part') return tag + partTags[column.part]
  const { name } = column.choice
  return /^[a-z]\w*$/i.test(name) ? `${tag}+${name.toLowerCase()}` : tag
}
