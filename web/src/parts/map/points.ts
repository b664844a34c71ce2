// Places of records as a map needs them: many, so in plain arrays.
import type { Question } from '@/api/form-model'
import type { Answers } from '@/api/records'
import { entriesOf } from '../record/answers'
import { type Place, placesOf } from '../record/values'

export interface Points {
  /** `_id` of the record; a record may have several places. */
  readonly ids: number[]
  readonly longitudes: number[]
  readonly latitudes: number[]
  /** The answer that they are coloured by. */
  readonly values: (string | undefined)[]
  /** Of lines and areas: all positions. */
  readonly shapes: (readonly Place[] | undefined)[]
}

export const noPoints = (): Points => ({ ids: [], longitudes: [], latitudes: [], values: [], shapes: [] })

/** What has to be asked for: of a question in a repeat the outermost repeat. */
export const fieldOf = (question: Question): string =>
  question.groups.find(({ isRepeat }) => isRepeat)?.key ?? question.key

/** All answers to a question, those of entries too. */
export const answersTo = (question: Question, values: Answers): string[] => {
  const repeats = question.groups.filter(({ isRepeat }) => isRepeat)
  const scopes = repeats.reduce<readonly Answers[]>(
    (found, { key }) => found.flatMap((scope) => entriesOf(scope, key)),
    [values],
  )
  return scopes.flatMap((scope) => {
    const value = scope[question.key]
    return typeof value === 'string' && value !== '' ? [value] : []
  })
}

/** Answers how many of these records have no place. */
export const addPoints = (
  points: Points,
  rows: readonly Answers[],
  question: Question,
  answerOf: (row: Answers) => string | undefined,
): number => {
  let without = 0
  for (const row of rows) {
    let hasPlace = false
    for (const text of answersTo(question, row)) {
      const shape = placesOf(text)
      const [first] = shape
      if (first === undefined) continue
      hasPlace = true
      points.ids.push(Number(row._id))
      points.longitudes.push(first.longitude)
      points.latitudes.push(first.latitude)
      points.values.push(answerOf(row))
      points.shapes.push(shape.length > 1 ? shape : undefined)
    }
    if (!hasPlace) without += 1
  }
  return without
}

export type Position = readonly [longitude: number, latitude: number]

/** Corners that the server takes. */
const mostCorners = 200

/** A line that was drawn by hand has hundreds of positions; every so many are enough. */
export const thinned = (line: readonly Position[]): Position[] => {
  const step = Math.max(1, Math.ceil(line.length / mostCorners))
  return line
    .filter((_, index) => index % step === 0)
    .map(([longitude, latitude]) => [Number(longitude.toFixed(5)), Number(latitude.toFixed(5))])
}

/** As the API wants it: west, south, east, north. */
export const boxText = (a: Position, b: Position): string =>
  [Math.min(a[0], b[0]), Math.max(-90, Math.min(a[1], b[1])), Math.max(a[0], b[0]), Math.min(90, Math.max(a[1], b[1]))]
    .map((number) => Number(number.toFixed(5)))
    .join(',')
