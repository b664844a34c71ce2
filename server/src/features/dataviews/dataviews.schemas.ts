import { PageQuery } from '../../platform/http/index.js'
import { Type } from '../../platform/schema/index.js'
import { ListParams } from '../data/index.js'
import { DataviewSummary } from '../forms/index.js'

const example = {
  dataviewid: 1,
  name: 'Adults',
  url: 'https://example.org/api/v1/dataviews/1',
  xform: 'https://example.org/api/v1/forms/12',
  project: 'https://example.org/api/v1/projects/3',
  columns: ['name', 'age'],
  query: [{ column: 'age', filter: '>', value: '20' }],
  matches_parent: false,
  date_created: '2026-01-10T14:22:20.394Z',
  date_modified: '2026-01-10T14:22:20.394Z',
  count: 3,
  instances_with_geopoints: false,
  last_submission_time: '2026-01-11T13:34:05',
  has_hxl_support: false,
}

export const DataviewView = Type.Object(
  {
    ...DataviewSummary.properties,
    count: Type.Integer({ description: 'Records that match, of those that the caller sees.' }),
    instances_with_geopoints: Type.Boolean({ description: 'A column is a place, and a record that matches has one.' }),
    last_submission_time: Type.Union([Type.String(), Type.Null()], { description: 'Of the records that match.' }),
    has_hxl_support: Type.Boolean(),
  },
  { examples: [example] },
)

export const BoundsView = Type.Object(
  { bbox: Type.Union([Type.Array(Type.Number()), Type.Null()], { description: 'West, south, east, north.' }) },
  { examples: [{ bbox: [36.1, -1.5, 36.9, -1.1] }] },
)

export const DataviewParams = Type.Object({
  pk: Type.String({ maxLength: 20, description: 'Id of the dataview.', examples: ['1'] }),
})

export const DataviewsQuery = Type.Object({ ...PageQuery })

const { changed_since: _changes, question: _question, ...listParams } = ListParams.properties

export const DataParams = Type.Object({
  ...listParams,
  fields: Type.Optional(
    Type.String({ maxLength: 100_000, description: 'Of its columns: those of a table, or the properties of GeoJSON.' }),
  ),
})

const fields = {
  name: Type.String({ minLength: 1, maxLength: 255, examples: ['Adults'] }),
  xform: Type.String({
    minLength: 1,
    maxLength: 300,
    description: 'Address or id of the form. The caller manages or owns it.',
    examples: ['https://example.org/api/v1/forms/12'],
  }),
  project: Type.String({
    minLength: 1,
    maxLength: 300,
    description: 'Address or id of the project that the form is in.',
    examples: ['https://example.org/api/v1/projects/3'],
  }),
  columns: Type.Unknown({
    description: 'List of fields of the form and built-in fields, or the same as JSON text.',
    examples: [['name', 'age']],
  }),
}

const query = Type.Optional(
  Type.Unknown({
    description:
      'List of conditions, or the same as JSON text. Each has `column`, `filter` (`=`, `>`, `<`, `>=`, `<=`, `<>`, `!=`) and `value`; of those with `condition` `or` one must hold, and all others.',
    examples: [[{ column: 'age', filter: '>', value: '20' }]],
  }),
)

const bodyExample = {
  name: 'Adults',
  xform: 'https://example.org/api/v1/forms/12',
  project: 'https://example.org/api/v1/projects/3',
  columns: ['name', 'age'],
  query: [{ column: 'age', filter: '>', value: '20' }],
}

export const DataviewBody = Type.Object({ ...fields, query }, { examples: [bodyExample] })

export const PatchDataview = Type.Object(
  {
    name: Type.Optional(fields.name),
    xform: Type.Optional(fields.xform),
    project: Type.Optional(fields.project),
    columns: Type.Optional(fields.columns),
    query,
  },
  { examples: [{ columns: ['name', 'age', 'sex'] }] },
)
