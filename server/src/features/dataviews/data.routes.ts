// The records of a dataview: /dataviews/{pk}/data, as JSON and as files.
import type { Room } from '../../platform/deps.js'
import { absent, errors } from '../../platform/http/index.js'
import { Type } from '../../platform/schema/index.js'
import { ClusterParams, ClustersView, clustersOf, sendRecords } from '../data/index.js'
import { DataParams, DataviewParams } from './dataviews.schemas.js'
import { seenDataview } from './dataviews.service.js'
import { hasPlaceColumn } from './dataviews.views.js'

const RecordsView = Type.Array(Type.Record(Type.String(), Type.Unknown()), {
  description:
    'Records with the columns of the dataview, and `_id`, `_submission_time`, `_edited`, `_last_edited`, `_notes`; `_geolocation` beside a place, `_attachments` beside files.',
  examples: [[{ name: 'Tom', age: '21', _id: 4503, _submission_time: '2013-01-03T02:27:19', _edited: false }]],
})

export const dataviewDataRoutes: Room = async (app, deps) => {
  app.get(
    '/dataviews/:pk/data',
    {
      config: {
        operation: 'dataview.data',
        access: 'anyone',
        formats: ['json', 'csv', 'geojson', 'xlsx', 'csvzip', 'kml'],
      },
      schema: {
        summary: 'Records of a dataview',
        description:
          'Those that match, of those that the caller sees. `query` narrows further; `count=true` answers how many there are. As `.geojson`, or as a file with the columns of the dataview alone: `.csv`, `.xlsx`, `.csvzip`, `.kml`.',
        tags: ['dataviews'],
        params: DataviewParams,
        querystring: DataParams,
        response: { 200: RecordsView, ...errors(400, 401, 403, 404, 406) },
      },
    },
    async (request, reply) => {
      const { seen, condition, columns } = await seenDataview(deps.db, request.caller, request.params.pk)
      return sendRecords(deps, { request, reply, seen, part: { condition, columns } }) as never
    },
  )

  app.get(
    '/dataviews/:pk/clusters',
    {
      config: { operation: 'dataview.clusters', access: 'anyone' },
      schema: {
        summary: 'Places of a dataview, put together where they are close',
        description:
          'As `/data/{pk}/clusters` of its form, of the records of the dataview. 404 where it has no column for a place.',
        tags: ['dataviews'],
        params: DataviewParams,
        querystring: ClusterParams,
        response: { 200: ClustersView, ...errors(400, 401, 404) },
      },
    },
    async (request) => {
      const { seen, shape, condition, columns } = await seenDataview(deps.db, request.caller, request.params.pk)
      if (!hasPlaceColumn(shape, columns)) throw absent()
      return clustersOf(deps, { request, seen, part: { condition, columns } })
    },
  )
}
