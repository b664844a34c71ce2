// The documentation as plain pages: one that lists everything, one for each group of operations. They are made on the
// server, once; a browser has nothing to draw but HTML.
import { createHash } from 'node:crypto'
import { docsPath, escapeHtml } from '../http/index.js'
import type { Document } from './description.js'
import { operationHtml, signature } from './page-operation.js'
import { fieldsOf, inline, type Listed, modelPages, pageOfModel, prose, slugOf, typeOf } from './page-parts.js'

/** Scripts, styles and calls: from this server and to it alone. */
export const docsPolicy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'"

export interface Asset {
  readonly name: string
  readonly type: string
  readonly text: string
}

/** Changes with its bytes, so that it can be kept for ever. */
const addressOf = ({ name, text }: Asset): string =>
  `${docsPath}/${name}?v=${createHash('sha256').update(text).digest('base64url').slice(0, 12)}`

const operationsOf = ({ paths }: Document, tag: string): Listed[] =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, operation]) => operation.tags[0] === tag)
      .map(([method, operation]) => ({ method, path, operation })),
  )

/** Names that are written in a way of their own. */
const spelled = new Map([
  ['api', 'API'],
  ['oauth', 'OAuth'],
  ['openrosa', 'OpenRosa'],
])

const capital = (text: string): string => spelled.get(text) ?? text.charAt(0).toUpperCase() + text.slice(1)

const signIn = `<details class="sign-in"><summary>Sign in · <output>calls are made as nobody</output></summary>
<form>
<p class="soft">A username or e-mail address and a password; or no name, and the API token. Kept in this tab until it is closed.</p>
<label>Name<input name="name" autocomplete="username"></label>
<label>Password or token<input name="secret" type="password" autocomplete="current-password"></label>
<p><button>Use</button></p>
</form></details>`

export class DocumentationPages {
  readonly #document: Document
  readonly #title: string
  readonly #head: string
  readonly #pages = new Map<string, string>()

  constructor(document: Document, title: string, { style, script }: { style: Asset; script: Asset }) {
    this.#document = document
    this.#title = title
    this.#head = `<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="icon" href="/favicon.svg">
<link rel="stylesheet" href="${addressOf(style)}">
<script src="${addressOf(script)}" defer></script>`
  }

  /** Of the group with this name in the address, or of all of them; undefined: there is none. */
  find(slug: string): string | undefined {
    const known = this.#pages.get(slug)
    if (known !== undefined) return known
    const made = this.#make(slug)
    if (made !== undefined) this.#pages.set(slug, made)
    return made
  }

  #make(slug: string): string | undefined {
    if (slug === '') return this.#index()
    const models = modelPages.find((one) => one.slug === slug)
    if (models !== undefined) return this.#models(models)
    const tag = this.#document.tags.find(({ name }) => slugOf(name) === slug)
    return tag && this.#group(tag)
  }

  #index(): string {
    const { info, tags } = this.#document as Document & { info: { description: string; version: string } }
    const groups = tags.map(({ name, description }) => {
      const address = `${docsPath}/${slugOf(name)}`
      const items = operationsOf(this.#document, name).map(
        (one) =>
          `<li><a href="${address}#${escapeHtml(one.operation.operationId)}">${inline(one.operation.summary)}</a><br>${signature(one)}</li>`,
      )
      return `<section><h2><a href="${address}">${escapeHtml(capital(name))}</a></h2><p>${inline(description)}</p>
<details><summary class="soft">${items.length} operations</summary><ul class="list">${items.join('')}</ul></details></section>`
    })
    return this.#page(
      this.#title,
      `<h1>${escapeHtml(this.#title)}</h1><p class="soft">Version ${escapeHtml(info.version)} · <a href="/api/v1/openapi.json">OpenAPI description</a></p>
${prose(info.description)}
<label>Find <kbd>/</kbd><input class="filter" type="search" placeholder="share a form" autocomplete="off"></label>
<p class="nothing" role="status" hidden>Nothing is called so.</p>
${groups.join('\n')}`,
    )
  }

  #group({ name, description }: Document['tags'][number]): string {
    const operations = operationsOf(this.#document, name).map((one) => operationHtml(this.#document, one))
    return this.#page(
      `${capital(name)} · ${this.#title}`,
      `<p><a href="${docsPath}">All operations</a></p>
<h1>${escapeHtml(capital(name))}</h1>${prose(description)}
${signIn}
${operations.join('\n')}`,
    )
  }

  #models({ slug, title }: (typeof modelPages)[number]): string {
    const all = Object.entries(this.#document.components.schemas)
    const own = all.filter(([name]) => pageOfModel(name).slug === slug)
    const models = own.map(([name, model]) => {
      // What one operation alone takes or answers has its example there.
      const examples = /(Body|Fields|Answer\d*)$/.test(name) ? undefined : model.examples?.[0]
      const sample =
        examples === undefined
          ? ''
          : `<details><summary>Example</summary><pre>${escapeHtml(JSON.stringify(examples, null, 2))}</pre></details>`
      return `<details class="operation" id="${escapeHtml(name)}"><summary>${escapeHtml(name)}</summary>
<div>${model.description === undefined ? '' : prose(model.description)}${fieldsOf(this.#document, model) || `<p>${typeOf(model)}</p>`}${sample}</div></details>`
    })
    return this.#page(
      `${title} · ${this.#title}`,
      `<p><a href="${docsPath}">All operations</a></p>
<h1>${title}</h1><p>What operations take and answer, by name. A client that is made from the description calls them so too.</p>
${models.join('\n')}`,
    )
  }

  /** After the page for those who read on, beside it where there is room. */
  #groups(): string {
    const groups = this.#document.tags.map(({ name }) => ({ slug: slugOf(name), title: capital(name) }))
    const links = [...groups, ...modelPages].map(
      ({ slug, title }) => `<li><a href="${docsPath}/${slug}">${escapeHtml(title)}</a></li>`,
    )
    return `<nav class="groups" aria-label="Groups"><ul>${links.join('')}</ul></nav>`
  }

  #page(title: string, body: string): string {
    return `<!doctype html>
<html lang="en">
<head>
${this.#head}
<title>${escapeHtml(title)}</title>
</head>
<body>
<main>
${body}
</main>
${this.#groups()}
</body>
</html>
`
  }
}
