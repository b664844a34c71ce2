// What an operation answers: by status and by media type.
import { STATUS_CODES } from 'node:http'
import { badRequest, errors, jsonErrors, mediaTypes, type RouteEntry, Unchanged } from '../http/index.js'
import type { Models } from './models.js'
import type { Schema } from './samples.js'

export interface Response {
  readonly description: string
  readonly content?: Readonly<Record<string, { readonly schema: Schema }>>
}

export const pascalCase = (text: string): string =>
  text.replace(/(^|[^A-Za-z0-9])([A-Za-z0-9])/g, (_, __, letter: string) => letter.toUpperCase()).replace(/[^\w]/g, '')

const jsonType = 'application/json'

const isOfApi = (url: string): boolean => url.startsWith('/api/v1')

const isRead = (method: string): boolean => method === 'GET' || method === 'HEAD'

/** What every route of its kind may answer, whatever it does: these are refused before it is asked. */
const statusesOfAll = ({ method, url, route: { config } }: RouteEntry): number[] => {
  const isApi = isOfApi(url)
  const isNegotiated = isApi && config?.formats?.length !== 0
  return [
    400,
    ...(config?.share === 'none' ? [] : [503]),
    // Also a read: a token may lack the scope.
    403,
    ...(isRead(method) ? [] : [413, 415]),
    ...(isApi ? [401, 404, 429] : []),
    ...(isNegotiated ? [406] : []),
  ]
}

/** What a renderer answers with, for programs, for devices and for browsers. */
const errorTypes = ({ url, route: { config } }: RouteEntry): string[] => {
  const { renderError: render = isOfApi(url) ? jsonErrors : undefined } = config ?? {}
  // Outside the API a browser gets a page.
  if (render === undefined) return [jsonType, 'text/html']
  const callers = [{}, { 'content-type': 'multipart/form-data' }, { accept: 'text/html' }]
  const types = callers.map((headers) => render(badRequest(''), '', { headers }).contentType.split(';', 1)[0] ?? '')
  return [...new Set(types)]
}

/** Described by the schema: JSON, or what is JSON under another name where there is no JSON beside it. */
const isOwn = (type: string, types: readonly string[]): boolean =>
  type === jsonType || (/\+json$/.test(type) && types.length === 1)

const isText = (type: string): boolean => /^text\/|\bxml\b|^image\/svg/.test(type)

const shapeOf = (type: string, { examples = [] }: Schema): Schema => {
  // Flow results are rows; GeoJSON is an object.
  if (type === mediaTypes['flow-results']) return { type: 'array', items: { type: 'array', items: {} } }
  if (/\+json$/.test(type)) return { type: 'object' }
  if (!isText(type)) return { type: 'string', format: 'binary' }
  // Of what is also JSON, examples are values.
  const texts = examples.filter((example) => typeof example === 'string')
  return { type: 'string', ...(texts.length > 0 && { examples: texts }) }
}

const ToSignIn: Schema = {
  type: 'null',
  description: 'A browser without credentials is led to the sign-in page, and back.',
}

const leadsToSignIn = ({ method, route: { config } }: RouteEntry): boolean =>
  method === 'GET' && config?.changes !== true

export class Responses {
  /** Those that several operations answer with. */
  readonly shared: Record<string, Response> = {}
  readonly #models: Models
  readonly #made = new WeakMap<Schema, Record<string, Response | { $ref: string }>>()

  constructor(models: Models) {
    this.#models = models
  }

  of(entry: RouteEntry): Record<string, Response | { $ref: string }> {
    const own = (entry.route.schema?.response ?? {}) as Record<string, Schema>
    const common = errors(...statusesOfAll(entry)) as Record<string, Schema>
    const isCached = entry.method === 'GET' && isOfApi(entry.url) && own[200] !== undefined
    const all = {
      ...common,
      ...(leadsToSignIn(entry) && { 302: ToSignIn }),
      ...(isCached && { 304: { ...Unchanged } }),
      ...own,
    }
    return Object.fromEntries(
      Object.entries(all).map(([status, schema]) => [status, this.#response(entry, Number(status), schema)]),
    )
  }

  /** Refusals are few, and most routes have the same. */
  #response(entry: RouteEntry, status: number, schema: Schema): Response | { $ref: string } {
    const key = status < 400 ? '' : `${status} ${this.#typesOf(entry, status, schema).join()}`
    const made = this.#made.get(schema)?.[key] ?? this.#describe(entry, status, schema)
    if (key !== '') this.#made.set(schema, { ...this.#made.get(schema), [key]: made })
    return made
  }

  #describe(entry: RouteEntry, status: number, { 'x-or': others, ...schema }: Schema): Response | { $ref: string } {
    const { description: words, ...own } = schema
    const shown = others === undefined ? own : { anyOf: [own, ...(others as Schema[])] }
    const description = words ?? STATUS_CODES[status] ?? 'An answer.'
    if (schema.type === 'null') return this.#shareable(status, [], { description })
    const types = this.#typesOf(entry, status, schema)
    const name = `${pascalCase(entry.operation)}${status < 300 ? 'Answer' : `Answer${status}`}`
    const content = Object.fromEntries(
      types.map((type) => [
        type,
        { schema: isOwn(type, types) ? this.#models.describeAs(name, shown) : shapeOf(type, own) },
      ]),
    )
    return this.#shareable(status, types, { description, content })
  }

  #typesOf(entry: RouteEntry, status: number, schema: Schema): readonly string[] {
    const named = schema['x-media'] as readonly string[] | undefined
    if (named !== undefined) return named
    if (status >= 300) return errorTypes(entry)
    const { formats = [] } = entry.route.config ?? {}
    return formats.length === 0 ? [jsonType] : [...new Set(formats.map((format) => mediaTypes[format]))]
  }

  /** Refusals are the same everywhere, and named by their status and their media types. */
  #shareable(status: number, types: readonly string[], response: Response): Response | { $ref: string } {
    if (status < 204) return response
    const kinds = types.filter((type) => type !== jsonType).map((type) => pascalCase(type.split('/').at(-1) ?? ''))
    const name = `${pascalCase(STATUS_CODES[status] ?? String(status))}${kinds.join('')}`
    this.shared[name] ??= response
    const isSame = JSON.stringify(this.shared[name]) === JSON.stringify(response)
    return isSame ? { $ref: `#/components/responses/${name}` } : response
  }
}
