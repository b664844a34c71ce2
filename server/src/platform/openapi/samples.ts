// Examples that fit their schemas: a room writes down what is worth showing, the rest follows from the schema.

export interface Schema {
  [keyword: string]: unknown
  type?: string | readonly string[]
  properties?: Record<string, Schema>
  required?: readonly string[]
  items?: Schema
  anyOf?: readonly Schema[]
  additionalProperties?: boolean | Schema
  examples?: readonly unknown[]
  enum?: readonly unknown[]
  format?: string
  description?: string
}

const texts: ReadonlyMap<string, string> = new Map([
  ['date-time', '2026-01-10T14:22:05.000Z'],
  ['uri', 'http://127.0.0.1:8080/api/v1/'],
  ['email', 'ana@example.org'],
])

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** A value that fits: what is given, completed by what is required. */
export const sampleOf = (schema: Schema, given?: unknown): unknown => {
  if (schema.properties !== undefined && (given === undefined || isObject(given))) return objectOf(schema, given ?? {})
  if (schema.items !== undefined && Array.isArray(given)) return given.map((one) => sampleOf(schema.items ?? {}, one))
  if (given !== undefined) return given
  const [example] = schema.examples ?? []
  if (example !== undefined) return sampleOf(schema, example)
  return plainOf(schema)
}

/** Of the fields that have examples; undefined where what is required has none: only its room knows one. */
export const sampleOfFields = (schema: Schema): Record<string, unknown> | undefined => {
  const { properties = {}, required = [] } = schema
  const shown = Object.keys(properties).filter((name) => properties[name]?.examples !== undefined)
  if (shown.length === 0 || !required.every((name) => shown.includes(name))) return undefined
  return Object.fromEntries(shown.map((name) => [name, sampleOf(properties[name] ?? {})]))
}

const objectOf = (schema: Schema, given: Record<string, unknown>): Record<string, unknown> => {
  const { properties = {}, required = [] } = schema
  const names = new Set([...Object.keys(properties).filter((name) => Object.hasOwn(given, name)), ...required])
  const inOrder = Object.keys(properties).filter((name) => names.has(name))
  const known = inOrder.map((name) => [name, sampleOf(properties[name] ?? {}, given[name])])
  return { ...Object.fromEntries(known), ...unknownIn(given, properties) }
}

const unknownIn = (given: Record<string, unknown>, properties: object) =>
  Object.fromEntries(Object.entries(given).filter(([name]) => !Object.hasOwn(properties, name)))

const plainOf = (schema: Schema): unknown => {
  if (schema.enum !== undefined) return schema.enum[0]
  if (schema.anyOf !== undefined)
    return sampleOf(schema.anyOf.find(({ type }) => type === 'null') ?? schema.anyOf[0] ?? {})
  const types = [schema.type].flat()
  if (types.includes('null')) return null
  switch (types[0]) {
    case 'string':
      return texts.get(schema.format ?? '') ?? 'text'.slice(0, Number(schema.maxLength ?? 4))
    case 'integer':
    case 'number':
      return schema.minimum ?? 1
    case 'boolean':
      return false
    case 'array':
      return []
    default:
      return {}
  }
}
