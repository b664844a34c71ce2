// Schemas as the description shows them: standard keywords only, examples that fit, and what rooms export by name as named
// models, so that a client that is made from the description has types.
import { type Schema, sampleOf, sampleOfFields } from './samples.js'

/** Objects that may hold anything: a keeper's free values, the keys of a server, a record. */
const isFree = ({ type, properties = {}, additionalProperties: more }: Schema): boolean =>
  type === 'object' &&
  Object.keys(properties).length === 0 &&
  (more === true || (isSchema(more) && Object.keys(more).length === 0))

/** Of the same content, whatever is said about it. Free objects have none, so their examples tell them apart. */
const contentOf = ({ description: _, examples, ...rest }: Schema): string =>
  JSON.stringify(isFree(rest) ? { ...rest, examples } : rest)

const isSchema = (value: unknown): value is Schema => typeof value === 'object' && value !== null

const isObjectSchema = (schema: Schema): boolean =>
  schema.type === 'object' && Object.keys(schema.properties ?? {}).length > 0

/** What can have a name: an object that says what is in it, or one of several things. */
const isNameable = (schema: Schema): boolean =>
  isObjectSchema(schema) ||
  schema.anyOf !== undefined ||
  (schema.type === 'object' && (schema.additionalProperties === true || isSchema(schema.additionalProperties)))

/** `FormView` is the form as it is shown: to a client it is the form. */
const modelName = (name: string): string => name.replace(/View$/, '')

/** Parameters are described one by one. */
const isModel = (name: string, schema: unknown): boolean =>
  isSchema(schema) && !/(Params|Query)$/.test(name) && isNameable(schema)

/** Of what rooms export, the models; what holds another is longer than it, and comes after it. */
export const modelsIn = (exported: Readonly<Record<string, unknown>>): [string, Schema][] => {
  const models = Object.entries(exported).filter(([name, schema]) => isModel(name, schema)) as [string, Schema][]
  const sizes = new Map(models.map(([, schema]) => [schema, JSON.stringify(schema).length]))
  return models.sort(([, a], [, b]) => (sizes.get(a) ?? 0) - (sizes.get(b) ?? 0))
}

export class Models {
  /** Those that something refers to. */
  readonly used: Record<string, Schema> = {}
  readonly #nameOf = new Map<string, string>()
  readonly #named = new Map<string, Schema>()

  /** In the order of `modelsIn`. */
  add(exportedName: string, schema: Schema): void {
    const short = modelName(exportedName)
    this.#name(this.#named.has(short) ? exportedName : short, this.#described(schema))
  }

  /** As it is shown; a reference where it is a model. */
  describe(schema: object): Schema {
    return this.#referred(this.#described(schema as Schema))
  }

  /** As `describe`; an object without a name gets this one. */
  describeAs(name: string, schema: object): Schema {
    const described = this.#described(schema as Schema)
    if (isObjectSchema(described) || described.anyOf !== undefined) this.#name(name, described)
    if (described.type === 'array' && described.items !== undefined && !('$ref' in described.items)) {
      return { ...described, items: this.describeAs(name, described.items) }
    }
    return this.#referred(described)
  }

  #name(name: string, described: Schema): void {
    const content = contentOf(described)
    if (this.#nameOf.has(content)) return
    const free = this.#free(name)
    this.#nameOf.set(content, free)
    this.#named.set(free, described)
  }

  #free(name: string): string {
    if (!this.#named.has(name)) return name
    let number = 2
    while (this.#named.has(`${name}${number}`)) number += 1
    return `${name}${number}`
  }

  #referred(described: Schema): Schema {
    const name = isNameable(described) ? this.#nameOf.get(contentOf(described)) : undefined
    const model = name === undefined ? undefined : this.#named.get(name)
    if (name === undefined || model === undefined) return described
    this.#use(name, model)
    const { description } = described
    const isOwn = description !== undefined && description !== model.description
    return { $ref: `#/components/schemas/${name}`, ...(isOwn && { description }) }
  }

  #use(name: string, model: Schema): void {
    if (this.used[name] !== undefined) return
    this.used[name] = model
    for (const [, inner] of JSON.stringify(model).matchAll(/"#\/components\/schemas\/(\w+)"/g)) {
      const other = this.#named.get(inner ?? '')
      if (other !== undefined) this.#use(inner ?? '', other)
    }
  }

  /** The parts are described, the whole is not referred to. */
  #described(schema: Schema): Schema {
    if (schema['x-file'] === true) return fileOf(schema)
    const nullable = nullableObject(schema)
    if (nullable !== undefined) return { anyOf: [this.describe(nullable), { type: 'null' }] }
    const shown: Schema = {}
    for (const [key, value] of Object.entries(schema)) if (!key.startsWith('x-')) shown[key] = value
    if (schema.properties !== undefined) {
      shown.properties = Object.fromEntries(
        Object.entries(schema.properties).map(([name, inner]) => [name, this.describe(inner)]),
      )
    }
    if (schema.items !== undefined) shown.items = this.describe(schema.items)
    if (schema.anyOf !== undefined) shown.anyOf = schema.anyOf.map((one) => this.describe(one))
    if (isSchema(schema.additionalProperties)) shown.additionalProperties = this.describe(schema.additionalProperties)
    const fields = schema.examples === undefined ? sampleOfFields(schema) : undefined
    if (fields !== undefined) shown.examples = [fields]
    if (schema.examples !== undefined) shown.examples = schema.examples.map((example) => sampleOf(schema, example))
    return shown
  }
}

/** "An object or null" is said with two types, so that a serializer is quick; a model and null are two schemas. */
const nullableObject = (schema: Schema): Schema | undefined => {
  const isNullable = Array.isArray(schema.type) && schema.type.includes('object') && schema.type.includes('null')
  return isNullable && schema.properties !== undefined ? { ...schema, type: 'object' } : undefined
}

const fileOf = ({ description }: Schema): Schema => ({
  type: 'string',
  format: 'binary',
  ...(description !== undefined && { description }),
})
