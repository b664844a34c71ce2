// One operation on a page of the documentation: what it takes, what it answers, and a form to try it.
import { escapeHtml } from '../http/index.js'
import type { Document, Operation } from './description.js'
import { curlOf } from './page-curl.js'
import {
  exampleOf,
  fieldsOf,
  inline,
  type Listed,
  modelOf,
  parametersIn,
  parametersOf,
  prose,
  resolve,
  typeOf,
} from './page-parts.js'
import type { Parameter } from './parameters.js'
import type { Schema } from './samples.js'

export const signature = ({ method, path }: Listed): string =>
  `<span class="method ${method}">${method.toUpperCase()}</span> <span class="path">${escapeHtml(path)}</span>`

const example = (document: Document, schema: Schema): string =>
  escapeHtml(JSON.stringify(exampleOf(document, schema), null, 2))

export const operationHtml = (document: Document, listed: Listed): string => {
  const { operation } = listed
  const { operationId, summary, description } = operation
  return `<details class="operation" id="${escapeHtml(operationId)}">
<summary>${signature(listed)}<span class="words">${inline(summary)}</span></summary>
<div>
${description === undefined ? '' : prose(description)}
<p class="soft">${whoMay(operation)} <a href="#${escapeHtml(operationId)}">Link to this</a></p>
${parametersOf(parametersIn(document, operation))}
${bodyHtml(document, operation)}
${answersHtml(document, operation)}
<h3>With curl</h3><pre class="curl">${escapeHtml(curlOf(document, listed))}</pre>
${tryHtml(document, listed)}
</div>
</details>`
}

const whoMay = ({ security }: Operation): string => {
  const scopes = security.flatMap((one) => (one as { oauth?: string[] }).oauth ?? [])
  const isOpen = security.length === 0 || security.some((one) => Object.keys(one).length === 0)
  const who = isOpen ? 'Also without an account.' : 'Needs an account.'
  return scopes.length === 0 ? who : `${who} Programs need the scope <code>${scopes.join(' ')}</code>.`
}

const bodyHtml = (document: Document, { requestBody }: Operation): string => {
  if (requestBody === undefined) return ''
  const encodings = Object.entries(requestBody.content)
  const [first] = encodings
  const fields = first === undefined ? '' : fieldsOf(document, first[1].schema)
  const words = first === undefined ? undefined : modelOf(document, first[1].schema).description
  const names = encodings.map(([encoding]) => `<code>${escapeHtml(encoding)}</code>`).join(', ')
  return `<h3>Body</h3><p class="soft">${names}</p>${words === undefined ? '' : prose(words)}${fields}`
}

const answersHtml = (document: Document, { responses }: Operation): string => {
  const statuses = Object.entries(responses)
  const successes = statuses
    .filter(([status]) => Number(status) < 300)
    .map(([status, one]) => {
      const { description, content = {} } = resolve(document.components.responses, one)
      const types = Object.entries(content)
      const shown = types.map(([type, { schema }]) => `<code>${escapeHtml(type)}</code> ${typeOf(schema)}`)
      const json = content['application/json']?.schema
      const sample =
        json === undefined ? '' : `<details><summary>Example</summary><pre>${example(document, json)}</pre></details>`
      return `<dt><strong>${status}</strong> ${inline(description)}</dt><dd><span class="soft">${shown.join(', ')}</span>${sample}</dd>`
    })
  const others = statuses
    .filter(([status]) => Number(status) >= 300)
    .map(([status, one]) => {
      const { description } = resolve(document.components.responses, one)
      return `<dt class="soft"><strong>${status}</strong> ${inline(description)}</dt>`
    })
  return `<h3>Answers</h3><dl>${successes.join('')}</dl><details><summary>Others</summary><dl>${others.join('')}</dl></details>`
}

/** What the segment before it names: the `forms` of `/forms/{pk}`. */
const resourceOf = (path: string, name: string): string =>
  path
    .slice(0, path.indexOf(`{${name}}`))
    .split('/')
    .filter(Boolean)
    .at(-1) ?? ''

/** One account's own name would be refused to everybody else. */
const inputHtml = (path: string, { name, in: place, schema }: Parameter): string => {
  const hint = schema.examples?.[0] === undefined ? '' : ` placeholder="${escapeHtml(String(schema.examples[0]))}"`
  const of = place === 'path' ? ` data-of="${escapeHtml(resourceOf(path, name))}" required` : ''
  return `<label>${escapeHtml(name)}<input name="${escapeHtml(name)}" data-in="${place}"${of}${hint} autocomplete="off"></label>`
}

const multipart = 'multipart/form-data'
const json = 'application/json'

const partsHtml = (document: Document, schema: Schema): string =>
  Object.entries(modelOf(document, schema).properties ?? {})
    .map(([name, field]) => {
      const kind = field.format === 'binary' ? ' type="file"' : ''
      return `<label>${escapeHtml(name)}<input name="${escapeHtml(name)}"${kind} autocomplete="off"></label>`
    })
    .join('')

const bodyInputs = (document: Document, { requestBody }: Operation): string => {
  const content = requestBody?.content ?? {}
  // The rest carries the same as one of these.
  const encodings = [json, multipart].filter((one) => content[one] !== undefined)
  if (encodings.length === 0) return ''
  const choices = encodings.map((one) => `<option>${one}</option>`).join('')
  const parts = encodings.map((one, index) => {
    const { schema = {} } = content[one] ?? {}
    const inputs =
      one === json
        ? `<textarea spellcheck="false" aria-label="Body">${example(document, schema)}</textarea>`
        : partsHtml(document, schema)
    return `<div data-encoding="${one}"${index === 0 ? '' : ' hidden'}>${inputs}</div>`
  })
  return `<label>Body<select class="encoding">${choices}</select></label>${parts.join('')}`
}

const tryHtml = (document: Document, { method, path, operation }: Listed): string => {
  const parameters = parametersIn(document, operation)
  const inPath = parameters.filter((one) => one.in === 'path')
  const inQuery = parameters.filter((one) => one.in === 'query')
  const query = inQuery.map((one) => inputHtml(path, one)).join('')
  return `<h3>Try</h3>
<form class="try" data-method="${method.toUpperCase()}" data-path="${escapeHtml(path)}">
${inPath.map((one) => inputHtml(path, one)).join('')}
${query === '' ? '' : `<details><summary>Query</summary>${query}</details>`}
${bodyInputs(document, operation)}
<p><button>Send</button></p>
<div class="answer" aria-live="polite"></div>
</form>`
}
