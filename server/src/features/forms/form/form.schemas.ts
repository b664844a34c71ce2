import { PageQuery } from '../../../platform/http/index.js'
import { Type } from '../../../platform/schema/index.js'
import { DataviewSummary, MetadataView } from '../attached/index.js'
import { formStates } from './states.js'

const Time = Type.String({ format: 'date-time' })
const Address = Type.String({ format: 'uri' })
const NullableTime = Type.Union([Time, Type.Null()])
const NullableAddress = Type.Union([Address, Type.Null()])

const stateWords =
  '`open`: phones list it, and it takes records. `closing`: phones do not list it any more, and it takes what they still hold. `closed`: it takes nothing.'

export const State = Type.String({
  enum: [...formStates, 'draft'],
  description: `${stateWords} \`draft\`: it has never been published, and has its draft alone.`,
  examples: ['open'],
})

const FormUserView = Type.Object({
  is_org: Type.Boolean(),
  metadata: Type.Record(Type.String(), Type.Unknown()),
  first_name: Type.String(),
  last_name: Type.String(),
  user: Type.String(),
  role: Type.String(),
})

const summary = {
  url: Address,
  formid: Type.Integer(),
  title: Type.String(),
  id_string: Type.String(),
  sms_id_string: Type.String(),
  uuid: Type.String(),
  allows_sms: Type.Boolean(),
  ext_dataset: Type.String(),
  description: Type.String(),
  downloadable: Type.Boolean({ description: 'True while it is open: phones list it.' }),
  state: State,
  closes_at: Type.Union([Time, Type.Null()], { description: 'From this time on it is closing.' }),
  encrypted: Type.Boolean(),
  owner: Type.String({ description: 'Username of the owning account.' }),
  public: Type.Boolean({ description: 'Everybody may see the definition.' }),
  public_data: Type.Boolean({ description: 'Everybody may see the submissions.' }),
  date_created: Time,
  date_modified: Time,
}

export const FormView = Type.Object(
  {
    ...summary,
    version: Type.String(),
    hash: Type.String(),
    last_updated_at: Time,
    created_by: Type.Optional(NullableAddress),
    public_key: Type.String(),
    require_auth: Type.Boolean({
      description: 'Whether people sign in to submit; the owning account may ask for it too.',
    }),
    anonymous_submissions: Type.Boolean({
      description:
        'True: whoever knows the address may send records without signing in, because neither the form nor its account has `require_auth`; also where the form is not `public`.',
    }),
    allowed: Type.Array(Type.String(), {
      description: 'What the caller may do with it, so that a page offers nothing that would be refused.',
    }),
    project: Address,
    tags: Type.Array(Type.String()),
    num_of_submissions: Type.Integer(),
    last_submission_time: NullableTime,
    xls_available: Type.Boolean(),
    instances_with_geopoints: Type.Boolean(),
    instances_with_osm: Type.Boolean(),
    has_hxl_support: Type.Boolean(),
    is_merged_dataset: Type.Boolean(),
    data_views: Type.Array(DataviewSummary),
    users: Type.Array(FormUserView, { description: 'Shown to those who have a role.' }),
    webform_url: NullableAddress,
    webform_preview_url: NullableAddress,
    webform_single_submit_url: NullableAddress,
    metadata: Type.Optional(Type.Array(MetadataView)),
    missing_files: Type.Optional(
      Type.Array(Type.String(), { description: 'Files that the form names and that nobody has added as media.' }),
    ),
    form_versions: Type.Optional(Type.Array(Type.Object({ version: Type.String(), total: Type.Integer() }))),
    submission_count_for_today: Type.Optional(Type.Integer()),
    project_visible: Type.Optional(
      Type.Boolean({ description: 'Whether the caller sees its project: not with a role on the form alone.' }),
    ),
    has_draft: Type.Optional(
      Type.Boolean({
        description: 'For those who manage it: a version of it is being tried out (`/forms/{pk}/draft`).',
      }),
    ),
    has_id_string_changed: Type.Optional(Type.Boolean({ description: 'A number was added to the id.' })),
    warnings: Type.Optional(Type.Array(Type.String(), { description: 'Oddities that did not stop the form.' })),
  },
  {
    examples: [
      {
        url: 'http://127.0.0.1:8080/api/v1/forms/12',
        formid: 12,
        title: 'Household visit',
        id_string: 'visit',
        owner: 'ana',
        version: '202601101422',
        num_of_submissions: 0,
      },
    ],
  },
)

export const FormParams = Type.Object({
  pk: Type.String({ maxLength: 20, description: 'Id of the form.', examples: ['12'] }),
})

export const FormsQuery = Type.Object({
  owner: Type.Optional(
    Type.String({ maxLength: 254, description: 'Username; adds the public forms of that account.' }),
  ),
  tags: Type.Optional(Type.String({ maxLength: 1000, description: 'Any of these tags, separated by commas.' })),
  instances_with_osm: Type.Optional(Type.String({ maxLength: 10 })),
  ...PageQuery,
})

/** Compilers of forms write such trees; what is in a node depends on its type. */
export const DefinitionTree = Type.Unknown({
  description: 'The form as a tree: name, title, id_string, version, children, choices.',
  examples: [
    {
      name: 'visit',
      title: 'Visit',
      id_string: 'visit',
      version: '3',
      type: 'survey',
      children: [{ name: 'name', type: 'text', label: 'Name' }],
    },
  ],
})

export const VersionView = Type.Object(
  {
    xform: Address,
    url: Address,
    xml: Address,
    spreadsheet: NullableAddress,
    created_by: NullableAddress,
    version: Type.String(),
    date_created: Time,
    date_modified: Time,
  },
  {
    examples: [
      {
        xform: 'http://127.0.0.1:8080/api/v1/forms/12',
        url: 'http://127.0.0.1:8080/api/v1/forms/12/versions/3',
        xml: 'http://127.0.0.1:8080/api/v1/forms/12/versions/3.xml',
        spreadsheet: 'http://127.0.0.1:8080/api/v1/forms/12/versions/3/spreadsheet',
        created_by: 'http://127.0.0.1:8080/api/v1/users/ana',
        version: '3',
        date_created: '2026-01-10T14:22:20.394Z',
        date_modified: '2026-01-10T14:22:20.394Z',
      },
    ],
  },
)

export const VersionParams = Type.Object({
  ...FormParams.properties,
  version: Type.String({ maxLength: 300, examples: ['202601101422'] }),
})
