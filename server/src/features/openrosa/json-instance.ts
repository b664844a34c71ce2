// A submission that comes as JSON, as the XML that a device would send.
import { invalid } from '../../platform/http/index.js'
import { badSubmissionFormat } from './openrosa.errors.js'

const deepest = 100
const namePattern = /^[\p{L}_][\p{L}\p{N}._-]*$/u

const escapeText = (text: string): string =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replace(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, '')

type Json = unknown

const isObject = (value: Json): value is Record<string, Json> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const isScalar = (value: Json): value is string | number | boolean =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'

const badName = (name: string) =>
  invalid({
    submission: [`'${name.slice(0, 100)}' cannot be the name of a question. Use letters, digits, _, . and -.`],
  })

/** Keys with slashes are paths: `group/age` means the question `age` in `group`. */
const nested = (object: Record<string, Json>): Record<string, Json> => {
  const result: Record<string, Json> = {}
  for (const [key, value] of Object.entries(object)) {
    const [first = '', ...rest] = key.split('/')
    if (rest.length === 0) {
      result[first] = isObject(result[first]) && isObject(value) ? { ...result[first], ...value } : value
      continue
    }
    const present = result[first]
    result[first] = { ...(isObject(present) ? present : {}), [rest.join('/')]: value }
  }
  return result
}

const element = (name: string, value: Json, depth: number): string => {
  if (!namePattern.test(name)) throw badName(name)
  if (depth > deepest) throw badSubmissionFormat()
  if (value === null) return `<${name}/>`
  if (isScalar(value)) return `<${name}>${escapeText(String(value))}</${name}>`
  if (Array.isArray(value)) {
    // Several choices of one question, or the entries of a repeat.
    if (value.every(isScalar)) return `<${name}>${escapeText(value.map(String).join(' '))}</${name}>`
    if (!value.every(isObject)) throw badSubmissionFormat()
    return value.map((entry) => element(name, entry, depth + 1)).join('')
  }
  return `<${name}>${children(value as Record<string, Json>, depth)}</${name}>`
}

const children = (object: Record<string, Json>, depth: number): string =>
  Object.entries(nested(object))
    .map(([name, value]) => element(name, value, depth + 1))
    .join('')

/** `id` is the form's; the root of the XML is named as the form's. */
export const xmlOfJson = (
  submission: Record<string, Json>,
  form: { idString: string; rootName: string; version: string },
): string => {
  const attribute = (text: string) => escapeText(text).replaceAll('"', '&quot;')
  return `<?xml version="1.0" encoding="utf-8"?>\n<${form.rootName} id="${attribute(form.idString)}" version="${attribute(form.version)}">${children(submission, 0)}</${form.rootName}>`
}
