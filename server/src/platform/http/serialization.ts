// Answers as JSON, by the schema of their route. A serializer is made when its route first answers: all of them at once took
// a quarter of every start, and memory that most routes never need.
import build from 'fast-json-stringify'
import type { FastifySerializerCompiler } from 'fastify'

type Serializer = (value: unknown) => string

export const serializerCompiler: FastifySerializerCompiler<object> = ({ schema }) => {
  let made: Serializer | undefined
  return (value) => {
    made ??= (build as unknown as (schema: object) => Serializer)(schema)
    return made(value)
  }
}
