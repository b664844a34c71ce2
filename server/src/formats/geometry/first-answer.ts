import type { FormShape } from '../columns/index.js'
import { type Answers, valuesOf } from '../instance/index.js'

export interface Answered {
  readonly text: string
  /** Of the question; undefined for what no version of the form asks. */
  readonly type: string | undefined
}

/** The first answer of a record to a field, wherever versions of the form have it; in a repeat that of the first entry with one. */
export const firstAnswer = (
  record: Readonly<Record<string, unknown>>,
  shape: Pick<FormShape, 'slotsOf'>,
  field: string,
): Answered | undefined => {
  const slots = shape.slotsOf(field)
  for (const { type, ...place } of slots.length === 0 ? [{ key: field, repeats: [], type: undefined }] : slots) {
    const [text] = valuesOf(record as Answers, place)
    if (text !== undefined) return { text, type }
  }
  return undefined
}
