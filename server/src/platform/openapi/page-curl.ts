// The same call on a command line.
import type { Document, Operation } from './description.js'
import { exampleOf, type Listed, modelOf, parametersIn } from './page-parts.js'
import type { Parameter } from './parameters.js'
import type { Schema } from './samples.js'

/** The script of the page puts the address of this server in its place. */
const origin = 'https://forms.example.org'

/** As one word of a shell. */
const quoted = (text: string): string => (/^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`)

const filledIn = (path: string, parameters: readonly Parameter[]): string =>
  parameters
    .filter((one) => one.in === 'path')
    .reduce((address, { name, schema }) => address.replace(`{${name}}`, String(schema.examples?.[0] ?? name)), path)

const queryOf = (parameters: readonly Parameter[]): string => {
  const required = parameters.filter((one) => one.in === 'query' && one.required === true)
  const query = new URLSearchParams()
  for (const { name, schema } of required) query.append(name, String(schema.examples?.[0] ?? ''))
  return required.length === 0 ? '' : `?${query}`
}

const asText = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))

const parts = (document: Document, schema: Schema): string[] => {
  const { properties = {}, required = [] } = modelOf(document, schema)
  const files = Object.entries(properties).filter(([, { format }]) => format === 'binary')
  const shown = Object.entries((exampleOf(document, schema) ?? {}) as object).filter(
    ([name]) => properties[name]?.format !== 'binary',
  )
  // One of several files will do, unless all are asked for.
  const sent = files.filter(([name], index) => index === 0 || required.includes(name))
  return [
    ...sent.map(([name]) => `-F ${quoted(`${name}=@${name.replace(/_file$/, '')}`)}`),
    ...(sent.length === 0 ? shown.map(([name, value]) => `-F ${quoted(`${name}=${asText(value)}`)}`) : []),
  ]
}

const bodyOf = (document: Document, { requestBody }: Operation): string[] => {
  const [first] = Object.entries(requestBody?.content ?? {})
  if (first === undefined) return []
  const [encoding, { schema }] = first
  if (encoding === 'multipart/form-data') return parts(document, schema)
  const value = exampleOf(document, schema)
  if (encoding === 'application/json') {
    return ["-H 'content-type: application/json'", `-d ${quoted(JSON.stringify(value))}`]
  }
  return Object.entries(value as object).map(([name, one]) => `--data-urlencode ${quoted(`${name}=${asText(one)}`)}`)
}

export const curlOf = (document: Document, { method, path, operation }: Listed): string => {
  const parameters = parametersIn(document, operation)
  const isOpen = operation.security.length === 0 || operation.security.some((one) => Object.keys(one).length === 0)
  const verb = { get: [], head: ['-I'] }[method] ?? [`-X ${method.toUpperCase()}`]
  return [
    'curl',
    ...verb,
    ...(isOpen ? [] : ["-u 'ana:correct horse'"]),
    ...bodyOf(document, operation),
    quoted(origin + filledIn(path, parameters) + queryOf(parameters)),
  ]
    .join(' \\\n  ')
    .replace(' \\\n  ', ' ')
}
