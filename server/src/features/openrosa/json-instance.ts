// A submission that comes as JSON, as the XML that a device would send.
import { escapeAttribute, escapeText } from '../../formats/xml/index.js'
import { invalid } from '../../platform/http/index.js'
import { badSubmissionFormat } from './openrosa.errors.js'

const deepest = 100
const longestName = 255
const namePattern = /^[\p{L}_][\p{L}\p{N}._-]*$/u

type Json = unknown

const isObject = (value: Json): value is Record<string, Json> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const isScalar = (value: Json): value is string | number | boolean =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'

const badName = (name: string) =>
  invalid({
    submission: [`'${name.slice(0, 100)}' cannot be the name of a question. Use letters, digits, _, . and -.`],
  })

/** What a key and its value add to the element that the key begins with: an answer, or contents of a group. */
const partOf = (key: string, value: Json): { name: string; contents: Record<string, Json> | undefined } => {
  const slash = key.indexOf('/')
  if (slash === -1) return { name: key, contents: isObject(value) ? value : undefined }
  return { name: key.slice(0, slash), contents: { [key.slice(slash + 1)]: value } }
}

/** Keys with slashes are paths: `group/age` means the question `age` in `group`. */
const nested = (object: Record<string, Json>): Map<string, Json> => {
  const result = new Map<string, Json>()
  const groups = new Map<string, Record<string, Json>>()
  for (const [key, value] of Object.entries(object)) {
    const { name, contents } = partOf(key, value)
    const group = groups.get(name)
    // An answer and a group of one name: one of them would be lost.
    if (result.has(name) && (contents === undefined || group === undefined)) throw badSubmissionFormat()
    if (contents === undefined) result.set(name, value)
    else {
      const merged = Object.assign(group ?? Object.create(null), contents) as Record<string, Json>
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

const element = (name: string, value: Json, depth: number): string => {
  if (name.length > longestName || !namePattern.test(name)) throw badName(name)
  if (depth > deepest) throw badSubmissionFormat()
  if (value === null) return `<${name}/>`
  if (isScalar(value)) return `<${name}>${escapeText(textOf(value))}</${name}>`
  if (Array.isArray(value)) {
    // Several choices of one question, or the entries of a repeat.
    if (value.every(isScalar)) return `<${name}>${escapeText(value.map(textOf).join(' '))}</${name}>`
    if (!value.every(isObject)) throw badSubmissionFormat()
    return value.map((entry) => element(name, entry, depth + 1)).join('')
  }
  return `<${name}>${children(value as Record<string, Json>, depth)}</${name}>`
}

const children = (object: Record<string, Json>, depth: number): string =>
  [...nested(object)].map(([name, value]) => element(name, value, depth + 1)).join('')

/** `id` is the form's; the root of the XML is named as the form's. */
export const xmlOfJson = (
  submission: Record<string, Json>,
  form: { idString: string; rootName: string; version: string },
): string => {
  return `<?xml version="1.0" encoding="utf-8"?>\n<${form.rootName} id="${escapeAttribute(form.idString)}" version="${escapeAttribute(form.version)}">${children(submission, 0)}</${form.rootName}>`
}
