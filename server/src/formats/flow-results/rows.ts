// Records as rows of the flow-results format: one per answer, six values each.
import { type FormShape, type Slot, serverKeys } from '../columns/index.js'
import type { Answers } from '../instance/index.js'

export type FlowRow = readonly [
  timestamp: string,
  rowId: number,
  contact: string | null,
  question: string,
  response: unknown,
  metadata: { readonly option_order: readonly string[] } | null,
]

const leftOut = new Set([...serverKeys, 'meta/contactID', 'meta/instanceID', 'meta/sessionID'])

/** The entries of a repeat come after each other in steps of this, so that no two rows of a record share an id. */
const stride = 10_000

/** Unique for a record and a place in it, the same whenever it is asked. */
const rowIdOf = (id: number, place: number): number => ((id + place) * (id + place + 1)) / 2 + place

interface Entry {
  readonly answers: Answers
  /** `kids[1]` in place of `kids`. */
  readonly path: (key: string) => string
}

/** The entries in which a question may have answers, in their order. */
const entriesOf = (answers: Answers, repeats: readonly string[]): Entry[] => {
  let entries: Entry[] = [{ answers, path: (key) => key }]
  for (const repeat of repeats) {
    entries = entries.flatMap(({ answers: around, path }) => {
      const inner = around[repeat]
      if (!Array.isArray(inner)) return []
      return inner.flatMap((entry, index) =>
        typeof entry === 'object'
          ? [{ answers: entry, path: (key: string) => `${path(repeat)}[${index + 1}]${key.slice(repeat.length)}` }]
          : [],
      )
    })
  }
  return entries
}

const metadataOf = ({ kind, choices }: Slot): FlowRow[5] =>
  kind === 'select' && choices !== null ? { option_order: choices.map(({ name }) => name) } : null

/** `record` as JSON; keys that no version of the form knows come last, in their order in the record. One after the other: a
 * sender may have put a hundred thousand into it. */
export function* flowRowsOf(record: Readonly<Record<string, unknown>>, shape: FormShape): Generator<FlowRow> {
  const answers = record as Answers
  const id = Number(record._id)
  const timestamp = `${String(record._submission_time)}+00:00`
  const contact = (record['meta/contactID'] ?? record._submitted_by ?? null) as string | null
  const slots = [...shape.questions, ...shape.meta]
  for (const [position, slot] of slots.entries()) {
    if (leftOut.has(slot.key) || (slot.key.startsWith('_') && slot.repeats.length === 0)) continue
    for (const [nth, entry] of entriesOf(answers, slot.repeats).entries()) {
      const response = entry.answers[slot.key]
      const isEntries = slot.isAlsoRepeat && Array.isArray(response) && typeof response[0] === 'object'
      if (response === undefined || isEntries) continue
      const rowId = rowIdOf(id, nth * stride + position + 1)
      yield [timestamp, rowId, contact, entry.path(slot.key), response, metadataOf(slot)]
    }
  }
  yield* otherRows(record, shape, { id, timestamp, contact, from: slots.length })
}

interface Common {
  readonly id: number
  readonly timestamp: string
  readonly contact: string | null
  readonly from: number
}

const isOther = (key: string, shape: FormShape): boolean =>
  !key.startsWith('_') &&
  key !== 'form/uuid' &&
  !leftOut.has(key) &&
  shape.slotsOf(key).every(({ repeats }) => repeats.length > 0) &&
  !shape.hasRepeat(key)

function* otherRows(
  record: Readonly<Record<string, unknown>>,
  shape: FormShape,
  { id, timestamp, contact, from }: Common,
): Generator<FlowRow> {
  let place = from
  for (const key of Object.keys(record)) {
    if (!isOther(key, shape)) continue
    place += 1
    yield [timestamp, rowIdOf(id, place), contact, key, record[key], null]
  }
}
