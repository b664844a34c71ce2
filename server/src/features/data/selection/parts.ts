// What a kept view shows of a form's records, by the columns that are chosen for it. A repeat that is chosen brings all that
// is in it.
import type { FormShape, Slot } from '../../../formats/columns/index.js'
import { isPoint } from '../../../formats/geojson/index.js'

/** Fields that every record of a part has. */
const fieldsOfEveryPart = ['_id', '_submission_time', '_edited', '_last_edited', '_notes']

type Placed = Pick<Slot, 'key' | 'repeats'>

/** Where something stands in the order of the columns; Infinity for what is not chosen. */
const rankIn = (columns: readonly string[]): ((thing: Placed) => number) => {
  const places = new Map(columns.map((name, place) => [name, place]))
  const placeOf = (name: string): number => places.get(name) ?? Number.POSITIVE_INFINITY
  return ({ key, repeats }) => Math.min(placeOf(key), ...repeats.map(placeOf))
}

/** What is chosen, in the order of the columns. */
export const chosenOf = <T extends Placed>(things: readonly T[], columns: readonly string[]): T[] => {
  const rank = rankIn(columns)
  return things
    .map((thing) => ({ thing, rank: rank(thing) }))
    .filter((ranked) => Number.isFinite(ranked.rank))
    .sort((a, b) => a.rank - b.rank)
    .map(({ thing }) => thing)
}

/** The questions that are chosen. */
export const chosenSlots = ({ questions, meta }: FormShape, columns: readonly string[]): Slot[] =>
  chosenOf([...questions, ...meta], columns)

/** The form as the part shows it. */
export const shapeWithin = (shape: FormShape, columns: readonly string[]): FormShape => ({
  ...shape,
  questions: chosenOf(shape.questions, columns),
})

/** The fields of a record in a list. */
export const fieldsWithin = (shape: FormShape, columns: readonly string[]): string[] => {
  const chosen = chosenSlots(shape, columns)
  const places = chosen.some(isPoint) ? ['_geolocation'] : []
  const files = chosen.some(({ kind }) => kind === 'media') ? ['_attachments'] : []
  return [...new Set([...columns, ...fieldsOfEveryPart, ...places, ...files])]
}

/** The same for representations that look for answers in their places: a repeat stands for its entries. */
export const keysWithin = (shape: FormShape, columns: readonly string[]): string[] => [
  ...new Set(fieldsWithin(shape, columns).flatMap((name) => [name, ...outermostOf(shape, name)])),
  '_xform_id',
]

const outermostOf = (shape: FormShape, name: string): string[] =>
  shape.slotsOf(name).flatMap(({ repeats }) => repeats.slice(0, 1))

/** Repeats around a column that is in nothing but repeats: its answers are a list then. */
export const repeatsAround =
  (shape: FormShape) =>
  (name: string): readonly string[] => {
    const slots = shape.slotsOf(name)
    return slots.some(({ repeats }) => repeats.length === 0) ? [] : (slots[0]?.repeats ?? [])
  }
