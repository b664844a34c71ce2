// What the columns of a table mean to a form.
import type { FormModel, ModelNode } from '@sheaf/xlsform/form'
import { localName } from '../form/index.js'
import type { Asked, Question } from './asked.js'
import type { GeoPart } from './cells.js'
import { type Meaning, meaningOf } from './headings.js'

/** An answer and where it comes from: a column of its own, columns of its choices, or columns of its parts. */
export interface Slot {
  readonly question: Question
  /** Which entry of each repeat around it, from 0; none in the table of a repeat, where rows are entries. */
  readonly entries: readonly number[]
  column: number | undefined
  /** What stands above its column, or above the first of several. */
  heading: string
  readonly choices: { column: number; name: string; heading: string }[]
  /** Names of these. */
  readonly chosen: Set<string>
  readonly parts: Partial<Record<GeoPart, number>>
  /** Whether the newest version reads it as it was meant. */
  readonly isOfToday: boolean
  /** Which texts may be chosen is not known here. */
  readonly isOpen: boolean
}

export interface Columns {
  readonly width: number
  /** As they stand in the header. */
  readonly slots: readonly Slot[]
  /** The place of each in the order of the form. */
  readonly ranks: ReadonlyMap<Slot, number>
  readonly instanceId: number | undefined
  readonly uuid: number | undefined
  readonly submittedAt: number | undefined
  readonly submittedBy: number | undefined
  /** What has no column of its own in a file that would be too wide. */
  readonly others: number | undefined
  /** The server's own columns, by which a line of labels is known. */
  readonly own: readonly { readonly column: number; readonly name: string }[]
  readonly isLinked: boolean
  /** Names of columns that mean nothing to the form. */
  readonly extra: readonly string[]
  /** Names of columns that say the same as another. */
  readonly repeated: readonly string[]
  /** Questions that must be answered and have no column. */
  readonly missing: readonly string[]
  /** Names of which it is not clear which question they mean, with what they may mean. */
  readonly unclear: readonly string[]
  /** Labels in place of names. */
  readonly labels: readonly string[]
}

const builtins = {
  'meta/instanceID': 'instanceId',
  'meta.instanceID': 'instanceId',
  _uuid: 'uuid',
  _submission_time: 'submittedAt',
  _submitted_by: 'submittedBy',
  _other_answers: 'others',
} as const

/** What the server writes itself. */
const ours = /^(meta[./]deprecatedID|form(hub)?[./]uuid)$/
const instanceIdKey = 'meta/instanceID'

type Builtin = (typeof builtins)[keyof typeof builtins]

/** Finds out column by column what each one means. */
class Collector {
  readonly #asked: Asked
  readonly #chain: readonly string[] | undefined
  readonly slots = new Map<string, Slot>()
  readonly builtins: Partial<Record<Builtin, number>> = {}
  readonly own: { column: number; name: string }[] = []
  readonly extra: string[] = []
  readonly repeated: string[] = []
  readonly unclear: string[] = []
  readonly labels: string[] = []

  constructor(asked: Asked, chain: readonly string[] | undefined) {
    this.#asked = asked
    this.#chain = chain
  }

  add(name: string, column: number): void {
    if (name === '' || ours.test(name)) return
    if (Object.hasOwn(builtins, name)) {
      this.#addBuiltin(builtins[name as keyof typeof builtins], name, column)
      return
    }
    const meaning = meaningOf(name, this.#asked, this.#chain)
    if (meaning?.kind === 'unclear') this.unclear.push(`${name} (${meaning.keys.slice(0, 5).join(', ')})`)
    else if (meaning?.kind === 'answer' && meaning.question.key === instanceIdKey)
      this.#addBuiltin('instanceId', name, column)
    else if (meaning !== undefined) this.#addMeaning(name, meaning, column)
    else if (name.startsWith('_')) this.own.push({ column, name })
    else if (this.#asked.labels.has(name)) this.labels.push(name)
    else this.extra.push(name)
  }

  #addBuiltin(builtin: Builtin, name: string, column: number): void {
    if (this.builtins[builtin] !== undefined) this.repeated.push(name)
    this.builtins[builtin] = column
    if (name.startsWith('_')) this.own.push({ column, name })
  }

  #addMeaning(name: string, meaning: Exclude<Meaning, { kind: 'unclear' }>, column: number): void {
    const { question, entries } = meaning
    const place = JSON.stringify([question.repeats, entries, question.key])
    const slot = this.slots.get(place) ?? {
      question,
      entries,
      column: undefined,
      heading: name,
      choices: [],
      chosen: new Set(),
      parts: {},
      isOfToday: this.#asked.isOfToday(question),
      isOpen: this.#asked.isOpen(question),
    }
    this.slots.set(place, slot)
    if (take(slot, name, meaning, column)) return
    // Some programs write columns without numbers behind those with numbers, with nothing in them.
    const hasNoNumbers = entries.length > 0 && !/\d/.test(name)
    ;(hasNoNumbers ? this.extra : this.repeated).push(name)
  }
}

