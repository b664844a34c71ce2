// One cell of a table of records, by what it holds. A function and no component with a state: hundreds are painted while somebody
// scrolls.
import { type FunctionalComponent, h, type VNode } from 'vue'
import type { Group, Question } from '@/api/form-model'
import { labelOf } from '@/api/form-model'
import type { RecordRow } from '@/api/record-list'
import { type Glyph, image, pin } from '@/look/icons'
import { type Translate, useTexts } from '@/texts'
import en from '@/texts/en/cell'
import Icon from '../icon.vue'
import './cell.css'
import { choicesIn, dayIn, entriesIn, fileOf, momentIn, numberIn, placeIn, textOf } from './values'

export interface CellOf {
  readonly key: string
  readonly question?: Question
  /** A repeat, shown by how many entries it has. */
  readonly repeat?: Group
}

interface Props {
  readonly of: CellOf
  readonly row: RecordRow
  readonly language: string | undefined
  /** Names of choices in place of their labels. */
  readonly asNames: boolean
}

type Say = Translate<(typeof en)['entries']>

const text = (value: string): VNode =>
  h('span', { class: 'cut', dir: 'auto', title: value.length > 12 ? value : undefined }, value)
const chip = (label: string, kind = 'plain'): VNode => h('span', { class: `cell-chip ${kind}`, dir: 'auto' }, label)
/** More than these are never in sight. */
const mostChips = 8
const chips = (labels: readonly string[]): VNode =>
  h(
    'span',
    { class: 'cell-chips', title: labels.length > 1 ? labels.join(', ') : labels[0] },
    labels.slice(0, mostChips).map((label) => chip(label)),
  )
const withIcon = (glyph: Glyph, label: string): VNode =>
  h('span', { class: 'cell-with-icon', title: label }, [
    h(Icon, { of: glyph, size: 14 }),
    h('span', { class: 'cut' }, label),
  ])

const picture = (row: RecordRow, value: unknown): VNode => {
  const file = fileOf(row, value)
  if (file === undefined || file.small_download_url === '') return withIcon(image, textOf(value))
  return h('img', {
    class: 'cell-picture',
    src: file.small_download_url,
    alt: file.name,
    title: file.name,
    loading: 'lazy',
    decoding: 'async',
    width: 40,
    height: 28,
  })
}

const reviews: Readonly<Record<string, readonly ['approved' | 'rejected' | 'pending', string]>> = {
  '1': ['approved', 'good'],
  '2': ['rejected', 'fault'],
  '3': ['pending', 'warn'],
}
const review = (value: unknown, t: Say): VNode | undefined => {
  const known = reviews[textOf(value)]
  return known === undefined ? undefined : chip(t(known[0]), known[1])
}

const ofRecord = (key: string, value: unknown, t: Say): VNode | undefined => {
  if (key === '_review_status') return review(value, t)
  if (key === '_submission_time' || key === '_last_edited') return text(momentIn(value))
  if (key === '_tags') return chips((Array.isArray(value) ? value : []).map(String))
  if (key === '_edited' || key === '_media_all_received') return text(value === true ? t('yes') : t('no'))
  if (key === '_duration' || key === '_id') return h('span', { class: 'cut' }, numberIn(value))
  return text(textOf(value))
}

const ofQuestion = (question: Question, { row, language, asNames }: Props): VNode => {
  const value = row[question.key]
  switch (question.kind) {
    case 'number':
      return h('span', { class: 'cut' }, numberIn(value))
    case 'choice':
    case 'choices':
      return chips(choicesIn(question, value, language, asNames))
    case 'date':
      return text(dayIn(value))
    case 'datetime':
      return text(momentIn(value))
    case 'place':
      return withIcon(pin, placeIn(value))
    case 'picture':
      return picture(row, value)
    default:
      return text(textOf(value))
  }
}

export const Cell: FunctionalComponent<Props> = (props) => {
  const { of, row, language } = props
  const t = useTexts(en)
  const value = row[of.key]
  if (of.repeat !== undefined) {
    const n = entriesIn(value)
    return n === 0 ? null : chip(t('entries', { n, what: labelOf(of.repeat, language) }), 'accent')
  }
  if (of.question === undefined)
    return value === undefined || value === null ? null : (ofRecord(of.key, value, t) ?? null)
  return value === undefined || value === null || value === '' ? null : ofQuestion(of.question, props)
}
Cell.props = ['of', 'row', 'language', 'asNames']
