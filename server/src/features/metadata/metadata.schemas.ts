import { FilePart, PageQuery } from '../../platform/http/index.js'
import { Type } from '../../platform/schema/index.js'

export const dataTypes = [
  'data_license',
  'form_license',
  'map_layer',
  'media',
  'public_link',
  'source',
  'supporting_doc',
  'external_export',
  'flow_messaging',
  'sheet_sync',
  'xform_meta_perms',
  'submission_review',
  'imported_via_csv_by',
  'webform_url',
  'webform_preview_url',
] as const

const Id = Type.Optional(Type.Integer())
const longestValue = 255
const DataValue = Type.String({ minLength: 1, maxLength: longestValue })

export const CreateMetadata = Type.Object(
  {
    xform: Id,
    project: Id,
    instance: Id,
    data_type: Type.String({
      enum: [...dataTypes],
      description: 'Projects have media and supporting_doc; submissions have these and submission_review.',
    }),
    data_value: Type.Optional(
      Type.String({
        maxLength: longestValue,
        description: 'An address, a link such as `xform 12 people`, or a text; a file gives its own name.',
      }),
    ),
    data_file: Type.Optional(FilePart('the bytes.')),
    extra_data: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
  },
  { examples: [{ xform: 12, data_type: 'media', data_value: 'http://example.org/people.csv' }] },
)

/** Described for those who read the API; the handler reads the parts itself. */
export const MetadataUpload = Type.Object(CreateMetadata.properties, {
  'x-unchecked': true,
  examples: [{ xform: 12, data_type: 'media', data_value: 'http://example.org/people.csv' }],
})

export const PatchMetadata = Type.Object(
  { data_value: DataValue },
  { examples: [{ data_value: 'editor-minor|dataentry-minor|readonly' }] },
)

export const MetadataParams = Type.Object({
  pk: Type.String({
    maxLength: 30,
    description: 'Id, with the ending of the file for its bytes.',
    examples: ['5.csv'],
  }),
})

const IdText = (of: string) => Type.Optional(Type.String({ maxLength: 20, description: `Id of a ${of}.` }))

export const MetadataQuery = Type.Object({
  xform: IdText('form'),
  project: IdText('project'),
  instance: IdText('submission'),
  data_type: Type.Optional(Type.String({ maxLength: 50, examples: ['media'] })),
  ...PageQuery,
})
