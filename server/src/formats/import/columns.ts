// What the columns of a file mean to a form.
import type { FormModel, ModelNode } from '@sheaf/xlsform'
import { budgets } from '../../budgets.js'
import { type Field, type FormFields, fieldsOf, localName } from '../form/index.js'
import { type GeoPart, geoParts } from './cells.js'

/** An answer and where it comes from: a column of its own, columns of its choices, or columns of its parts. */
export interface Slot {
  readonly field: Field
  column: number | undefined
  readonly choices: { column: number; name: string }[]
  /** Names of these. */
  readonly chosen: Set<string>
  readonly parts: Partial<Record<GeoPart, number>>
}

/** The part of the form that the file has columns for; the entries of a repeat stand one after the other. */
export type Branch =
  | { readonly name: string; readonly slot: number }
  | { readonly name: string; readonly children: readonly Branch[] }

export interface Columns {
  readonly width: number
  readonly slots: readonly Slot[]
  readonly tree: readonly Branch[]
  readonly instanceId: number | undefined
  readonly uuid: number | undefined
  readonly submittedAt: number | undefined
  readonly submittedBy: number | undefined
  /** Names of columns that mean nothing to the form. */
  readonly extra: readonly string[]
  /** Names of columns that say the same as another. */
  readonly repeated: readonly string[]
  /** Questions that must be answered and have no column. */
  readonly missing: readonly string[]
}

interface Segment {
  readonly text: string
  readonly name: string
  readonly index: number | undefined
}

const segmentOf = (text: string): Segment => {
  const [, name = text, index] = /^(.+)\[(\d{1,6})\]$/.exec(text) ?? []
  return { text, name, index: index === undefined ? undefined : Number(index) }
}

type Meaning =
  | { kind: 'answer'; place: string; field: Field }
  | { kind: 'choice'; place: string; field: Field; choice: string }
  | { kind: 'part'; place: string; field: Field; part: GeoPart }

/** `kids[2]/name`: the key of a question with the entry of each repeat around it; undefined for what is no place. */
const placeOf = (segments: readonly Segment[], { repeats }: FormFields): string | undefined => {
  let key = ''
  let place = ''
  for (const { name, index } of segments) {
    key = key === '' ? name : `${key}/${name}`
    const isRepeat = repeats.has(key)
    if (index !== undefined && (!isRepeat || index === 0)) return undefined
    place = `${place === '' ? '' : `${place}/`}${name}${isRepeat ? `[${index ?? 1}]` : ''}`
  }
  return place
}

const keyOf = (segments: readonly Segment[]): string => segments.map(({ name }) => name).join('/')

const geoTypes = new Set(['geopoint', 'start-geopoint', 'background-geopoint'])
const partPattern = new RegExp(`^_(.+)_(${geoParts.join('|')})$`)

class Reader {
  readonly #fields: FormFields
  readonly #choices = new Map<Field, ReadonlySet<string> | null>()

  readonly #deepest: number

  constructor(fields: FormFields) {
    this.#fields = fields
    this.#deepest = fields.fields.reduce((most, { key }) => Math.max(most, key.split('/').length), 0)
  }

  /** Groups may be marked by dots as well as by slashes. */
  read(name: string): Meaning | undefined {
    if (name.length > budgets.headings.characters) return undefined
    const found = this.#meaning(name.split('/').map(segmentOf))
    return found ?? (name.includes('.') ? this.#meaning(name.split(/[./]/).map(segmentOf)) : undefined)
  }

  #meaning(segments: readonly Segment[]): Meaning | undefined {
    return this.#answer(segments) ?? this.#part(segments) ?? this.#choice(segments)
  }

  #at(segments: readonly Segment[]): { place: string; field: Field } | undefined {
    const field = this.#fields.byKey.get(keyOf(segments))
    const place = field === undefined ? undefined : placeOf(segments, this.#fields)
    return field === undefined || place === undefined ? undefined : { field, place }
  }

  #answer(segments: readonly Segment[]): Meaning | undefined {
    const found = this.#at(segments)
    return found === undefined ? undefined : { kind: 'answer', ...found }
  }

  /** `_gps_latitude` beside the question, or `gps/latitude` below it. */
  #part(segments: readonly Segment[]): Meaning | undefined {
    const last = segments.at(-1)?.text ?? ''
    const around = segments.slice(0, -1)
    const [, beside, besidePart] = partPattern.exec(last) ?? []
    const part = geoParts.find((one) => one === (besidePart ?? last))
    if (part === undefined) return undefined
    const found = this.#at(beside === undefined ? around : [...around, segmentOf(beside)])
    return found !== undefined && geoTypes.has(found.field.type) ? { kind: 'part', part, ...found } : undefined
  }

  /** `tags/red`; the name of a choice may have slashes of its own. */
  #choice(segments: readonly Segment[]): Meaning | undefined {
    // No question stands deeper than the form does, however many slashes a name has.
    for (let end = Math.min(segments.length - 1, this.#deepest); end > 0; end--) {
      const found = this.#at(segments.slice(0, end))
      if (found?.field.type !== 'select_multiple') continue
      const choice = segments
        .slice(end)
        .map(({ text }) => text)
        .join('/')
      const known = this.#choicesOf(found.field)
      return known === null || known.has(choice) ? { kind: 'choice', choice, ...found } : undefined
    }
    return undefined
  }

  /** null: they come from a file, and any name may be one. */
  #choicesOf(field: Field): ReadonlySet<string> | null {
    const known = this.#choices.get(field)
    if (known !== undefined) return known
    const made = field.choices === null ? null : new Set(field.choices.map(({ name }) => name))
    this.#choices.set(field, made)
    return made
  }
}

