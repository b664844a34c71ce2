// A submission that comes as JSON, as the XML that a device would send. Keys may be as a person writes them (objects within
// objects) or as records are read (whole paths, built-in fields beside them).

import { randomUUID } from 'node:crypto'
import { cutTo } from '@sheaf/xlsform/text'
import type { FormFields } from '../../formats/form/index.js'
import { escapeAttribute, escapeText } from '../../formats/xml/index.js'
import { invalid } from '../../platform/http/index.js'
import { builtinFields } from '../submissions/index.js'
import { badSubmissionFormat, emptyJson } from './openrosa.errors.js'

const deepest = 100
const longestName = 255
const namePattern = /^[\p{L}_][\p{L}\p{N}._-]*$/u

type Json = unknown
type JsonObject = Record<string, Json>

const isObject = (value: Json): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const isScalar = (value: Json): value is string | number | boolean =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'

const badName = (name: string) =>
  invalid({
    submission: [`'${cutTo(name, 100)}' cannot be the name of a question. Use letters, digits, _, . and -.`],
  })

/** What a record shows that is no answer; of a form that asks for one of them, it is an answer. */
const builtins = new Set(builtinFields)
/** The server's own: which form it is for is told beside it. */
const ours = new Set(['form/uuid', 'formhub/uuid'])

/** What every form may be told about itself, whether it asks for it or not. */
const metaNames = new Set(
  ['instanceID', 'instanceName', 'deprecatedID', 'timeStart', 'timeEnd', 'userID', 'deviceID', 'username', 'email'].map(
    (name) => `meta/${name}`,
  ),
)

/** What a key and its value add to the element that the key begins with: an answer, or contents of a group. */
const partOf = (key: string, value: Json): { name: string; contents: JsonObject | undefined } => {
  const slash = key.indexOf('/')
  if (slash === -1) return { name: key, contents: isObject(value) ? value : undefined }
  return { name: key.slice(0, slash), contents: { [key.slice(slash + 1)]: value } }
}

/** Keys with slashes are paths: `group/age` means the question `age` in `group`. */
const nested = (entries: Iterable<readonly [string, Json]>): Map<string, Json> => {
  const result = new Map<string, Json>()
  const groups = new Map<string, JsonObject>()
  for (const [key, value] of entries) {
    const { name, contents } = partOf(key, value)
    const group = groups.get(name)
    // An answer and a group of one name: one of them would be lost.
    if (result.has(name) && (contents === undefined || group === undefined)) throw badSubmissionFormat()
    if (contents === undefined) result.set(name, value)
    else {
      const merged = Object.assign(group ?? Object.create(null), contents) as JsonObject
      groups.set(name, merged)
      result.set(name, merged)
    }
  }
  return result
}

/** Numbers that JSON cannot carry exactly would be stored as others. */
const textOf = (value: string | number | boolean): string => {
  const isExact = typeof value !== 'number' || (Number.isFinite(value) && Math.abs(value) <= Number.MAX_SAFE_INTEGER)
  if (!isExact) throw invalid({ submission: [`The number ${value} is too large to be exact. Send it as text.`] })
  return String(value)
}

class Writer {
  /** Keys that the form does not ask for, each once. */
  readonly unknown = new Set<string>()
  readonly #fields: FormFields

  constructor(fields: FormFields) {
    this.#fields = fields
  }

  root(submission: JsonObject): string {
    const isAnswer = (key: string) => !ours.has(key) && (!builtins.has(key) || this.#fields.byKey.has(key))
    const entries = Object.entries(submission).filter(([key]) => isAnswer(key))
    if (entries.length === 0) throw emptyJson()
    const members = nested(entries)
    const meta = members.get('meta') ?? {}
    if (!isObject(meta)) throw badSubmissionFormat()
    members.set('meta', hasText(meta.instanceID) ? meta : { ...meta, instanceID: `uuid:${randomUUID()}` })
    return [...members].map(([name, value]) => this.#element(name, value, '', 1)).join('')
  }

  #element(name: string, value: Json, around: string, depth: number): string {
    if (name.length > longestName || !namePattern.test(name)) throw badName(name)
    if (depth > deepest) throw badSubmissionFormat()
    const path = around === '' ? name : `${around}/${name}`
    if (isObject(value)) return `<${name}>${this.#children(value, path, depth)}</${name}>`
    if (Array.isArray(value) && !value.every(isScalar)) {
      if (!value.every(isObject)) throw badSubmissionFormat()
      return value.map((entry) => this.#element(name, entry, around, depth + 1)).join('')
    }
    return this.#answer(name, value, path)
  }

  #answer(name: string, value: Json, path: string): string {
    const isKnown = this.#fields.byKey.has(path) || metaNames.has(path)
    if (!isKnown && !(Array.isArray(value) && value.length === 0)) this.unknown.add(path)
    const written = (text: string) => `<${name}>${escapeText(text)}</${name}>`
    if (!Array.isArray(value)) return value === null ? `<${name}/>` : written(textOf(value as string))
    // Several choices of one question. What no question asks for is shown as a list where it was there several times.
    return isKnown ? written(value.map(textOf).join(' ')) : value.map((one) => written(textOf(one))).join('')
  }

  /** Records show whole paths within entries: `kids/name` in `kids`. */
  #children(object: JsonObject, path: string, depth: number): string {
    const start = `${path}/`
    const entries = Object.entries(object).map(([key, value]): [string, Json] => [
      key.startsWith(start) && !this.#isBelow(path, key) ? key.slice(start.length) : key,
      value,
    ])
    return [...nested(entries)].map(([name, value]) => this.#element(name, value, path, depth + 1)).join('')
  }

  /** A group may have the name of what it is in; then what the form asks for tells. */
  #isBelow(path: string, key: string): boolean {
    const { byKey, repeats } = this.#fields
    const isAsked = (one: string) => byKey.has(one) || repeats.has(one)
    return !isAsked(key) && isAsked(`${path}/${key}`)
  }
}

const hasText = (value: Json): boolean => isScalar(value) && String(value).trim() !== ''

export interface JsonInstance {
  readonly xml: string
  /** Keys that the form does not ask for; they are kept all the same. */
  readonly unknown: readonly string[]
}

/** The root of the XML is named as the form's, and has an instance id in any case. */
export const xmlOfJson = (
  submission: JsonObject,
  form: { idString: string; version: string; fields: FormFields },
): JsonInstance => {
  const { rootName } = form.fields
  const writer = new Writer(form.fields)
  const content = writer.root(submission)
  return {
    xml: `<?xml version="1.0" encoding="utf-8"?>\n<${rootName} id="${escapeAttribute(form.idString)}" version="${escapeAttribute(form.version)}">${content}</${rootName}>`,
    unknown: [...writer.unknown],
  }
}
