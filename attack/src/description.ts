// What there is to attack, as the server itself describes it: a new room is attacked without a line here.
import type { Server } from './server.js'

export interface Schema {
  readonly type?: string | readonly string[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly items?: Schema
  readonly anyOf?: readonly Schema[]
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly format?: string
  readonly examples?: readonly unknown[]
  readonly example?: unknown
  readonly default?: unknown
}

export interface Parameter {
  readonly in: 'path' | 'query' | 'header'
  readonly name: string
  readonly schema?: Schema
  readonly example?: unknown
}

export interface Operation {
  readonly id: string
  readonly method: string
  readonly path: string
  /** Names in the path, in their order. */
  readonly pathNames: readonly string[]
  readonly pathParameters: Readonly<Record<string, Parameter | undefined>>
  readonly query: readonly Parameter[]
  /** Fields of the body; undefined when it takes none. */
  readonly body: Schema | undefined
  readonly isSafe: boolean
}

interface Described {
  readonly operationId?: string
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: { readonly content?: Readonly<Record<string, { readonly schema?: Schema }>> }
}

const methods = ['get', 'post', 'put', 'patch', 'delete']

/** With what is referred to in the place of each reference; no model holds itself. */
const resolved = (document: unknown, node: unknown): unknown => {
  if (Array.isArray(node)) return node.map((one) => resolved(document, one))
  if (typeof node !== 'object' || node === null) return node
  const { $ref } = node as { $ref?: unknown }
  if (typeof $ref === 'string') return resolved(document, named(document, $ref))
  return Object.fromEntries(Object.entries(node).map(([key, value]) => [key, resolved(document, value)]))
}

const named = (document: unknown, reference: string): unknown =>
  reference
    .split('/')
    .slice(1)
    .reduce((node, key) => (node as Record<string, unknown>)[key], document)

/** Of several bodies that are taken, the one with the most fields. */
const bodyOf = ({ requestBody }: Described): Schema | undefined =>
  Object.values(requestBody?.content ?? {})
    .flatMap(({ schema }) => schema?.anyOf ?? schema ?? [])
    .toSorted((a, b) => sizeOf(b) - sizeOf(a))[0]

const sizeOf = (schema: Schema): number => Object.keys(schema.properties ?? {}).length

export const readDescription = async (server: Server): Promise<Operation[]> => {
  const answer = await fetch(`${server.address}/api/v1/openapi.json`)
  const document = (await answer.json()) as { paths: object }
  const paths = resolved(document, document.paths) as Record<string, Record<string, Described>>
  return Object.entries(paths).flatMap(([path, byMethod]) =>
    methods.flatMap((method) => {
      const described = byMethod[method]
      if (described === undefined) return []
      return {
        id: described.operationId ?? `${method} ${path}`,
        method: method.toUpperCase(),
        path,
        pathNames: [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1] ?? ''),
        pathParameters: Object.fromEntries(
          (described.parameters ?? []).filter((one) => one.in === 'path').map((one) => [one.name, one]),
        ),
        query: (described.parameters ?? []).filter((one) => one.in === 'query'),
        body: bodyOf(described),
        isSafe: method === 'get',
      }
    }),
  )
}
