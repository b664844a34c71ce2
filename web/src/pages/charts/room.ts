// How much room a chart takes, as far as its question tells it.
import type { Question } from '@/api/form-model'

export interface Room {
  readonly kind: 'numbers' | 'days' | 'bars' | 'texts' | 'link'
  /** Of a question with choices. */
  readonly bars: number
}

/** Of a thousand choices a few are given; those that none gave are no bars. */
const mostBars = 8

const kinds: Readonly<Partial<Record<Question['kind'], Room['kind']>>> = {
  number: 'numbers',
  date: 'days',
  datetime: 'days',
  choice: 'bars',
  choices: 'bars',
  place: 'link',
  line: 'link',
  area: 'link',
  picture: 'link',
  sound: 'link',
  video: 'link',
  file: 'link',
}

export const roomOf = ({ kind, choices }: Pick<Question, 'kind' | 'choices'>): Room => ({
  kind: kinds[kind] ?? 'texts',
  bars: Math.min(choices.length, mostBars),
})
