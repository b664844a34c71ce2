// The pages that describe the API, to read and to try it.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Room } from '../../platform/deps.js'
import {
  docsPath,
  errors,
  Html,
  htmlErrors,
  inMedia,
  Kept,
  notFound,
  tokens,
  Unchanged,
} from '../../platform/http/index.js'
import { type ApiDescription, type Asset, DocumentationPages, docsPolicy } from '../../platform/openapi/index.js'
import { Type } from '../../platform/schema/index.js'

interface Documentation {
  readonly title: string
  readonly description: ApiDescription
  readonly staticFolder: string
}

const pageType = 'text/html; charset=utf-8'

export const docsRoutes =
  ({ title, description, staticFolder }: Documentation): Room =>
  async (app) => {
    const asset = async (name: string, type: string): Promise<Asset> => ({
      name,
      type: `${type}; charset=utf-8`,
      text: await readFile(join(staticFolder, name), 'utf8'),
    })
    const own = await asset('docs.css', 'text/css')
    const style = { ...own, text: `${tokens}\n${own.text}` }
    const script = await asset('docs.js', 'text/javascript')
    let pages: DocumentationPages | undefined
    /** By the name in the address: there are some twenty, and they stay the same. */
    const kept = new Map<string, Kept>()

    /** The pages name no server: they are the same at every address. */
    const find = async (slug: string): Promise<Kept> => {
      const known = kept.get(slug)
      if (known !== undefined) return known
      pages ??= new DocumentationPages(await description.document(''), title, { style, script })
      const page = pages.find(slug)
      if (page === undefined) throw notFound()
      const made = new Kept(page)
      kept.set(slug, made)
      return made
    }
    const pageHeaders = { 'content-security-policy': docsPolicy, 'cache-control': 'no-cache', 'content-type': pageType }

    for (const url of [docsPath, `${docsPath}/`]) {
      app.get(
        url,
        {
          config: { operation: url === docsPath ? 'docs.show' : 'docs.show_slash', access: 'anyone' },
          schema: {
            summary: 'This API to read and try',
            tags: ['pages'],
            hide: url !== docsPath,
            response: { 200: Html, 304: Unchanged },
          },
        },
        async (request, reply) => (await find('')).send(request, reply.headers(pageHeaders)),
      )
    }

    app.get(
      `${docsPath}/:group`,
      {
        config: { operation: 'docs.group', access: 'anyone', renderError: htmlErrors },
        schema: {
          summary: 'A group of operations to read and try',
          tags: ['pages'],
          params: Type.Object({ group: Type.String({ maxLength: 50, examples: ['forms'] }) }),
          response: { 200: Html, 304: Unchanged, ...errors(404) },
        },
      },
      async (request, reply) => (await find(request.params.group)).send(request, reply.headers(pageHeaders)),
    )

    for (const { name, type, text } of [style, script]) {
      const file = new Kept(text)
      const [firstLine = ''] = text.split('\n', 1)
      app.get(
        `${docsPath}/${name}`,
        {
          config: { operation: `docs.file.${name.split('.').at(-1)}`, access: 'anyone' },
          schema: {
            summary: `Of the documentation: ${name}`,
            tags: ['pages'],
            response: {
              200: inMedia(Type.String({ description: 'A text.', examples: [firstLine] }), type.split(';', 1)[0] ?? ''),
              304: Unchanged,
            },
          },
        },
        async (request, reply) =>
          file.send(
            request,
            reply.headers({ 'cache-control': 'public, max-age=31536000, immutable', 'content-type': type }),
          ),
      )
    }
  }
