// The pages that describe the API, to read and to try it.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Room } from '../../platform/deps.js'
import { docsPath, errors, Html, htmlErrors, inMedia, notFound } from '../../platform/http/index.js'
import { type ApiDescription, type Asset, DocumentationPages, docsPolicy } from '../../platform/openapi/index.js'
import { Type } from '../../platform/schema/index.js'

interface Documentation {
  readonly title: string
  readonly description: ApiDescription
  readonly staticFolder: string
}

const pageType = 'text/html; charset=utf-8'

/** By its text: there are some twenty, and they stay the same. */
const packed = new Map<string, Promise<Buffer>>()

const sendPacked = async (request: FastifyRequest, reply: FastifyReply, text: string) => {
  reply.header('vary', 'Accept-Encoding')
  if (!/\bgzip\b/.test(request.headers['accept-encoding'] ?? '')) return reply.send(text)
  const bytes = packed.get(text) ?? promisify(gzip)(text)
  packed.set(text, bytes)
  return reply.header('content-encoding', 'gzip').send(await bytes)
}

const sendPage = (request: FastifyRequest, reply: FastifyReply, page: string) => {
  reply.header('content-security-policy', docsPolicy).header('cache-control', 'no-cache').type(pageType)
  return sendPacked(request, reply, page)
}

export const docsRoutes =
  ({ title, description, staticFolder }: Documentation): Room =>
  async (app) => {
    const asset = async (name: string, type: string): Promise<Asset> => ({
      name,
      type: `${type}; charset=utf-8`,
      text: await readFile(join(staticFolder, name), 'utf8'),
    })
    const style = await asset('docs.css', 'text/css')
    const script = await asset('docs.js', 'text/javascript')
    let pages: DocumentationPages | undefined

    /** The pages name no server: they are the same at every address. */
    const find = async (slug: string): Promise<string> => {
      pages ??= new DocumentationPages(await description.document(''), title, { style, script })
      const page = pages.find(slug)
      if (page === undefined) throw notFound()
      return page
    }

    for (const url of [docsPath, `${docsPath}/`]) {
      app.get(
        url,
        {
          config: { operation: url === docsPath ? 'docs.show' : 'docs.show_slash', access: 'anyone' },
          schema: {
            summary: 'This API to read and try',
            tags: ['pages'],
            hide: url !== docsPath,
            response: { 200: Html },
          },
        },
        async (request, reply) => sendPage(request, reply, await find('')),
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
          response: { 200: Html, ...errors(404) },
        },
      },
      async (request, reply) => sendPage(request, reply, await find(request.params.group)),
    )

    for (const { name, type, text } of [style, script]) {
      app.get(
        `${docsPath}/${name}`,
        {
          config: { operation: `docs.file.${name.split('.').at(-1)}`, access: 'anyone' },
          schema: {
            summary: `Of the documentation: ${name}`,
            tags: ['pages'],
            response: {
              200: inMedia(
                Type.String({ description: 'A text.', examples: [text.slice(0, text.indexOf('\n'))] }),
                type.split(';', 1)[0] ?? '',
              ),
            },
          },
        },
        async (request, reply) => {
          reply.header('cache-control', 'public, max-age=31536000, immutable').type(type)
          return sendPacked(request, reply, text)
        },
      )
    }
  }
