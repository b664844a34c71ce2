// Answers as JSON, by the schema of their route. A serializer is made when its route first answers: all of them at once took
// a quarter of every start, and memory that most routes never need.
import build from 'fast-json-stringify'
import type { FastifySerializerCompiler } from 'fastify'

type Serializer = (value: unknown) => string

/** By schema, for all applications of this process: those of tests are many, with the same schemas. */
const made = new WeakMap<object, Serializer>()

const serializerOf = (schema: object): Serializer => {
  const known = made.get(schema)
  if (known !== undefined) return known
  const serialize = (build as unknown as (schema: object) => Serializer)(schema)
  made.set(schema, serialize)
  return serialize
}

export const serializerCompiler: FastifySerializerCompiler<object> = ({ schema }) => {
  let serialize: Serializer | undefined
  return (value) => {
    serialize ??= serializerOf(schema)
    return serialize(value)
  }
}
