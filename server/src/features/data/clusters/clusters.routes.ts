// Clusters for maps: GET /data/{pk}/clusters.
import type { Room } from '../../../platform/deps.js'
import { errors } from '../../../platform/http/index.js'
import { PkParams, seenForm } from '../selection/index.js'
import { clustersOf } from './clusters.js'
import { ClusterParams, ClustersView } from './clusters.schemas.js'

export const clusterRoutes: Room = async (app, deps) => {
  app.get(
    '/data/:pk/clusters',
    {
      config: { operation: 'data.clusters', access: 'anyone' },
      schema: {
        summary: 'Places of records, put together where they are close',
        description:
          'For maps of more points than a browser holds. Of the records that a list of the same parameters shows, those in `bbox`; each cell of the grid is 64 pixels wide at `zoom`. Places are `_geolocation`, or the answers to `geo_field`, of which a record may have several.',
        tags: ['data'],
        params: PkParams,
        querystring: ClusterParams,
        response: { 200: ClustersView, ...errors(400, 401, 404) },
      },
    },
    async (request) => {
      const seen = await seenForm(deps.db, request.caller, request.params.pk)
      return clustersOf(deps, { request, seen })
    },
  )
}
