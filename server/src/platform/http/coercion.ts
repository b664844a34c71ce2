// What clients of this API family send is looser than JSON Schema: form-encoded numbers and booleans, an object as JSON
// text, numbers where text is meant. Each value is brought to its schema's type before it is validated; what cannot be
// brought there is left as it is, so that the validator names it.

import type { TSchema } from '../schema/index.js'
import { booleanOf } from '../words/index.js'

export interface Property {
  /** Several where null is allowed too; the first is what a value is brought to. */
  type?: string | readonly string[]
  /** Passwords and tokens are taken as they are; every other text loses blanks around it. */
  'x-verbatim'?: boolean
  description?: string
  examples?: readonly unknown[]
}

export const propertiesOf = (schema: TSchema): Readonly<Record<string, Property>> =>
  (schema as { properties?: Record<string, Property> }).properties ?? {}

/** Coerces the known properties in place, so that a handler that adds faults of its own sees them coerced too. Answers
 * the faults that a type check could not word. */
export const coerce = (schema: TSchema, data: Record<string, unknown>): Record<string, string[]> => {
  const faults: Record<string, string[]> = {}
  for (const [name, property] of Object.entries(propertiesOf(schema))) {
    if (!Object.hasOwn(data, name)) continue
    try {
      data[name] = coerceValue(property, data[name])
    } catch (error) {
      faults[name] = [(error as Error).message]
    }
  }
  return faults
}

const coerceValue = (property: Property, value: unknown): unknown => {
  switch ([property.type].flat()[0]) {
    case 'string':
      return coerceText(property, value)
    case 'integer':
      return typeof value === 'string' && /^[-+]?\d{1,15}$/.test(value.trim()) ? Number(value) : value
    case 'boolean':
      return coerceBoolean(value)
    case 'object':
      return typeof value === 'string' ? parseObject(value) : value
    default:
      return value
  }
}

const coerceText = (property: Property, value: unknown): unknown => {
  if (typeof value === 'number') return String(value)
  return typeof value === 'string' && property['x-verbatim'] !== true ? trimInvisible(value) : value
}

const zeroWidth = new Set('\u200b\u200c\u200d\u2060\ufeff')

/** Blanks and the zero-width characters that come along when an address is copied from a page. By hand, because a
 * pattern for the end of a text takes quadratic time on a megabyte of blanks. */
const trimInvisible = (text: string): string => {
  let trimmed = text.trim()
  while (zeroWidth.has(trimmed.at(0) ?? '')) trimmed = trimmed.slice(1).trimStart()
  while (zeroWidth.has(trimmed.at(-1) ?? '')) trimmed = trimmed.slice(0, -1).trimEnd()
  return trimmed
}

const coerceBoolean = (value: unknown): unknown => {
  const isWord = typeof value === 'number' || typeof value === 'string'
  return (isWord ? booleanOf(String(value)) : undefined) ?? value
}

/** A blank field of a form is an empty object. */
const parseObject = (text: string): unknown => (text.trim() === '' ? {} : JSON.parse(text))
