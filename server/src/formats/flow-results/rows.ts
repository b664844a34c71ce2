// Records as rows of the flow-results format: one per answer, six values each.
import { type FormShape, type Slot, serverKeys } from '../columns/index.js'
import { type Answer, type Answers, type Whereabouts, whereaboutsOf } from '../instance/index.js'
import { takingTurns } from '../turns/index.js'

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

interface Answered {
  /** `kids[1]/name` in place of `kids/name`. */
  readonly question: string
  /** The how manieth of all entries that it may stand in. */
  readonly nth: number
  readonly response: Answer
}

interface Entry {
  readonly answers: Answers
  readonly place: Whereabouts<Slot>
  /** `kids[1]` in place of `kids`; the repeat that it is an entry of. */
  readonly path: string
  readonly repeat: string
}

/** Entries between two looks at the clock. */
const atOnce = 500

/** What was answered. The record is gone through once, in turns: a sender chooses how many entries it has, and an author how
 * many questions are asked in each. */
const answersIn = async (record: Answers, root: Whereabouts<Slot>): Promise<Map<Slot, Answered[]>> => {
  const pause = takingTurns()
  const found = new Map<Slot, Answered[]>()
  const entries = new Map<Whereabouts<Slot>, number>()
  let visited = 0
  const visit = async ({ answers, place, path, repeat }: Entry): Promise<void> => {
    const nth = entries.get(place) ?? 0
    entries.set(place, nth + 1)
    visited += 1
    if (visited % atOnce === 0) await pause()
    for (const key of Object.keys(answers)) {
      const response = answers[key] as Answer
      const slot = place.fields.get(key)
      if (slot !== undefined) addTo(found, slot, { question: path + key.slice(repeat.length), nth, response })
      const inner = place.repeats.get(key)
      if (inner !== undefined) {
        for (const entry of entriesIn(response, inner, path + key.slice(repeat.length), key)) await visit(entry)
      }
    }
  }
  await visit({ answers: record, place: root, path: '', repeat: '' })
  return found
}

function* entriesIn(response: Answer, place: Whereabouts<Slot>, path: string, repeat: string): Generator<Entry> {
  if (!Array.isArray(response)) return
  for (const [index, answers] of response.entries()) {
    if (typeof answers === 'object') yield { answers, place, path: `${path}[${index + 1}]`, repeat }
  }
}

const addTo = <K, V>(lists: Map<K, V[]>, key: K, value: V): void => {
  const list = lists.get(key)
  if (list === undefined) lists.set(key, [value])
  else list.push(value)
}

interface Asked {
  readonly slots: readonly Slot[]
  readonly places: Whereabouts<Slot>
}

const asked = new WeakMap<FormShape, Asked>()

/** Made once for each shape. */
const askedIn = (shape: FormShape): Asked => {
  const known = asked.get(shape)
  if (known !== undefined) return known
  const slots = [...shape.questions, ...shape.meta]
  const made = { slots, places: whereaboutsOf(slots) }
  asked.set(shape, made)
  return made
}

const metadataOf = ({ kind, choices }: Slot): FlowRow[5] =>
  kind === 'select' && choices !== null ? { option_order: choices.map(({ name }) => name) } : null

/** `record` as JSON; keys that no version of the form knows come last, in their order in the record. One after the other: a
 * sender may have put a hundred thousand into it. */
export async function* flowRowsOf(
  record: Readonly<Record<string, unknown>>,
  shape: FormShape,
): AsyncGenerator<FlowRow> {
  const answers = record as Answers
  const id = Number(record._id)
  const timestamp = `${String(record._submission_time)}+00:00`
  const contact = (record['meta/contactID'] ?? record._submitted_by ?? null) as string | null
  const { slots, places } = askedIn(shape)
  const answered = await answersIn(answers, places)
  for (const [position, slot] of slots.entries()) {
    if (leftOut.has(slot.key) || (slot.key.startsWith('_') && slot.repeats.length === 0)) continue
    for (const { question, nth, response } of answered.get(slot) ?? []) {
      const isEntries = slot.isAlsoRepeat && Array.isArray(response) && typeof response[0] === 'object'
      if (isEntries) continue
      const rowId = rowIdOf(id, nth * stride + position + 1)
      yield [timestamp, rowId, contact, question, response, metadataOf(slot)]
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
