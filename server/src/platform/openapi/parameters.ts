// Parameters of the path and the query, as the description shows them.
import type { Models } from './models.js'
import type { Schema } from './samples.js'

export interface Parameter {
  readonly name: string
  readonly in: 'path' | 'query'
  readonly required?: true
  readonly description?: string
  readonly schema: Schema
}

/** What a path holds may be a name too, if it may be longer than an id. */
const longestId = 40

const every = (examples: readonly unknown[], pattern: RegExp): boolean =>
  examples.length > 0 && examples.every((one) => typeof one === 'string' && pattern.test(one))

/** In an address everything is text, and the validator takes it as text so that a room words what is wrong with it. To a
 * client, what is always shown as a number is a number, and what is shown as true or false is a boolean. */
const typed = (schema: Schema, longest: number): Schema => {
  const { examples = [], maxLength, pattern: _, ...rest } = schema
  if (schema.type !== 'string' || schema.enum !== undefined) return schema
  const isShort = typeof maxLength === 'number' && maxLength <= longest
  if (isShort && every(examples, /^\d+$/)) return { ...rest, type: 'integer', examples: examples.map(Number) }
  if (every(examples, /^(true|false)$/)) {
    return { ...rest, type: 'boolean', examples: examples.map((one) => one === 'true') }
  }
  return schema
}

const namesInPath = (url: string): string[] => [...url.matchAll(/:(\w+)/g)].map(([, name = '']) => name)

/** `/forms/:pk` as `/forms/{pk}`; the address of the API itself without its slash. */
export const pathOf = (url: string): string => {
  const path = url.replace(/:(\w+)/g, '{$1}')
  return path === '/' ? path : path.replace(/\/$/, '')
}

export class Parameters {
  /** Those that several operations take. */
  readonly shared: Record<string, Parameter> = {}
  readonly #models: Models
  readonly #seen = new Map<string, { times: number; name?: string }>()

  constructor(models: Models) {
    this.#models = models
  }

  /** Rooms that answer at several addresses describe the parameters of all of them: a path has its own. */
  of(url: string, params: Schema | undefined, query: Schema | undefined): Parameter[] {
    const inPath = namesInPath(url).map((name) => {
      const { description, ...schema } = this.#shown(params?.properties?.[name] ?? { type: 'string' }, longestId)
      return { name, in: 'path', required: true, ...(description && { description }), schema } as const
    })
    const inQuery = Object.entries(query?.properties ?? {}).map(([name, property]) => {
      const { description, ...schema } = this.#shown(property)
      const isRequired = query?.required?.includes(name) === true
      const words = { ...(isRequired && { required: true as const }), ...(description && { description }) }
      return { name, in: 'query', ...words, schema } as const
    })
    return [...inPath, ...inQuery]
  }

  /** Counted first, so that what only one operation takes stays with it. */
  count(parameters: readonly Parameter[]): void {
    for (const parameter of parameters) {
      const key = JSON.stringify(parameter)
      const seen = this.#seen.get(key)
      if (seen === undefined) this.#seen.set(key, { times: 1 })
      else seen.times += 1
    }
  }

  referred(parameter: Parameter): Parameter | { $ref: string } {
    const seen = this.#seen.get(JSON.stringify(parameter))
    if (parameter.in === 'path' || seen === undefined || seen.times < 2) return parameter
    seen.name ??= this.#nameFor(parameter)
    this.shared[seen.name] = parameter
    return { $ref: `#/components/parameters/${seen.name}` }
  }

  #nameFor({ name }: Parameter): string {
    const taken = Object.keys(this.shared).filter((one) => one === name || one.startsWith(`${name}.`)).length
    return taken === 0 ? name : `${name}.${taken + 1}`
  }

  #shown(schema: Schema, longest = Number.POSITIVE_INFINITY): Schema {
    return typed(this.#models.describe(schema), longest)
  }
}
