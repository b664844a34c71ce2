import { createPublicKey } from 'node:crypto'
import { FilePart, PageQuery } from '../../platform/http/index.js'
import { Type } from '../../platform/schema/index.js'
import { DataviewSummary } from './dataviews.views.js'
import { titleFault } from './definition.js'
import { largestFormBytes } from './file-kinds.js'

const Time = Type.String({ format: 'date-time' })
const Address = Type.String({ format: 'uri' })
const NullableTime = Type.Union([Time, Type.Null()])
const NullableAddress = Type.Union([Address, Type.Null()])

const FormUserView = Type.Object({
  is_org: Type.Boolean(),
  metadata: Type.Record(Type.String(), Type.Unknown()),
  first_name: Type.String(),
  last_name: Type.String(),
  user: Type.String(),
  role: Type.String(),
})

export const MetadataView = Type.Object(
  {
    id: Type.Integer(),
    xform: Type.Union([Type.Integer(), Type.Null()]),
    project: Type.Union([Type.Integer(), Type.Null()]),
    instance: Type.Union([Type.Integer(), Type.Null()]),
    data_value: Type.String(),
    data_type: Type.String(),
    data_file: Type.Union([Type.String(), Type.Null()]),
    extra_data: Type.Record(Type.String(), Type.Unknown()),
    data_file_type: Type.Union([Type.String(), Type.Null()]),
    media_url: NullableAddress,
    file_hash: Type.Union([Type.String(), Type.Null()]),
    url: Address,
    date_created: Time,
  },
  {
    examples: [
      {
        id: 5,
        xform: 12,
        data_value: 'people.csv',
        data_type: 'media',
        data_file: 'people.csv',
        data_file_type: 'text/csv',
        media_url: 'http://127.0.0.1:8080/api/v1/metadata/5.csv',
        file_hash: 'md5:9d9e3f6a2f6b8c1d0e5f4a3b2c1d0e9f',
        url: 'http://127.0.0.1:8080/api/v1/metadata/5',
        date_created: '2026-01-10T14:22:20.394Z',
      },
    ],
  },
)

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
  downloadable: Type.Boolean({ description: 'False: inactive, takes no submissions.' }),
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

/** Blank is no key. */
const keyFault = (text: string): string | undefined => {
  if (text === '') return undefined
  const isBase64 = /^[A-Za-z0-9+/\s]+=*$/.test(text)
  try {
    const key = isBase64
      ? createPublicKey({ key: Buffer.from(text, 'base64'), format: 'der', type: 'spki' })
      : undefined
    if (key?.asymmetricKeyType === 'rsa') return undefined
  } catch {
    // Whatever the parser says, it is not a key.
  }
  return 'The public key is not a valid base64 RSA key'
}

const File = (kind: string) => FilePart(`${kind}.`, largestFormBytes)
const Web = (kind: string) => Type.String({ maxLength: 2000, description: `Address of ${kind}.` })

const Title = Type.String({ minLength: 1, maxLength: 255, 'x-check': titleFault })

const fields = {
  title: Type.Optional(Title),
  description: Type.Optional(Type.String({ maxLength: 10_000 })),
  downloadable: Type.Optional(Type.Boolean()),
  public: Type.Optional(Type.Boolean()),
  public_data: Type.Optional(Type.Boolean()),
  require_auth: Type.Optional(Type.Boolean()),
  public_key: Type.Optional(
    Type.String({
      maxLength: 5000,
      'x-check': keyFault,
      description: 'RSA key in base64; blank takes encryption away.',
    }),
  ),
  owner: Type.Optional(Type.String({ maxLength: 500, description: 'Address of a user, or a username.' })),
  project: Type.Optional(Type.String({ maxLength: 500, description: 'Address of a project, or its id.' })),
}

export const PatchForm = Type.Object(fields, { examples: [{ title: 'Household visit', public: false }] })
export const PutForm = Type.Object({ ...fields, title: Title })

const source = {
  xls_file: Type.Optional(File('.xlsx, .xls or .csv')),
  xml_file: Type.Optional(File('an XForm')),
  text_xls_form: Type.Optional(Type.String({ maxLength: largestFormBytes, description: 'The form as CSV text.' })),
  xls_url: Type.Optional(Web('a spreadsheet')),
  csv_url: Type.Optional(Web('a form as CSV')),
  remote_xls_url: Type.Optional(Web('a spreadsheet that is kept for download')),
}

const examples = [{ text_xls_form: 'survey,,,\n,type,name,label\n,integer,age,Your age?\n' }]

/** Described for those who read the API; the handlers read the parts themselves. */
export const FormUpload = Type.Object(
  {
    ...source,
    owner: Type.Optional(Type.String({ maxLength: 254, description: 'Username of the account that gets the form.' })),
    project: Type.Optional(Type.String({ maxLength: 500, description: 'Id or address of the project.' })),
    formid: Type.Optional(Type.Integer({ description: 'An existing form to move into this project.' })),
  },
  { 'x-unchecked': true, examples },
)

export const FormChange = Type.Object(
  { ...source, ...fields },
  { 'x-unchecked': true, examples: [{ title: 'Household visit' }, ...examples] },
)

/** What the author of a form has to mend; nothing was stored. */
export const FormRefusal = Type.Object(
  {
    type: Type.String(),
    text: Type.String({ description: 'All mistakes in words.' }),
    problems: Type.Optional(
      Type.Array(
        Type.Object({
          code: Type.String({ description: 'Stable, for programs.' }),
          message: Type.String(),
          sheet: Type.Union([Type.String(), Type.Null()]),
          row: Type.Union([Type.Integer(), Type.Null()]),
          column: Type.Union([Type.String(), Type.Null()]),
          value: Type.Union([Type.String(), Type.Null()]),
        }),
      ),
    ),
  },
  { examples: [{ type: 'alert-error', text: "survey row 2, column type: Unknown question type 'integr'." }] },
)

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
