// Every body, query and path is validated by its route's schema; all faults are reported at once, in the words that
// clients of this API family know.
import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv'
import addFormats from 'ajv-formats'
import type { FastifySchemaCompiler } from 'fastify'
import type { Static, TSchema } from '../schema/index.js'
import { coerce, type Property, propertiesOf } from './coercion.js'
import { type AppError, badRequest, type FieldErrors, invalid } from './errors.js'
import { textFault } from './text-faults.js'

/** Words for one keyword of a schema, in place of the standard ones: `{ 'x-messages': { pattern: '…' } }`. */
type Messages = Readonly<Record<string, string>>

/** A rule that no keyword can say: answers what is wrong with a text, or undefined. As `{ 'x-check': check }`. */
export type Check = (text: string) => string | undefined

// Whether what routes take is described by schemas is tested, not asked at run time: compiling the schema of schemas takes
// 50 ms.
const ajv = new Ajv({ allErrors: true, verbose: true, strict: true, strictTypes: false, validateSchema: false })
ajv.addVocabulary(['x-messages', 'x-verbatim', 'x-unchecked', 'x-file'])
ajv.addKeyword({
  keyword: 'x-check',
  type: 'string',
  // Ajv hands a function in a schema through as it is; it calls it with the text and words the fault itself.
  compile: (check: unknown, parent) => {
    const { maxLength = Number.POSITIVE_INFINITY } = parent as { maxLength?: number }
    const validate: { (text: string): boolean; errors?: object[] } = (text) => {
      // A text that is too long is refused for that alone: normalizing a megabyte takes minutes.
      const isTooLong = text.length > maxLength * 2
      const message = isTooLong ? undefined : (check as Check)(text)
      validate.errors = message === undefined ? [] : [{ keyword: 'x-check', params: { message } }]
      return message === undefined
    }
    return validate
  },
  errors: true,
})
// The package has no ES module face: its default export arrives one level deeper under `nodenext`.
addFormats.default(ajv, ['email', 'uri', 'date-time'])

const emailSchema = { type: 'string', format: 'email' } as const

/** For checks that allow something besides an address. */
export const isEmail = (text: string): boolean => ajv.validate(emailSchema, text)

export const validatorCompiler: FastifySchemaCompiler<TSchema> = ({ schema, httpPart }) => {
  // A body whose shape depends on what it holds is described by its route and read there with `readBody`.
  if ((schema as { 'x-unchecked'?: boolean })['x-unchecked'] === true) return (data: unknown) => ({ value: data })
  const check = checker(schema)
  return (data: unknown) => {
    const given = data ?? {}
    if (!isPlainObject(given)) return { error: invalid({ non_field_errors: [notAnObject(given)] }) }
    const faults = check(given)
    return Object.keys(faults).length === 0 ? { value: given } : { error: errorFor(httpPart, faults) }
  }
}

/** For a route that chooses between several forms of a body; anything but an object counts as empty. */
export const readBody = <S extends TSchema>(schema: S): ((data: unknown) => Static<S>) => {
  const check = checker(schema)
  return (data) => {
    const given = isPlainObject(data) ? data : {}
    const faults = check(given)
    if (Object.keys(faults).length > 0) throw invalid(faults)
    return given as Static<S>
  }
}

/** By the text of what they demand. */
const validators = new Map<string, ValidateFunction>()
const validatorOfProperty = new WeakMap<Property, ValidateFunction>()
const namesOfChecks = new WeakMap<Check, string>()

/** Compiled when a field of its kind is first sent, and shared by all fields that demand the same: a list takes sixty
 * options of three kinds, and compiling them all held its first request, and everybody else's, for 60 ms. */
export const validatorOf = (property: Property): ValidateFunction => {
  const known = validatorOfProperty.get(property)
  if (known !== undefined) return known
  const { description: _, examples: __, ...rules } = property
  const demands = JSON.stringify(rules, (_key, value) => (typeof value === 'function' ? nameOf(value) : value))
  const validate = validators.get(demands) ?? ajv.compile(property as TSchema)
  validators.set(demands, validate)
  validatorOfProperty.set(property, validate)
  return validate
}

