// Requests that name things of somebody else: every name in an address, a question or a body in turn, and all at once. Each has
// a twin, which names what is not there: whoever may not see a thing must be answered the same.

import type { Chance } from '@sheaf/harness'
import type { Operation, Schema } from './description.js'
import { type Known, kindInPath, kindOfName, openKinds, sample } from './known.js'
import type { Caller, Request } from './request.js'
import { xmlOf } from './world/form.js'
import { multipart, multipartType } from './world/multipart.js'

interface Slot {
  readonly place: 'path' | 'query' | 'body'
  readonly name: string
  readonly kind: string
}

export interface Attempt {
  readonly operation: Operation
  readonly request: Request
  readonly twin: Request
  /** Values of the others' in the request, and what stands for them in the twin. */
  readonly names: readonly (readonly [theirs: string, missing: string])[]
  /** Nothing in it may be known to be there. */
  readonly isHidden: boolean
}

const submissionField = 'xml_submission_file'
/** A submission names its form in its XML. */
const submissionSlot: Slot = { place: 'body', name: submissionField, kind: 'id_string' }

/** Names that mean something beside another one only. */
const localKinds: ReadonlySet<string> = new Set(['versions', 'labels'])

const slotsOf = (operation: Operation, kinds: ReadonlySet<string>, known: Known): Slot[] => {
  const path = operation.pathNames.map((name) => ({
    place: 'path' as const,
    name,
    kind: kindInPath(operation.path, name),
  }))
  const fields = operation.body?.properties ?? {}
  const refers = (name: string): string | undefined => {
    const kind = kindOfName(name, kinds, fields[name])
    return kind !== undefined && known.of(kind).length > 0 ? kind : undefined
  }
  const named = (place: 'query' | 'body', names: readonly string[]) =>
    names.flatMap((name) => {
      const kind = refers(name) ?? (name === 'target_id' ? 'forms' : name === 'content_object' ? 'forms' : undefined)
      // A label that is asked for is a word of whoever asks.
      return kind === undefined || kind === 'labels' ? [] : [{ place, name, kind }]
    })
  const sent = operation.body?.properties?.[submissionField] === undefined ? [] : [submissionSlot]
  return [
    ...path,
    ...sent,
    ...named(
      'query',
      operation.query.map(({ name }) => name),
    ),
    ...named('body', Object.keys(fields)),
  ]
}

/** What is not there, of the same shape. */
const missingLike = (value: string): string => {
  if (/^\d+$/.test(value)) return '2147480011'
  if (/^\d+\.\w+$/.test(value)) return `2147480011${value.slice(value.indexOf('.'))}`
  if (/^[0-9a-f-]{32,36}$/.test(value)) return value.replace(/[0-9a-f]/g, '7')
  return `${value.slice(0, -1).replace(/[a-z]/g, 'q')}qmissing`.slice(0, Math.max(8, value.length))
}

/** Fields by name where the example is no good for an attack. */
const chosen: Readonly<Record<string, unknown>> = {
  role: 'owner',
  target_type: 'xform',
  email_msg: undefined,
  remove: undefined,
  delete_all: true,
  allow: undefined,
  xls_url: undefined,
  csv_url: undefined,
  remote_xls_url: undefined,
  xls_file: undefined,
  xml_file: undefined,
  public_key: undefined,
  data_file: undefined,
}

const typeOf = (schema: Schema): string | undefined =>
  typeof schema.type === 'string' ? schema.type : schema.type?.find((one) => one !== 'null')

/** A value that is likely to be taken. */
export const plausible = (name: string, schema: Schema): unknown => {
  if (name in chosen) return chosen[name]
  const example = schema.examples?.[0] ?? schema.example ?? schema.enum?.find((one) => one !== '') ?? schema.default
  if (example !== undefined) return example
  if (schema.anyOf !== undefined) return plausible(name, schema.anyOf[0] ?? {})
  switch (typeOf(schema)) {
    case 'integer':
    case 'number':
      return 1
    case 'boolean':
      return true
    case 'array':
      return []
    case 'object':
      return { a: 'b' }
    default:
      return schema.format === 'email' ? 'attacker@example.org' : 'attacked'
  }
}

/** In the shape that the example has: an address, a number or a text. */
const shaped = (value: string, schema: Schema | undefined, origin: string, kind: string): unknown => {
  const example = schema?.examples?.[0] ?? schema?.example
  const segment = typeof example === 'string' ? /\/api\/v1\/(\w+)\//.exec(example)?.[1] : undefined
  if (segment !== undefined) return `${origin}/api/v1/${segment}/${value}`
  if (schema !== undefined && typeOf(schema) === 'integer' && /^\d+$/.test(value)) return Number(value)
  return kind === 'users' && value.startsWith('http') ? value.split('/').at(-1) : value
}

export interface AttemptOptions {
  readonly caller: Caller
  readonly kinds: ReadonlySet<string>
  /** What the caller may name by right. */
  readonly own: Known
  readonly other: Known
  readonly origin: string
  readonly chance: Chance
  /** How many of each kind are tried. */
  readonly most: number
  /** Whether each word that a field takes is tried. */
  readonly withWords?: boolean
}

type Choice = ReadonlyMap<Slot, { readonly value: string; readonly isTheirs: boolean }>

/** One of the words that a field takes, where it takes some only: each in its turn. */
const inTurn = (schema: Schema, turn: number): unknown => {
  const words = schema.enum ?? schema.anyOf?.flatMap((one) => (one.const === undefined ? [] : [one.const])) ?? []
  return words.length > 1 ? words[turn % words.length] : undefined
}

