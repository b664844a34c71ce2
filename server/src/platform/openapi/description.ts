// The API's description, made from the schemas that validate and serialise. It is made when somebody first asks, a few
// operations at a time: all of them at once held everybody else for a tenth of a second.
import { setImmediate } from 'node:timers/promises'
import type { RouteEntry } from '../http/index.js'
import { type RequestBody, requestBodyOf } from './bodies.js'
import { Models, modelsIn } from './models.js'
import { type Parameter, Parameters, pathOf } from './parameters.js'
import { type Response, Responses } from './responses.js'
import type { Schema } from './samples.js'
import { securityOf, securitySchemes } from './security.js'

export interface ApiInfo {
  readonly title: string
  readonly version: string
  readonly description: string
  readonly license: { readonly name: string; readonly identifier: string }
  readonly tags: readonly { readonly name: string; readonly description: string }[]
  /** What rooms export: schemas by name, beside other things. */
  readonly models: Readonly<Record<string, unknown>>
}

type Shared = { readonly $ref: string }

export interface Operation {
  readonly operationId: string
  readonly summary: string
  readonly description?: string
  readonly tags: readonly string[]
  readonly security: readonly object[]
  readonly parameters?: readonly (Parameter | Shared)[]
  readonly requestBody?: RequestBody
  readonly responses: Readonly<Record<string, Response | Shared>>
}

export interface Document {
  readonly openapi: string
  readonly info: object
  readonly servers: readonly { readonly url: string; readonly description: string }[]
  readonly tags: ApiInfo['tags']
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>
    readonly parameters: Readonly<Record<string, Parameter>>
    readonly responses: Readonly<Record<string, Response>>
    readonly securitySchemes: typeof securitySchemes
  }
}

/** What others wait at most while a part of the description is made. */
const turnMilliseconds = 10

export class ApiDescription {
  readonly #routes: readonly RouteEntry[]
  readonly #info: ApiInfo
  #made: Promise<Omit<Document, 'servers'>> | undefined
  #text: { readonly head: string; readonly tail: string } | undefined

  /** Of the routes that are in the table when it is first asked for. */
  constructor(routes: readonly RouteEntry[], info: ApiInfo) {
    this.#routes = routes
    this.#info = info
  }

  /** With the address that the caller used, so that a client made of it calls there. */
  async document(origin: string): Promise<Document> {
    this.#made ??= this.#make()
    const { openapi, info, ...rest } = await this.#made
    return { openapi, info, servers: [{ url: origin, description: 'This server.' }], ...rest }
  }

  /** The document as JSON; what is the same for everybody is written once. */
  async text(origin: string): Promise<string> {
    const { openapi, info, servers, ...rest } = await this.document(origin)
    this.#text ??= { head: JSON.stringify({ openapi, info }).slice(0, -1), tail: JSON.stringify(rest).slice(1) }
    return `${this.#text.head},"servers":${JSON.stringify(servers)},${this.#text.tail}`
  }

  /** Not those for HEAD that follow from GET. */
  #described(): RouteEntry[] {
    const reads = new Set(this.#routes.filter(({ method }) => method === 'GET').map(({ url }) => pathOf(url)))
    return this.#routes.filter(
      ({ method, url, route }) => route.schema?.hide !== true && !(method === 'HEAD' && reads.has(pathOf(url))),
    )
  }

  async #make(): Promise<Omit<Document, 'servers'>> {
    const turns = new Turns()
    const models = new Models()
    for (const [name, schema] of modelsIn(this.#info.models)) {
      models.add(name, schema)
      await turns.next()
    }
    const parameters = new Parameters(models)
    const responses = new Responses(models)
    const entries = this.#described()
    const taken = new Map<RouteEntry, Parameter[]>()
    for (const entry of entries) {
      const { params, querystring } = entry.route.schema ?? {}
      taken.set(entry, parameters.of(entry.url, params as Schema, querystring as Schema))
      parameters.count(taken.get(entry) ?? [])
      await turns.next()
    }
    const paths: Record<string, Record<string, Operation>> = {}
    for (const entry of entries) {
      const { summary = '', description, tags = [] } = entry.route.schema ?? {}
      const requestBody = requestBodyOf(models, entry)
      const own = (taken.get(entry) ?? []).map((one) => parameters.referred(one))
      const path = pathOf(entry.url)
      paths[path] = {
        ...paths[path],
        [entry.method.toLowerCase()]: {
          operationId: entry.operation,
          summary,
          ...(description !== undefined && { description }),
          tags,
          security: securityOf(entry),
          ...(own.length > 0 && { parameters: own }),
          ...(requestBody !== undefined && { requestBody }),
          responses: responses.of(entry),
        },
      }
      await turns.next()
    }
    const { title, version, description, license, tags } = this.#info
    return {
      openapi: '3.1.0',
      info: { title, version, description, license },
      tags,
      paths,
      components: {
        schemas: inOrder(models.used),
        parameters: inOrder(parameters.shared),
        responses: responses.shared,
        securitySchemes,
      },
    }
  }
}

const inOrder = <T>(named: Readonly<Record<string, T>>): Record<string, T> =>
  Object.fromEntries(Object.entries(named).sort(([a], [b]) => (a < b ? -1 : 1)))

/** Lets others go on when this has taken long enough. */
class Turns {
  #since = performance.now()

  async next(): Promise<void> {
    if (performance.now() - this.#since < turnMilliseconds) return
    await setImmediate()
    this.#since = performance.now()
  }
}

declare module 'fastify' {
  interface FastifyInstance {
    /** Of the whole API, for those who test it. */
    readonly description: ApiDescription
  }
}
