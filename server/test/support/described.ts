// Every answer of the suite is held against the description: its status, its media type, and the shape of JSON.

import { subscribe } from 'node:diagnostics_channel'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import type { FastifyInstance, FastifyReply, FastifyRequest, LightMyRequestResponse } from 'fastify'
import type { HttpServer, RouteEntry } from '../../src/platform/http/index.js'
import { Models } from '../../src/platform/openapi/models.js'
import { Responses } from '../../src/platform/openapi/responses.js'

export interface Answer {
  readonly method: string
  /** As the route has it: `/api/v1/forms/:pk`. */
  readonly route: string
  readonly status: number
  readonly type: string
  /** Undefined for a stream, whose bytes are not looked at. */
  readonly body: string | undefined
}

interface Response {
  readonly $ref?: string
  readonly content?: Readonly<Record<string, { readonly schema: object }>>
}

/** What is longer is as well tested by what is shorter, and faster. */
const longestBody = 200_000

/** What the description says, made for those operations that are called: all of them take longer than most tests do.
 * `openapi.test.ts` shows that the whole says the same. */
export class Described {
  readonly #entries = new Map<string, RouteEntry>()
  readonly #models = new Models()
  readonly #responses = new Responses(this.#models)
  readonly #made = new Map<RouteEntry, Record<string, Response | undefined>>()
  readonly #ajv = new Ajv2020({
    strict: false,
    formats: { binary: true },
    allErrors: true,
    // Compiling is most of what this takes.
    code: { optimize: false },
    meta: false,
    validateSchema: false,
  })
  readonly #validators = new Map<object, ValidateFunction>()

  constructor(entries: readonly RouteEntry[]) {
    for (const entry of entries) {
      if (entry.route.schema?.hide !== true) this.#entries.set(`${entry.method} ${entry.url}`, entry)
    }
    addFormats.default(this.#ajv)
  }

  /** By status, with the models that they refer to; undefined for what is not in the description. */
  answersTo(
    method: string,
    route: string,
  ): { responses: Record<string, Response | undefined>; models: object } | undefined {
    // Of HEAD and GET, the description has GET.
    const read = method === 'HEAD' ? this.#entries.get(`GET ${route}`) : undefined
    const entry = read ?? this.#entries.get(`${method} ${route}`)
    if (entry === undefined) return undefined
    const responses = this.#made.get(entry) ?? (this.#responses.of(entry) as Record<string, Response | undefined>)
    this.#made.set(entry, responses)
    return { responses, models: this.#models.used }
  }

  /** What several operations answer with. */
  get shared(): object {
    return this.#responses.shared
  }

  /** How an answer differs from the description, or undefined. */
  faultOf(answer: Answer): string | undefined {
    const { method, route, status, body = '' } = answer
    const answers = this.answersTo(method, route)
    // Not in the description: OPTIONS, and methods that a path does not have.
    if (answers === undefined || status === 405) return undefined
    const fault = this.#faultIn(answer, this.#resolved(answers.responses[status]))
    return fault && `${method} ${route} ${status}: ${fault.slice(0, 500)}: ${body.slice(0, 300)}`
  }

  #faultIn({ method, status, type, body }: Answer, response: Response | undefined): string | undefined {
    // What went wrong on our side is not promised.
    if (response === undefined) return status >= 500 ? undefined : 'the status is not described'
    // What the framework leaves out of these it has already been handed.
    if (method === 'HEAD' || status === 204 || body === '') return undefined
    if (response.content === undefined) return 'a body is not described'
    const media = this.#mediaOf(response.content, type)
    if (media === undefined) return `the media type ${type} is not described`
    // Bytes of whatever type somebody stored.
    if ((media.schema as { format?: string }).format === 'binary') return undefined
    if (!/json/.test(type) || body === undefined || body.length > longestBody) return undefined
    const validate = this.#validatorOf(media.schema)
    return validate(JSON.parse(body)) ? undefined : this.#ajv.errorsText(validate.errors)
  }

  #resolved(response: Response | undefined): Response | undefined {
    const name = response?.$ref?.split('/').at(-1)
    return name === undefined ? response : this.#responses.shared[name]
  }

  #mediaOf(content: NonNullable<Response['content']>, type: string) {
    return content[type.split(';', 1)[0] ?? ''] ?? content['*/*']
  }

  #validatorOf(schema: object): ValidateFunction {
    const known = this.#validators.get(schema)
    if (known !== undefined) return known
    const validate = this.#ajv.compile({ ...schema, components: { schemas: this.#models.used } })
    this.#validators.set(schema, validate)
    return validate
  }
}

/** Of one worker: its applications have the same routes. */
let described: Described | undefined
const faults = new WeakMap<FastifyInstance, string[]>()
/** Requests whose answers nobody has looked at yet: those of libraries do not come past the hook, and streams come as such. */
const unseen = new WeakMap<object, { readonly method: string; readonly route: string }>()

const note = (app: FastifyInstance, answer: Answer): void => {
  const fault = described?.faultOf(answer)
  if (fault !== undefined) faults.get(app)?.push(fault)
}

const textOf = (payload: unknown): string | undefined => {
  if (payload === null || payload === undefined) return ''
  return typeof payload === 'string' || Buffer.isBuffer(payload) ? String(payload) : undefined
}

const look = (app: FastifyInstance, request: FastifyRequest, reply: FastifyReply, payload: unknown): void => {
  const asked = unseen.get(request.raw)
  const body = textOf(payload)
  if (asked === undefined) return
  const type = String(reply.getHeader('content-type') ?? '')
  // Packed, it is as unknown as a stream.
  const isPacked = reply.hasHeader('content-encoding') && body !== ''
  note(app, { ...asked, status: reply.statusCode, type, body: isPacked ? undefined : body })
  if (body !== undefined) unseen.delete(request.raw)
}

// Before any room is there, so that no answer gets past it, whichever way it was asked for.
subscribe('fastify.initialization', (message) => {
  const { fastify } = message as { fastify: FastifyInstance }
  faults.set(fastify, [])
  fastify.addHook('onRequest', (request, _reply, done) => {
    const { url: route } = request.routeOptions
    if (described !== undefined && route !== undefined && !request.is404) {
      unseen.set(request.raw, { method: request.method, route })
    }
    done()
  })
  fastify.addHook('onSend', (request, reply, payload, done) => {
    look(fastify, request, reply, payload)
    done()
  })
})

/** Answers are held against the description from here on. */
export const holdAgainstDescription = ({ routes }: Pick<HttpServer, 'routes'>): void => {
  described ??= new Described(routes.entries)
}

/** Throws what was found since it was last asked; an answer that is whole now is looked at as a whole. */
export const throwUndescribed = (app: FastifyInstance, answer?: LightMyRequestResponse): void => {
  const asked = answer && unseen.get(answer.raw.req)
  if (answer !== undefined && asked !== undefined) {
    const { 'content-type': type = '', 'content-encoding': encoding } = answer.headers
    const body = encoding === undefined ? answer.body : undefined
    note(app, { ...asked, status: answer.statusCode, type: String(type), body })
  }
  const found = faults.get(app)?.splice(0) ?? []
  if (found.length > 0) throw new Error(`Not as described:\n${found.join('\n')}`)
}