const builtins = {
  'meta/instanceID': 'instanceId',
  'meta.instanceID': 'instanceId',
  _uuid: 'uuid',
  _submission_time: 'submittedAt',
  _submitted_by: 'submittedBy',
} as const

/** What the server writes itself. */
const ours = /^(meta[./]deprecatedID|form(hub)?[./]uuid)$/

type Builtin = (typeof builtins)[keyof typeof builtins]

/** Finds out column by column what each one means. */
class Collector {
  readonly #reader: Reader
  readonly slots = new Map<string, Slot>()
  readonly builtins: Partial<Record<Builtin, number>> = {}
  readonly extra: string[] = []
  readonly repeated: string[] = []

  constructor(model: FormModel) {
    this.#reader = new Reader(fieldsOf(model))
  }

  add(name: string, column: number): void {
    if (name === '' || ours.test(name)) return
    if (Object.hasOwn(builtins, name)) {
      this.#addBuiltin(name as keyof typeof builtins, column)
      return
    }
    const meaning = this.#reader.read(name)
    if (meaning !== undefined) this.#addMeaning(name, meaning, column)
    else if (!name.startsWith('_')) this.extra.push(name)
  }

  #addBuiltin(name: keyof typeof builtins, column: number): void {
    const builtin = builtins[name]
    if (this.builtins[builtin] !== undefined) this.repeated.push(name)
    this.builtins[builtin] = column
  }

  #addMeaning(name: string, meaning: Meaning, column: number): void {
    const { place, field } = meaning
    const slot = this.slots.get(place) ?? { field, column: undefined, choices: [], chosen: new Set(), parts: {} }
    this.slots.set(place, slot)
    if (take(slot, meaning, column)) return
    // Some programs write columns without numbers behind those with numbers, with nothing in them.
    const hasNoNumbers = place.includes('[') && !name.includes('[')
    ;(hasNoNumbers ? this.extra : this.repeated).push(name)
  }
}

export const columnsOf = (header: readonly string[], model: FormModel): Columns => {
  const { slots, builtins: found, extra, repeated } = collected(header, model)
  return {
    width: header.length,
    slots: [...slots.values()],
    tree: treeOf(model.children, [...slots.keys()]),
    instanceId: found.instanceId,
    uuid: found.uuid,
    submittedAt: found.submittedAt,
    submittedBy: found.submittedBy,
    extra,
    repeated,
    missing: missingIn(model, new Set([...slots.values()].map(({ field }) => field.key))),
  }
}

const collected = (header: readonly string[], model: FormModel): Collector => {
  const collector = new Collector(model)
  for (const [column, name] of header.entries()) collector.add(name, column)
  return collector
}

/** False when another column says the same. */
const take = (slot: Slot, meaning: Meaning, column: number): boolean => {
  if (meaning.kind === 'answer') {
    if (slot.column !== undefined) return false
    slot.column = column
  } else if (meaning.kind === 'choice') {
    if (slot.chosen.has(meaning.choice)) return false
    slot.chosen.add(meaning.choice)
    slot.choices.push({ column, name: meaning.choice })
  } else {
    if (slot.parts[meaning.part] !== undefined) return false
    slot.parts[meaning.part] = column
  }
  return true
}

/** Only what the file has columns for is looked at: a form may have as many questions as a file has entries. */
const treeOf = (nodes: readonly ModelNode[], places: readonly string[]): Branch[] => {
  const slots = new Map(places.map((place, slot) => [place, slot]))
  const entries = entriesOf(places)
  const names = namesWithin(places)
  const orders = new Map<readonly ModelNode[], ReadonlyMap<string, number>>()
  const wanted = (children: readonly ModelNode[], around: string): ModelNode[] => {
    const order = orders.get(children) ?? new Map(children.map(({ name }, place) => [localName(name), place]))
    orders.set(children, order)
    const found = [...(names.get(around) ?? [])].flatMap((name) => order.get(name) ?? [])
    return found.sort((a, b) => a - b).map((place) => children[place] as ModelNode)
  }
  const visit = (children: readonly ModelNode[], around: string): Branch[] =>
    wanted(children, around).flatMap((node): Branch[] => {
      const name = localName(node.name)
      const place = around === '' ? name : `${around}/${name}`
      if (node.kind === 'question') {
        const slot = slots.get(place)
        return slot === undefined ? [] : [{ name: node.name, slot }]
      }
      const inside = node.kind === 'group' ? [place] : (entries.get(place) ?? []).map((index) => `${place}[${index}]`)
      return inside
        .map((one) => ({ name: node.name, children: visit(node.children, one) }))
        .filter((branch) => branch.children.length > 0)
    })
  return visit(nodes, '')
}

/** Of each group and each entry of a repeat, the names of what the file has columns for. */
const namesWithin = (places: readonly string[]): Map<string, Set<string>> => {
  const found = new Map<string, Set<string>>()
  for (const place of places) {
    for (let start = 0; start !== -1; ) {
      const end = place.indexOf('/', start)
      const [around, name] = [place.slice(0, Math.max(0, start - 1)), place.slice(start, end === -1 ? undefined : end)]
      const names = found.get(around) ?? new Set()
      found.set(around, names.add(name.split('[', 1)[0] ?? ''))
      start = end === -1 ? -1 : end + 1
    }
  }
  return found
}

/** The numbers of the entries that a repeat has columns for, in order. */
const entriesOf = (places: readonly string[]): Map<string, number[]> => {
  const found = new Map<string, Set<number>>()
  for (const place of places) {
    for (const { index, 1: number } of place.matchAll(/\[(\d+)\]/g)) {
      const repeat = place.slice(0, index)
      found.set(repeat, (found.get(repeat) ?? new Set()).add(Number(number)))
    }
  }
  return new Map([...found].map(([repeat, numbers]) => [repeat, [...numbers].sort((a, b) => a - b)]))
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
