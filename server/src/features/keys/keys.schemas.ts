import { budgets } from '../../budgets.js'
import { largestId } from '../../platform/db/index.js'
import { Type } from '../../platform/schema/index.js'

const Time = Type.String({ format: 'date-time' })
const NullableTime = Type.Union([Time, Type.Null()])
const NullableText = Type.Union([Type.String(), Type.Null()])

const DeviceView = Type.Object({
  device_id: Type.String({ description: 'What the device says of itself; blank where it says nothing.' }),
  agent: Type.String({ description: 'The program and its version.' }),
  first_seen: Time,
  last_seen: Time,
  submissions: Type.Integer(),
})

export const UnseenDevice = Type.Object(
  {
    key: Type.Integer({ description: 'Id of the key that it came with.' }),
    key_name: Type.String(),
    revoked: Type.Boolean({ description: 'The key is revoked: what the phone holds goes with another code.' }),
    device_id: Type.String({ description: 'What the device says of itself; blank where it says nothing.' }),
    agent: Type.String(),
    last_seen: Time,
    last_submission: NullableTime,
    submissions: Type.Integer({ description: 'Records that it sent.' }),
  },
  {
    examples: [
      {
        key: 5,
        key_name: 'Tablet 7',
        revoked: false,
        device_id: 'collect:Ab3dE6gH9jK2mN5p',
        agent: 'org.odk.collect.android/v2026.2.1',
        last_seen: '2026-01-03T08:12:00.000Z',
        last_submission: '2026-01-02T17:40:00.000Z',
        submissions: 41,
      },
    ],
  },
)

const fields = {
  id: Type.Integer(),
  project: Type.Integer(),
  name: Type.String(),
  kind: Type.String({ description: '`device`, `link` or `draft`.' }),
  forms: Type.Union([Type.String({ enum: ['all'] }), Type.Array(Type.Integer())], {
    description: '`all` forms of the project, also those to come, or the ids of the chosen ones.',
  }),
  acts_as: NullableText,
  properties: Type.Record(Type.String(), Type.Unknown()),
  created_by: NullableText,
  created_at: Time,
  expires_at: NullableTime,
  revoked_at: NullableTime,
  revoked_by: NullableText,
  stopped_at: Type.Union([Time, Type.Null()], {
    description:
      'Since then it opens nothing, because whoever held it no longer manages the project. Whoever changes or renews it holds it from then on.',
  }),
  last_seen: NullableTime,
  last_list: NullableTime,
  last_submission: NullableTime,
  submissions: Type.Integer({ description: 'Records that came through it.' }),
  devices: Type.Array(DeviceView, { description: 'The latest first. Several are a code that was copied.' }),
  token: Type.Optional(
    Type.Union([Type.String(), Type.Null()], {
      description:
        'For those who manage every form that it opens; null once it is revoked. Not for OAuth access tokens.',
    }),
  ),
  address: Type.Optional(Type.Union([Type.String(), Type.Null()], { description: 'What the phone is given.' })),
}

const example = {
  id: 5,
  project: 3,
  name: 'Tablet 7',
  kind: 'device',
  forms: 'all',
  acts_as: null,
  properties: { district: 'North' },
  created_by: 'ana',
  created_at: '2026-01-10T14:22:20.394Z',
  expires_at: null,
  revoked_at: null,
  revoked_by: null,
  stopped_at: null,
  last_seen: '2026-01-12T08:10:00.000Z',
  last_list: '2026-01-12T08:10:00.000Z',
  last_submission: '2026-01-11T17:45:12.000Z',
  submissions: 41,
  devices: [
    {
      device_id: 'collect:Ab3dEf6hIj9kLm2n',
      agent: 'org.odk.collect.android/v2026.2.1',
      first_seen: '2026-01-10T15:01:00.000Z',
      last_seen: '2026-01-12T08:10:00.000Z',
      submissions: 41,
    },
  ],
  token: '3Qm0vJ5kZr8cYtX2sLwN7aBd9fGh1JkP',
  address: 'https://sheaf.example/key/3Qm0vJ5kZr8cYtX2sLwN7aBd9fGh1JkP',
}

export const KeyView = Type.Object(
  {
    ...fields,
    limit: Type.Optional(
      Type.Union([Type.Integer(), Type.Null()], { description: 'Of a link: how many records it takes.' }),
    ),
    single: Type.Optional(Type.Boolean({ description: 'Of a link: a browser fills it in once.' })),
    webform_url: Type.Optional(
      Type.Union([Type.String(), Type.Null()], { description: 'Of a link: where Enketo fills it in.' }),
    ),
    fill_url: Type.Optional(
      Type.Union([Type.String(), Type.Null()], {
        description: 'Where a browser fills in by it, on this server. As `token`: for those who may hand it out.',
      }),
    ),
  },
  { examples: [example] },
)

export const KeyParams = Type.Object({
  id: Type.String({ maxLength: 20, description: 'Id of the key.', examples: ['5'] }),
})

/** What steers a terminal or turns the direction of a line has no place in a name. */
const nameFault = (text: string): string | undefined =>
  /[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/u.test(text) ? 'Control characters are not allowed.' : undefined

const Name = Type.String({
  minLength: 1,
  maxLength: budgets.keys.nameCharacters,
  'x-check': nameFault,
  description: 'What records say they came through.',
  examples: ['Tablet 7'],
})

const Forms = Type.Optional(
  Type.Union(
    [
      Type.String({ enum: ['all'] }),
      Type.Array(Type.Integer({ minimum: 1, maximum: largestId }), { minItems: 1, maxItems: budgets.keys.forms }),
    ],
    {
      description: '`all`, or ids of forms of the project that the caller manages. `all` without it.',
      examples: ['all'],
    },
  ),
)

const ExpiresAt = Type.Optional(
  Type.Union([Type.String({ format: 'date-time', maxLength: 40 }), Type.Null()], {
    description: 'From then on it opens nothing; null: never. It lies ahead.',
    examples: [null],
  }),
)

const Properties = Type.Optional(
  Type.Record(Type.String(), Type.Unknown(), { description: 'What you want to remember of it; an object.' }),
)

export const CreateKey = Type.Object(
  {
    name: Name,
    forms: Forms,
    acts_as: Type.Optional(
      Type.Union([Type.String({ maxLength: 254 }), Type.Null()], {
        description:
          'An account that may submit to the project: the records are its own, and the key ends with its right.',
        examples: [null],
      }),
    ),
    expires_at: ExpiresAt,
    properties: Properties,
  },
  {
    examples: [{ name: 'Tablet 7', forms: 'all', acts_as: null, expires_at: null, properties: { district: 'North' } }],
  },
)

const Limit = Type.Optional(
  Type.Union([Type.Integer({ minimum: 1, maximum: largestId }), Type.Null()], {
    description: 'Of a link: how many records it takes; null: any number.',
  }),
)

export const CreateLink = Type.Object(
  {
    name: Name,
    limit: Limit,
    expires_at: ExpiresAt,
    single: Type.Optional(Type.Boolean({ description: 'A browser fills it in once; others may, too.' })),
  },
  { examples: [{ name: 'Parents’ evening', limit: 200, expires_at: null, single: true }] },
)

export const PatchKey = Type.Object(
  {
    name: Type.Optional(Name),
    forms: Forms,
    expires_at: ExpiresAt,
    properties: Properties,
    limit: Limit,
  },
  { examples: [{ name: 'Tablet 8', forms: [12, 13] }] },
)
