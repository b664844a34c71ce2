// JSON Schemas with static types. The types are TypeBox's; the values are built here, because loading its 700 modules
// took 220 ms of every start and a schema is a plain object in the end.
import type Box from 'typebox'

type Kinds =
  | 'Array'
  | 'Boolean'
  | 'Integer'
  | 'Null'
  | 'Number'
  | 'Object'
  | 'Optional'
  | 'Record'
  | 'String'
  | 'Union'
  | 'Unknown'

type Builder = Pick<typeof Box, Kinds>
type Options = Readonly<Record<string, unknown>>

/** Properties that may be left out; kept beside the schemas, which hold standard keywords only. */
const optional = new WeakSet<object>()

const simple = (keywords: Options) => (options?: Options) => ({ ...keywords, ...options })

const object = (properties: Record<string, object>, options?: Options) => {
  const required = Object.keys(properties).filter((name) => !optional.has(properties[name] ?? {}))
  return { type: 'object', properties, ...(required.length > 0 && { required }), ...options }
}

/** "This or null" said with two types: to tell apart what `anyOf` allows, a serializer compiles a validator of each. */
const nullable = (schemas: object[]): object | undefined => {
  const [schema, other] = schemas as { type?: unknown; enum?: unknown }[]
  const isNullable = schemas.length === 2 && other?.type === 'null' && typeof schema?.type === 'string' && !schema.enum
  return isNullable ? { ...schema, type: [schema.type, 'null'] } : undefined
}

const builder = {
  Array: (items: object, options?: Options) => ({ type: 'array', items, ...options }),
  Boolean: simple({ type: 'boolean' }),
  Integer: simple({ type: 'integer' }),
  Null: simple({ type: 'null' }),
  Number: simple({ type: 'number' }),
  Object: object,
  Optional: (schema: object) => {
    const copy = { ...schema }
    optional.add(copy)
    return copy
  },
  Record: (_key: object, values: object, options?: Options) => ({
    type: 'object',
    additionalProperties: values,
    ...options,
  }),
  String: simple({ type: 'string' }),
  Union: (schemas: object[], options?: Options) => ({ ...(nullable(schemas) ?? { anyOf: schemas }), ...options }),
  Unknown: simple({}),
} satisfies Record<Kinds, (...args: never[]) => object>

export const Type = builder as unknown as Builder
export type { Static, TSchema } from 'typebox'
