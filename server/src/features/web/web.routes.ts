// /assets: the files of the application. Its pages have no routes: whatever a browser opens below its addresses, and no route has,
// is the application's (platform/http, `application`).
import type { Room } from '../../platform/deps.js'
import { errors, inMedia, notFound } from '../../platform/http/index.js'
import { Type } from '../../platform/schema/index.js'
import type { Application } from './application.js'
import { type Tiles, TilesView } from './tiles.js'

const File = Type.String({ description: 'The file.', examples: ['const t=n("Sheaf");export{t as default};'] })

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
          params: Type.Object({ file: Type.String({ maxLength: 200, examples: ['index-B7f0c2Aa.js'] }) }),
          response: {
            200: inMedia(File, 'text/javascript', 'text/css', 'image/svg+xml', 'application/json', 'image/png'),
            ...errors(404),
          },
        },
      },
      async (request, reply) => {
        const found = application?.find(request.params.file, String(request.headers['accept-encoding'] ?? ''))
        if (found === undefined) throw notFound()
        const { encoding, bytes } = found.file
        return reply
          .headers({
            'content-type': found.type,
            'cache-control': 'public, max-age=31536000, immutable',
            'content-security-policy': application?.policy,
            vary: 'Accept-Encoding',
            ...(encoding !== undefined && { 'content-encoding': encoding }),
          })
          .send((await bytes) as never)
      },
    )
  }
