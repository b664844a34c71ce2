// Records of a form: /data/{pk} in every representation.
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Deps, Room } from '../../platform/deps.js'
import { errors, type Format, sendLinks } from '../../platform/http/index.js'
import { sendChanges } from './changes.js'
import { requireExport, type SeenForm, seenForm } from './data.access.js'
import { unknownFormat } from './data.errors.js'
import { ListParams, PkParams, RecordsView } from './data.schemas.js'
import { type FileFormat, fileNameOf, fileOf, fileTypeOf, isFileFormat } from './files.js'
import { type ListQuery, readList } from './list-request.js'
import { sendFlowResults, sendGeojson, sendJson, sendXml } from './renderers.js'
import { findSlice } from './slices.js'
import { sendFile } from './streams.js'

const renderers = { json: sendJson, xml: sendXml, geojson: sendGeojson, 'flow-results': sendFlowResults } as const

/** Features are drawn on a map: a page of them is smaller. */
const featuresPerPage = 1000

const sendList = async (deps: Deps, request: FastifyRequest, reply: FastifyReply, seen: SeenForm, format: Format) => {
  const query = request.query as ListQuery
  const { db, clock } = deps
  const list = await readList(db, seen, query, format === 'geojson' ? featuresPerPage : undefined)
  const { slice, page } = await findSlice(db, list)
  if (page !== undefined) sendLinks(request, reply, page)
  const render = renderers[format as keyof typeof renderers]
  return render({ db, reply, list, slice, query, now: clock.now() })
}

const sendAsFile = async (
  deps: Deps,
  request: FastifyRequest,
  reply: FastifyReply,
  seen: SeenForm,
  format: FileFormat,
) => {
  requireExport(seen)
  const file = { seen, query: request.query as ListQuery, format, origin: request.origin }
  const names = { type: fileTypeOf(format), filename: fileNameOf(seen.form.idString, format) }
  return sendFile(reply, names, await fileOf(deps, file))
}

export const listRoutes: Room = async (app, deps) => {
  app.get(
    '/data/:pk',
    {
      config: {
        operation: 'data.list',
        access: 'anyone',
        formats: ['json', 'xml', 'csv', 'geojson', 'flow-results', 'xlsx', 'csvzip', 'kml', 'zip'],
        unknownFormat,
      },
      schema: {
        summary: 'Records of a form',
        description:
          'An array of records; more than 10,000 are cut into pages, which the Link header leads to. As `.xml`, `.csv`, `.geojson`, `.xlsx`, `.csvzip`, `.kml`, `.zip` (files), or as flow results by the Accept header. Files end with the trailers X-Row-Count and X-Content-SHA256 when they are whole.',
        tags: ['data'],
        params: PkParams,
        querystring: ListParams,
        response: { 200: RecordsView, ...errors(400, 401, 403, 404, 406) },
      },
    },
    async (request, reply) => {
      const { params, caller, format } = request
      const seen = await seenForm(deps.db, caller, params.pk)
      if (format === 'json' && request.query.changed_since) {
        return sendChanges(deps.db, request, reply, seen) as never
      }
      if (isFileFormat(format)) return sendAsFile(deps, request, reply, seen, format) as never
      return sendList(deps, request, reply, seen, format) as never
    },
  )
}