let namedChecks = 0
const nameOf = (check: Check): string => {
  const name = namesOfChecks.get(check) ?? `check ${++namedChecks}`
  namesOfChecks.set(check, name)
  return name
}

/** Every field that was sent is checked by its own part of the schema. */
const checker = (schema: TSchema) => {
  const properties = Object.entries(propertiesOf(schema))
  const { required = [] } = schema as { required?: readonly string[] }
  return (given: Record<string, unknown>): Record<string, string[]> => {
    const faults = coerce(schema, given)
    for (const name of required) if (given[name] === undefined) faults[name] = ['This field is required.']
    for (const [name, property] of properties) {
      if (given[name] === undefined || faults[name] !== undefined) continue
      const messages = faultsOf(property, given[name])
      if (messages.length > 0) faults[name] = messages
    }
    return faults
  }
}

const faultsOf = (property: Property, value: unknown): string[] => {
  const fault = textFault(value)
  if (fault !== undefined) return [fault]
  const validate = validatorOf(property)
  return validate(value) ? [] : messagesFor(validate.errors ?? [])
}

const isPlainObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const errorFor = (httpPart: string | undefined, faults: FieldErrors): AppError =>
  httpPart === 'body'
    ? invalid(faults)
    : badRequest(
        Object.entries(faults)
          .map(([name, messages]) => `${name}: ${[messages].flat().join(' ')}`)
          .join(' '),
      )

const messagesFor = (errors: readonly ErrorObject[]): string[] => {
  // Of a value of the wrong type, everything else is wrong too.
  const wrongTypes = errors.filter(({ keyword }) => keyword === 'type')
  const messages = new Set((wrongTypes.length > 0 ? wrongTypes : errors).map(messageFor))
  // A blank text also fails pattern and format: one message is enough.
  return messages.has(blank) ? [blank] : [...messages]
}

const blank = 'This field may not be blank.'

const typeMessages: Readonly<Record<string, string>> = {
  string: 'Not a valid string.',
  integer: 'A valid integer is required.',
  number: 'A valid number is required.',
  boolean: 'Must be a valid boolean.',
  object: 'Expected an object.',
  array: 'Expected a list of items.',
}

const formatMessages: Readonly<Record<string, string>> = {
  email: 'Enter a valid email address.',
  uri: 'Enter a valid URL.',
}

const messageFor = ({ keyword, params, data, parentSchema }: ErrorObject): string => {
  const own = (parentSchema as { 'x-messages'?: Messages } | undefined)?.['x-messages']?.[keyword]
  if (data === '' && keyword !== 'required') return blank
  if (own !== undefined) return own.replaceAll('{value}', () => shown(data))
  switch (keyword) {
    case 'required':
      return 'This field is required.'
    case 'x-check':
      return String(params.message)
    case 'type':
      return data === null ? 'This field may not be null.' : (typeMessages[[params.type].flat()[0]] ?? 'Invalid value.')
    case 'minLength':
      return `Ensure this field has at least ${params.limit} characters.`
    case 'maxLength':
      return `Ensure this field has no more than ${params.limit} characters.`
    case 'minimum':
      return `Ensure this value is greater than or equal to ${params.limit}.`
    case 'maximum':
      return `Ensure this value is less than or equal to ${params.limit}.`
    case 'format':
      return formatMessages[String(params.format)] ?? 'Enter a valid value.'
    case 'enum':
      return `"${shown(data)}" is not a valid choice.`
    default:
      return 'Enter a valid value.'
  }
}

/** What was sent, as far as it helps. */
const shown = (data: unknown): string => (typeof data === 'string' ? data.slice(0, 100) : typeof data)

const notAnObject = (value: unknown): string => {
  const kinds: Readonly<Record<string, string>> = { string: 'str', number: 'number', boolean: 'bool' }
  const kind = Array.isArray(value) ? 'list' : (kinds[typeof value] ?? 'null')
  return `Invalid data. Expected a dictionary, but got ${kind}.`
}