/** False when another column says the same. */
const take = (slot: Slot, heading: string, meaning: Exclude<Meaning, { kind: 'unclear' }>, column: number): boolean => {
  if (meaning.kind === 'answer') {
    if (slot.column !== undefined) return false
    slot.column = column
    slot.heading = heading
  } else if (meaning.kind === 'choice') {
    if (slot.chosen.has(meaning.choice)) return false
    slot.chosen.add(meaning.choice)
    slot.choices.push({ column, name: meaning.choice, heading })
  } else {
    if (slot.parts[meaning.part] !== undefined) return false
    slot.parts[meaning.part] = column
  }
  return true
}

const byEntries = ({ entries: some }: Slot, { entries: others }: Slot): number => {
  const shared = Math.min(some.length, others.length)
  for (let depth = 0; depth < shared; depth++) {
    const difference = (some[depth] as number) - (others[depth] as number)
    if (difference !== 0) return difference
  }
  return some.length - others.length
}

/** As in the form, a repeat where its first question stands; in it, entry by entry. */
const inOrder = (slots: readonly Slot[], { questions }: Asked): Slot[] => {
  const places = new Map<unknown, number>()
  for (const [place, question] of questions.entries()) {
    const [outermost] = question.repeats
    places.set(question, place)
    if (outermost !== undefined && !places.has(outermost)) places.set(outermost, place)
  }
  const placeOf = ({ question }: Slot) => places.get(question) ?? 0
  const startOf = ({ question }: Slot) => places.get(question.repeats[0] ?? question) ?? 0
  return [...slots].sort((a, b) => startOf(a) - startOf(b) || byEntries(a, b) || placeOf(a) - placeOf(b))
}

/** `chain`: in the table of a repeat's entries, the keys of the repeats; undefined in the one table of all records. */
export const columnsOf = (header: readonly string[], asked: Asked, chain?: readonly string[]): Columns => {
  const collector = new Collector(asked, chain)
  for (const [column, name] of header.entries()) collector.add(name, column)
  const { builtins: found, own, extra, repeated, unclear, labels } = collector
  const slots = [...collector.slots.values()]
  return {
    width: header.length,
    slots,
    ranks: new Map(inOrder(slots, asked).map((slot, rank) => [slot, rank])),
    instanceId: found.instanceId,
    uuid: found.uuid,
    submittedAt: found.submittedAt,
    submittedBy: found.submittedBy,
    others: found.others,
    own,
    isLinked: own.some(({ name }) => name === '_parent_index'),
    extra,
    repeated,
    missing: chain === undefined ? missingIn(asked.current, new Set(slots.map(({ question }) => question.key))) : [],
    unclear,
    labels,
  }
}

const unasked = new Set(['note', 'calculate', 'instance_id', 'start', 'end', 'today', 'audit'])

/** Questions that everybody must answer: not those that only some are asked, and none in repeats. */
const missingIn = ({ children }: FormModel, present: ReadonlySet<string>): string[] => {
  const missing: string[] = []
  const visit = (nodes: readonly ModelNode[], around: string): void => {
    for (const node of nodes) {
      const name = localName(node.name)
      const key = around === '' ? name : `${around}/${name}`
      if (node.relevant !== null) continue
      if (node.kind === 'group') visit(node.children, key)
      else if (node.kind === 'question' && node.required === 'true()' && !unasked.has(node.type) && !present.has(key)) {
        missing.push(key)
      }
    }
  }
  visit(children, '')
  return missing.sort()
}
