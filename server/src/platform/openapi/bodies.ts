// What an operation takes: one schema in several encodings, of which only multipart carries files.
import type { RouteEntry } from '../http/index.js'
import type { Models } from './models.js'
import { pascalCase } from './responses.js'
import type { Schema } from './samples.js'

export interface RequestBody {
  readonly required: boolean
  readonly description?: string
  readonly content: Readonly<Record<string, { readonly schema: Schema }>>
}

const multipart = 'multipart/form-data'
const everyEncoding = ['application/json', 'application/x-www-form-urlencoded', multipart]

const isFile = (property: Schema): boolean => property['x-file'] === true

const pick = (example: object, names: ReadonlySet<string>): object =>
  Object.fromEntries(Object.entries(example).filter(([name]) => names.has(name)))

const withoutFiles = (schema: Schema): Schema => {
  const kept = Object.entries(schema.properties ?? {}).filter(([, property]) => !isFile(property))
  const names = new Set(kept.map(([name]) => name))
  const required = schema.required?.filter((name) => names.has(name)) ?? []
  const { required: _, examples, ...rest } = schema
  return {
    ...rest,
    properties: Object.fromEntries(kept),
    ...(required.length > 0 && { required }),
    ...(examples !== undefined && { examples: examples.map((example) => pick(example as object, names)) }),
  }
}

export const requestBodyOf = (models: Models, { operation, route }: RouteEntry): RequestBody | undefined => {
  const schema = route.schema?.body as Schema | undefined
  if (schema === undefined) return undefined
  const { consumes = everyEncoding } = route.schema as { consumes?: readonly string[] }
  const hasFiles = Object.values(schema.properties ?? {}).some(isFile)
  // Whoever makes a client from this takes the first: it must be able to carry everything.
  const encodings = hasFiles
    ? [...consumes].sort((a, b) => Number(b === multipart) - Number(a === multipart))
    : consumes
  const name = pascalCase(operation)
  const shown = (encoding: string): Schema =>
    hasFiles && encoding !== multipart
      ? models.describeAs(`${name}Fields`, withoutFiles(schema))
      : models.describeAs(`${name}Body`, schema)
  return {
    required: (schema.required?.length ?? 0) > 0,
    content: Object.fromEntries(encodings.map((encoding) => [encoding, { schema: shown(encoding) }])),
  }
}
