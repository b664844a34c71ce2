// Parts of the documentation: words, types, fields. Whatever comes from a schema is escaped here.
import { docsPath, escapeHtml } from '../http/index.js'
import type { Document, Operation } from './description.js'
import type { Parameter } from './parameters.js'
import { type Schema, sampleOf } from './samples.js'

export interface Listed {
  readonly method: string
  readonly path: string
  readonly operation: Operation
}

/** Paragraphs, and what stands between backticks as code. */
export const prose = (text: string): string =>
  text
    .split('\n\n')
    .map((paragraph) => `<p>${inline(paragraph)}</p>`)
    .join('')

export const inline = (text: string): string =>
  escapeHtml(text)
    .split('`')
    .map((part, index) => (index % 2 === 1 ? `<code>${part}</code>` : part))
    .join('')

export const slugOf = (tag: string): string => tag.replaceAll(' ', '-')

/** By the name at the end of a reference; any other thing is itself. */
export const resolve = <T extends object>(
  named: Readonly<Record<string, T>>,
  one: NoInfer<T> | { readonly $ref: string },
): T => ('$ref' in one ? (named[String(one.$ref).split('/').at(-1) ?? ''] as T) : one)

export const modelOf = ({ components }: Document, schema: Schema): Schema =>
  resolve(components.schemas, schema as Schema | { $ref: string })

export const parametersIn = ({ components }: Document, { parameters = [] }: Operation): Parameter[] =>
  parameters.map((one) => resolve(components.parameters, one))

/** A value that fits, of a schema that may refer to a model. */
export const exampleOf = (document: Document, schema: Schema): unknown => {
  const model = modelOf(document, schema)
  const items = model.items === undefined ? undefined : modelOf(document, model.items)
  return model.examples?.[0] ?? (items === undefined ? sampleOf(model) : [items.examples?.[0] ?? sampleOf(items)])
}

/** The models are two pages: as one it took longer to load than any other. */
export const modelPages = [
  { slug: 'models-a-l', title: 'Models A–L' },
  { slug: 'models-m-z', title: 'Models M–Z' },
] as const

export const pageOfModel = (name: string): (typeof modelPages)[number] => modelPages[/^[a-l]/i.test(name) ? 0 : 1]

/** `list of Form`, `text or null`, as HTML; a model leads to its fields. */
export const typeOf = (schema: Schema): string => {
  if (typeof schema.$ref === 'string') {
    const name = escapeHtml(schema.$ref.split('/').at(-1) ?? '')
    return `<a href="${docsPath}/${pageOfModel(name).slug}#${name}">${name}</a>`
  }
  if (schema.anyOf !== undefined) return schema.anyOf.map(typeOf).join(' or ')
  if (schema.enum !== undefined) return escapeHtml(schema.enum.map((one) => JSON.stringify(one)).join(' | '))
  if (schema.format === 'binary') return 'file'
  if (schema.items !== undefined) return `list of ${typeOf(schema.items)}`
  return escapeHtml(
    [schema.type ?? 'anything']
      .flat()
      .join(' or ')
      .replace('string', schema.format ?? 'text'),
  )
}

/** The fields of an object, and of the objects in it; a model in it is a page away. */
export const fieldsOf = (document: Document, schema: Schema): string => {
  const { properties = {}, required = [] } = modelOf(document, schema)
  const fields = Object.entries(properties).map(([name, field]) => {
    const words = field.description ?? modelOf(document, field).description
    const below = fieldsWithin(document, field)
    return definition(name, typeOf(field), required.includes(name), words, below)
  })
  return fields.length === 0 ? '' : `<dl>${fields.join('')}</dl>`
}

const fieldsWithin = (document: Document, field: Schema): string => {
  const inner = field.items ?? field
  return inner.properties === undefined ? '' : fieldsOf(document, inner)
}

const definition = (name: string, type: string, isRequired: boolean, words: string | undefined, below = ''): string =>
  `<dt><code>${escapeHtml(name)}</code> <span class="soft">${type}${isRequired ? ', required' : ''}</span></dt>` +
  (words || below ? `<dd>${words ? inline(words) : ''}${below}</dd>` : '')

interface Group {
  readonly title: string
  readonly purpose: string
  readonly names: RegExp
}

/** Long lists of parameters, by what they are for; the first group that knows a name has it. */
const groups: readonly Group[] = [
  {
    title: 'Pages',
    purpose: 'How much is answered at once. The `Link` header leads to the next page.',
    names: /^(page|page_size|start|limit)$/,
  },
  {
    title: 'Which records',
    purpose: 'A query over answers and built-in fields, their order, and the fields to show.',
    names: /^(query|data|sort|fields|changed_since)$/,
  },
  {
    title: 'Filters',
    purpose:
      'Conditions that must all hold. With `__gt`, `__gte`, `__lt` and `__lte` after its name one compares instead of matching; `__year`, `__month` and `__day` take that part of a date.',
    names: /__|^(date_created|date_modified|last_edited|version|status|uuid|tags|not_tagged|media_all_received|end)$/,
  },
  {
    title: 'Maps and files',
    purpose: 'What GeoJSON shows of a record, and which files a zip holds.',
    names: /^(geo_field|simple_style|title|question)$/,
  },
  {
    title: 'Tables',
    purpose: 'How CSV and spreadsheets are laid out: columns, labels, languages, what stands for several choices.',
    names:
      /^(group_delimiter|.*select_multiples|remove_group_name|include_.*|win_excel_utf8|show_choice_labels|language|repeat_index_tags|raw|na)$/,
  },
  { title: 'Others', purpose: '', names: /^/ },
]

/** Below this there is nothing to be lost in. */
const fewParameters = 12

/** `date_created`, and the names that say the same with an operator or a part of the date. */
const withoutVariants = (parameters: readonly Parameter[]): readonly Parameter[] => {
  const names = new Set(parameters.map(({ name }) => name))
  const isVariant = (name: string) => {
    const stem = name.replace(/(__(year|month|day))?(__(gte?|lte?))?$/, '')
    return stem !== name && names.has(stem)
  }
  return parameters.filter(({ name }) => !isVariant(name))
}

const listed = (parameters: readonly Parameter[]): string =>
  `<dl>${parameters
    .map(({ name, required, schema, description }) => definition(name, typeOf(schema), required === true, description))
    .join('')}</dl>`

export const parametersOf = (parameters: readonly Parameter[]): string => {
  if (parameters.length === 0) return ''
  if (parameters.length < fewParameters) return `<h3>Parameters</h3>${listed(parameters)}`
  const inPath = parameters.filter((one) => one.in === 'path')
  const left = new Set(parameters)
  const path = inPath.length === 0 ? '' : `<h3>In the path</h3>${listed(inPath)}`
  const queries = groups.map(({ title, purpose, names }) => {
    const own = [...left].filter(({ name, in: place }) => place === 'query' && names.test(name))
    for (const one of own) left.delete(one)
    if (own.length === 0) return ''
    return `<h3>${title}</h3>${purpose === '' ? '' : prose(purpose)}${listed(withoutVariants(own))}`
  })
  return path + queries.join('')
}
