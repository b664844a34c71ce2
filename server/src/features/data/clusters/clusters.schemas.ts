import { Type } from '../../../platform/schema/index.js'
import { ListParams } from '../lists/index.js'
import { FilterQuery } from '../selection/index.js'
import { mostZoom } from './grid.js'

const { query, data, search, geo_field } = ListParams.properties

const text = (description: string, example: string) => Type.String({ maxLength: 200, description, examples: [example] })

/** Those of a list that choose records; pages and the looks of files have no meaning here. */
export const ClusterParams = Type.Object({
  query,
  data,
  search,
  ...FilterQuery,
  geo_field,
  bbox: Type.Optional(
    text(
      'What the map shows: `west,south,east,north` in degrees; with a west that is greater than the east it lies across the antimeridian. Required.',
      '36.6,-1.4,37.1,-1.1',
    ),
  ),
  zoom: Type.Optional(text(`Of the web map, from 0 to ${mostZoom}; a cell has 64 pixels. Required.`, '11')),
})

const Position = Type.Array(Type.Number(), { description: 'Longitude and latitude.' })

export const ClustersView = Type.Object(
  {
    zoom: Type.Integer(),
    total: Type.Integer({ description: 'Places in the box.' }),
    clusters: Type.Array(
      Type.Object({
        count: Type.Integer({ description: 'Places that are put together.' }),
        center: Position,
        bounds: Type.Array(Type.Number(), { description: 'West, south, east, north: how far they reach.' }),
        id: Type.Optional(Type.Integer({ description: 'Of a single place: the `_id` of its record.' })),
      }),
    ),
  },
  {
    description: 'Places put together by a grid, from north to south and from west to east.',
    examples: [
      {
        zoom: 11,
        total: 12,
        clusters: [
          { count: 11, center: [36.8, -1.28], bounds: [36.79, -1.29, 36.81, -1.27] },
          { count: 1, center: [36.9, -1.3], bounds: [36.9, -1.3, 36.9, -1.3], id: 4503 },
        ],
      },
    ],
  },
)
