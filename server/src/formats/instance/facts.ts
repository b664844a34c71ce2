// What a record says about itself beside the answers, computed once when it is received.
import type { Field, FormFields } from '../form/index.js'
import { type Answers, valuesAt, valuesOf, type Whereabouts, whereaboutsOf } from './answers.js'

/** The few fields that facts are read from, found once per form. */
interface FactFields {
  readonly start: Field | undefined
  readonly end: Field | undefined
  /** The questions for a place, then where it was begun. */
  readonly places: readonly Field[]
  readonly media: readonly Field[]
  readonly placesInRepeats: Whereabouts<Field>
  readonly mediaInRepeats: Whereabouts<Field>
}

const known = new WeakMap<FormFields, FactFields>()

const isInRepeat = ({ repeats }: Field): boolean => repeats.length > 0

/** Each field with its answers, in the order of the form. Entries of repeats are gone through once, when it comes to them. */
function* answered(
  answers: Answers,
  fields: readonly Field[],
  inRepeats: Whereabouts<Field>,
): Generator<readonly [Field, readonly string[]]> {
  let within: ReadonlyMap<Field, readonly string[]> | undefined
  for (const field of fields) {
    if (isInRepeat(field)) {
      within ??= valuesAt(answers, inRepeats)
      yield [field, within.get(field) ?? []]
    } else yield [field, valuesOf(answers, field)]
  }
}

const factFields = (form: FormFields): FactFields => {
  const found = known.get(form)
  if (found !== undefined) return found
  const ofType = (...types: readonly string[]) => form.fields.filter(({ type }) => types.includes(type))
  const places = [...ofType('geopoint'), ...ofType('start-geopoint', 'background-geopoint')]
  const media = form.fields.filter(({ kind }) => kind === 'media')
  const made: FactFields = {
    start: ofType('start')[0],
    end: ofType('end')[0],
    places,
    media,
    placesInRepeats: whereaboutsOf(places.filter(isInRepeat)),
    mediaInRepeats: whereaboutsOf(media.filter(isInRepeat)),
  }
  known.set(form, made)
  return made
}

const timeAt = (answers: Answers, field: Field | undefined): number => {
  const text = field === undefined ? undefined : valuesOf(answers, field)[0]
  const isTime = text !== undefined && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/.test(text)
  return isTime ? Date.parse(`${text.slice(0, 19)}Z`) : Number.NaN
}

/** Seconds from the first `start` to the first `end`, from their first 19 characters; the zone does not count. */
export const durationOf = (answers: Answers, form: FormFields): number | null => {
  const { start, end } = factFields(form)
  const seconds = (timeAt(answers, end) - timeAt(answers, start)) / 1000
  return Number.isFinite(seconds) ? seconds : null
}

export interface Place {
  readonly latitude: number
  readonly longitude: number
}

const degrees = (text: string | undefined, most: number): number | null => {
  if (text === undefined || !/^[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d+)?$/.test(text)) return null
  const value = Number(text)
  return Math.abs(value) <= most ? value : null
}

/** `lat lng alt acc` as a place; null when it cannot be read as one. */
export const placeOf = (text: string): Place | null => {
  const [, first, second] = /^\s*(\S+)\s+(\S+)/.exec(text) ?? []
  const latitude = degrees(first, 90)
  const longitude = degrees(second, 180)
  return latitude === null || longitude === null ? null : { latitude, longitude }
}

/** The first geopoint in the order of the form that has an answer; where the form asks for none, where it was begun. */
export const placeOfRecord = (answers: Answers, form: FormFields): Place | null => {
  const { places, placesInRepeats } = factFields(form)
  for (const [, [value]] of answered(answers, places, placesInRepeats)) if (value !== undefined) return placeOf(value)
  return null
}

/** Keys of a record that duration and place are read from: of what stands in a repeat, the outermost one. */
export const factKeys = (form: FormFields): string[] => {
  const { start, end, places } = factFields(form)
  return [start, end, ...places].flatMap((field) => (field === undefined ? [] : [field.repeats[0] ?? field.key]))
}

/** The files that answers name, each with the question that names it first. */
export const mediaOf = (answers: Answers, form: FormFields): Map<string, string> => {
  const names = new Map<string, string>()
  const { media, mediaInRepeats } = factFields(form)
  for (const [{ key }, values] of answered(answers, media, mediaInRepeats)) {
    for (const name of values) if (!names.has(name)) names.set(name, key)
  }
  return names
}

/** An encrypted submission names its files outside of any question. */
export const encryptedMediaOf = (answers: Answers): Map<string, string> => {
  const names = new Map<string, string>()
  for (const key of ['encryptedXmlFile', 'media/file']) {
    for (const name of valuesOf(answers, { key, repeats: [] })) names.set(name, key)
  }
  return names
}
