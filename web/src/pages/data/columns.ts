// The columns of a form's table: what the server knows of a record, then the questions in the order of the form. A repeat is one
// column, however many questions it has.
import { type FormModel, type Group, type Kind, labelOf, type Question } from '@/api/form-model'
import type { CellOf } from '@/parts/cell/cell'
import { type OwnKey, ownFieldLabel } from '@/parts/filter/own-fields'
import type { GridColumn } from '@/parts/grid/layout'

export interface TableColumn extends GridColumn, CellOf {}

const widths: Partial<Record<Kind, number>> = {
  number: 110,
  date: 120,
  time: 100,
  datetime: 196,
  choice: 160,
  choices: 220,
  place: 190,
  picture: 110,
}

const own: readonly (readonly [key: OwnKey, width: number, more?: Partial<TableColumn>])[] = [
  ['_id', 96, { startsPinned: true, align: 'end' }],
  ['_review_status', 120],
  ['_submission_time', 196],
  ['_submitted_by', 130],
]
const ownAtEnd: readonly (readonly [key: OwnKey, width: number, more?: Partial<TableColumn>])[] = [
  ['_tags', 160, { isSortable: false }],
  ['_version', 120],
  ['_edited', 100],
  ['_last_edited', 196],
  ['_media_all_received', 140],
  ['_duration', 120, { align: 'end' }],
]

const ownColumn =
  (isAtStart: boolean) =>
  ([key, width, more]: (typeof own)[number]): TableColumn => ({
    key,
    width,
    label: ownFieldLabel(key),
    about: `${ownFieldLabel(key)} · ${key}`,
    groups: [],
    startsHidden: !isAtStart,
    ...more,
  })

/** What a column is called: the label of a question, or its name for those who know the form by its names. */
const titleOf = (one: { key: string; label: Question['label'] }, language: string, asNames: boolean): string =>
  asNames ? (one.key.split('/').at(-1) ?? one.key) : labelOf(one, language)

export const columnsOf = (model: FormModel, language: string, asNames: boolean): readonly TableColumn[] => {
  const columns: TableColumn[] = []
  const repeats = new Set<string>()
  const grouped = (groups: readonly Group[]) =>
    groups.map((group) => ({ key: group.key, label: titleOf(group, language, asNames) }))
  for (const question of model.questions) {
    const at = question.groups.findIndex(({ isRepeat }) => isRepeat)
    const repeat = question.groups[at]
    if (repeat !== undefined) {
      if (repeats.has(repeat.key)) continue
      repeats.add(repeat.key)
      columns.push({
        key: repeat.key,
        repeat,
        label: titleOf(repeat, language, asNames),
        about: `${labelOf(repeat, language)} · ${repeat.key}`,
        width: 170,
        groups: grouped(question.groups.slice(0, at)),
        isSortable: false,
      })
      continue
    }
    if (question.kind === 'note') continue
    columns.push({
      key: question.key,
      question,
      label: titleOf(question, language, asNames),
      about: `${labelOf(question, language)} · ${question.key}`,
      width: widths[question.kind] ?? 200,
      ...(question.kind === 'number' && { align: 'end' as const }),
      groups: grouped(question.groups),
      startsHidden: question.isAutomatic,
    })
  }
  return [...own.map(ownColumn(true)), ...columns, ...ownAtEnd.map(ownColumn(false))]
}

/** Wide forms are asked for in slices of so many columns. */
const sliceSize = 40
const always = ['_id', '_uuid']

/** Fields of each slice of the columns that are shown. */
export const slicesOf = (columns: readonly TableColumn[]): readonly (readonly string[])[] => {
  const count = Math.max(1, Math.ceil(columns.length / sliceSize))
  return Array.from({ length: count }, (_, at) => {
    const some = columns.slice(at * sliceSize, (at + 1) * sliceSize)
    const hasPictures = some.some(({ question }) => question?.kind === 'picture')
    return [...new Set([...always, ...some.map(({ key }) => key), ...(hasPictures ? ['_attachments'] : [])])]
  })
}

export const slicesBetween = (from: number, to: number): number[] => {
  const [first, last] = [Math.floor(Math.max(0, from) / sliceSize), Math.floor(Math.max(0, to) / sliceSize)]
  return Array.from({ length: last - first + 1 }, (_, at) => first + at)
}
