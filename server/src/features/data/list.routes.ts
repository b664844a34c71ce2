// Records of a form: /data/{pk} in every representation.
import type { Room } from '../../platform/deps.js'
import { errors, readerOf } from '../../platform/http/index.js'
import { sendChanges } from './changes/index.js'
import { ListParams, RecordsView, unknownFormat } from './lists/index.js'
import { isOfDeleted, sendDeleted } from './removal/index.js'
import { PkParams, seenForm } from './selection/index.js'
import { sendRecords } from './send-records.js'

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
          'An array of records; more than 10,000 are cut into pages, which the Link header leads to; X-Total-Count says how many there are wherever that is known, and `count=true` asks for it. As `.xml`, `.csv`, `.geojson`, `.xlsx`, `.csvzip`, `.kml`, `.zip` (files), or as flow results by the Accept header. Tables (`.csv`, `.csvzip`, `.xlsx`) take the same options; `raw=true&na=` gives CSV as programs want it. Files end with the trailers X-Row-Count and X-Content-SHA256 when they are whole.',
        tags: ['data'],
        params: PkParams,
        querystring: ListParams,
        response: { 200: RecordsView, ...errors(400, 401, 403, 404, 406) },
      },
    },
    async (request, reply) => {
      const seen = await seenForm(deps.db, request.caller, request.params.pk)
      if (isOfDeleted(request.query)) return sendDeleted(deps, request, reply, seen) as never
      if (request.format === 'json' && request.query.changed_since) {
        return sendChanges(deps.db.reading(readerOf(request), seen.form.asOf), request, reply, seen) as never
      }
      return sendRecords(deps, { request, reply, seen }) as never
    },
  )
}
