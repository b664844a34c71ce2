// /assets, /f/assets: the files of the application. Its pages have no routes: whatever a browser opens below its addresses, and no
// route has, is the application's (platform/http, `application`).
import type { FastifyRequest } from 'fastify'
import type { Room } from '../../platform/deps.js'
import { errors, inMedia } from '../../platform/http/index.js'
import { Type } from '../../platform/schema/index.js'
import type { Application } from './application.js'
import { sendFile } from './files.js'
import { type Tiles, TilesView } from './tiles.js'

const Manifest = Type.Unknown({
  description: 'Name, colours, icons.',
  examples: [{ name: 'Sheaf', start_url: '/f/outbox' }],
})
const File = Type.String({ description: 'The file.', examples: ['const t=n("Sheaf");export{t as default};'] })
const FileParams = Type.Object({ file: Type.String({ maxLength: 200, examples: ['index-B7f0c2Aa.js'] }) })
const FileResponse = {
  200: inMedia(File, 'text/javascript', 'text/css', 'image/svg+xml', 'application/json', 'image/png'),
  ...errors(404),
}

const forEver = 'public, max-age=31536000, immutable'
const accepted = ({ headers }: FastifyRequest): string => String(headers['accept-encoding'] ?? '')

export const webRoutes =
  (application: Application | undefined, tiles?: Tiles): Room =>
  async (app) => {
    app.get(
      '/web/options',
      {
        config: { operation: 'web.options', access: 'anyone' },
        schema: {
          summary: 'What the web application is told by whoever runs the server',
          description: 'Where pictures for maps come from; null where maps show outlines of countries alone.',
          tags: ['pages'],
          security: [],
          response: { 200: TilesView },
        },
      },
      async () => ({ tiles: tiles === undefined ? null : { url: tiles.url, attribution: tiles.attribution } }),
    )

    app.get(
      '/assets/:file',
      {
        config: { operation: 'web.file', access: 'anyone' },
        schema: {
          summary: 'A file of the web application',
          description: 'Named by its content, so that it may be kept for ever.',
          tags: ['pages'],
          params: FileParams,
          response: FileResponse,
        },
      },
      async (request, reply) =>
        sendFile(reply, application?.find(request.params.file, accepted(request)), {
          'cache-control': forEver,
          'content-security-policy': application?.policy,
        }),
    )

    app.get(
      '/f/assets/:file',
      {
        config: { operation: 'web.fill.file', access: 'anyone' },
        schema: {
          summary: 'A file of the page where forms are filled in',
          description:
            'Named by its content, so that it may be kept for ever. Below /f/, as the service worker of that page is.',
          tags: ['pages'],
          params: FileParams,
          response: FileResponse,
        },
      },
      async (request, reply) =>
        sendFile(reply, application?.fill.find(request.params.file, accepted(request)), {
          'cache-control': forEver,
          'content-security-policy': application?.fill.policy,
        }),
    )

    app.get(
      '/f/sw.js',
      {
        config: { operation: 'web.fill.worker', access: 'anyone' },
        schema: {
          summary: 'The service worker of the page where forms are filled in',
          description: 'Asked for again each time; it governs what is below /f/ and nothing else.',
          tags: ['pages'],
          response: { 200: inMedia(File, 'text/javascript'), ...errors(404) },
        },
      },
      async (request, reply) =>
        sendFile(reply, application?.fill.findBeside('sw.js', accepted(request)), {
          'cache-control': 'no-cache',
          'service-worker-allowed': '/f/',
          'content-security-policy': application?.fill.policy,
        }),
    )

    app.get(
      '/f/manifest.webmanifest',
      {
        config: { operation: 'web.fill.manifest', access: 'anyone' },
        schema: {
          summary: 'What a device needs to install the page where forms are filled in',
          tags: ['pages'],
          response: { 200: inMedia(Manifest, 'application/manifest+json'), ...errors(404) },
        },
      },
      async (request, reply) =>
        sendFile(reply, application?.fill.findBeside('manifest.webmanifest', accepted(request)), {
          'cache-control': 'no-cache',
        }),
    )
  }
