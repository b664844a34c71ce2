// How a chart is looked at, and what its pages have in common.
import { shortened } from '@sheaf/xlsform/text'
import { budgets } from '../../budgets.js'
import { type ChartField, repeatsAround } from '../../formats/charts/index.js'

export interface Look {
  /** The most frequent first, or in the order of the values. */
  readonly order: 'count' | 'value'
  readonly unit: 'count' | 'percent'
  /** Of a question that takes several choices: each choice, or what was chosen together. */
  readonly by: 'choice' | 'combination'
}

/** Bars that can be told apart. */
export const mostBars = 30

export const noAnswer = 'No answer'

export const takesSeveral = ({ type, source }: ChartField): boolean =>
  type === 'select all that apply' && source.kind === 'answer'

export const unitsOf = (field: ChartField): readonly [one: string, many: string] =>
  repeatsAround(field).length > 0 ? ['entry', 'entries'] : ['record', 'records']

export const shareOr = (count: number, total: number, unit: Look['unit']): number =>
  unit === 'percent' ? (total === 0 ? 0 : count / total) : count

const { wordCharacters } = budgets.charts

/** A label may be as long as a form, and a page names it in ten places. */
export const forPage = (field: ChartField): ChartField =>
  field.label.length > wordCharacters ? { ...field, label: shortened(field.label, wordCharacters + 1) } : field