const requestOf = (operation: Operation, { caller, origin }: AttemptOptions, choice: Choice, turn: number): Request => {
  const at = (place: Slot['place'], name: string) =>
    [...choice].find(([slot]) => slot.place === place && slot.name === name)
  let { path } = operation
  for (const name of operation.pathNames) {
    const value = at('path', name)?.[1].value ?? sample(name, operation.pathParameters[name])
    path = path.replace(`{${name}}`, encodeURIComponent(value))
  }
  const asked = [...choice].filter(([slot]) => slot.place === 'query')
  const query = asked.map(([{ name }, { value }]) => `${name}=${encodeURIComponent(value)}`)
  if (asked.some(([{ name }]) => name === 'target_id')) query.push('target_type=xform')
  const address = `${path}${query.length === 0 ? '' : `?${query.join('&')}`}`
  const form = at('body', submissionField)?.[1].value
  if (form !== undefined) {
    const bytes = xmlOf(form, { uuid: missingLike('0'.repeat(32)).slice(0, 32), answers: { name: 'attacked' } })
    const body = multipart([{ name: submissionField, filename: 'submission.xml', type: 'text/xml', bytes }])
    return { method: operation.method, path: address, caller, headers: { 'content-type': multipartType }, body }
  }
  if (operation.isSafe)
    return { method: operation.method, path: address, caller, headers: { accept: 'application/json' } }
  const fields = Object.entries(operation.body?.properties ?? {}).map(([name, schema]) => {
    const chosenHere = at('body', name)
    const value =
      chosenHere === undefined
        ? ((turn > 0 ? inTurn(schema, turn) : undefined) ?? plausible(name, schema))
        : shaped(chosenHere[1].value, schema, origin, chosenHere[0].kind)
    return [name, value] as const
  })
  return {
    method: operation.method,
    path: address,
    caller,
    headers: { 'content-type': 'application/json', accept: 'application/json' },
    body: Buffer.from(JSON.stringify(Object.fromEntries(fields.filter(([, value]) => value !== undefined)))),
  }
}

/** Words that a body's fields can take, at most: each is tried once with each thing. */
const turnsOf = ({ body }: Operation): number =>
  Math.max(1, ...Object.values(body?.properties ?? {}).map(({ enum: words }) => (words ?? []).length))
const mostTurns = 16

/** Which of the slots hold things of the others: those of the address, each of the rest, and all. */
const sharesOf = (slots: readonly Slot[]): Slot[][] => {
  const path = slots.filter(({ place }) => place === 'path')
  const rest = slots.filter(({ place }) => place !== 'path')
  const shares = [path, ...rest.map((slot) => [slot]), ...(path.length > 1 ? path.map((slot) => [slot]) : [])]
  if (path.length > 0) shares.push(...rest.map((slot) => [...path, slot]))
  return shares.filter((share) => share.some(({ kind }) => !localKinds.has(kind)))
}

export const attemptsOf = (operation: Operation, options: AttemptOptions): Attempt[] => {
  const { own, other, kinds, most, chance, withWords = false } = options
  const slots = slotsOf(operation, kinds, other)
  const attempts = sharesOf(slots).flatMap((share) => {
    const isNeeded = ({ place, name }: Slot) => place === 'path' || (operation.body?.required ?? []).includes(name)
    const isLeftOut = (slot: Slot, isAlone: boolean) =>
      !share.includes(slot) && (slot.place === 'query' || (isAlone && !isNeeded(slot)))
    const count = Math.max(1, Math.min(most, ...share.map(({ kind }) => other.of(kind).length)))
    const hasOthers = slots.some((slot) => slot.place === 'body' && !share.includes(slot) && !isNeeded(slot))
    // Where a body can name several things, most take one of them only.
    const isNamed = share.some(({ place }) => place === 'body')
    const turns = isNamed && withWords ? Math.min(mostTurns, turnsOf(operation)) : 1
    const variants = (hasOthers ? [false, true] : [false]).flatMap((isAlone) =>
      Array.from({ length: count * (isAlone || !hasOthers ? turns : 1) }, (_, number) => ({ isAlone, number })),
    )
    return variants.map(({ isAlone, number }): Attempt | undefined => {
      const choice = new Map<Slot, { value: string; isTheirs: boolean }>()
      const missing = new Map<Slot, { value: string; isTheirs: boolean }>()
      const names: (readonly [string, string])[] = []
      for (const slot of slots) {
        if (isLeftOut(slot, isAlone)) continue
        const isTheirs = share.includes(slot)
        const values = (isTheirs ? other : own).of(slot.kind)
        const value = values[number % Math.max(1, values.length)]
        if (value === undefined) {
          if (isTheirs) return undefined
          continue
        }
        const twin = isTheirs ? missingLike(value) : value
        if (isTheirs) names.push([value, twin])
        choice.set(slot, { value, isTheirs })
        missing.set(slot, { value: twin, isTheirs })
      }
      const turn = Math.floor(number / count)
      const request = requestOf(operation, options, choice, turn)
      // Accounts are no secret, and neither is what is named beside one; nor is a word as a label.
      const isHidden = share.every(({ kind }) => !openKinds.has(kind))
      return { operation, request, twin: requestOf(operation, options, missing, turn), names, isHidden }
    })
  })
  return chance.some(
    attempts.filter((one) => one !== undefined),
    attempts.length,
  )
}
