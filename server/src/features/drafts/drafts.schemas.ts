import { Type } from '../../platform/schema/index.js'

const Time = Type.String({ format: 'date-time' })
const NullableText = Type.Union([Type.String(), Type.Null()])

export const DraftMediaView = Type.Object(
  {
    id: Type.Integer(),
    name: Type.String({ description: 'Of a link to other records: the link.' }),
    change: Type.String({
      enum: ['kept', 'added', 'removed'],
      description: '`kept`: as the form has it. `added` and `removed`: in this draft alone, until it is published.',
    }),
    bytes: Type.Union([Type.Integer(), Type.Null()]),
  },
  { examples: [{ id: 3, name: 'people.csv', change: 'added', bytes: 1204 }] },
)

export const DraftView = Type.Object(
  {
    form: Type.Integer({ description: 'Id of the form.' }),
    id_string: Type.String({
      description: 'As devices know the form. What its workbook says may have been taken when the form was made.',
    }),
    published: Type.Boolean({ description: 'False: the form has never been published, and has this draft alone.' }),
    title: Type.String(),
    version: Type.String({
      description: 'The one that phones show, and that it is published as unless another is named.',
    }),
    hash: Type.String(),
    revision: Type.Integer({
      description:
        'Another one with every save. Whoever names it when they save, publish or delete is told (409) where somebody else has saved meanwhile.',
    }),
    based_on: Type.Union([Type.String(), Type.Null()], {
      description: 'The version that the form had when the draft was made; null where it has never been published.',
    }),
    encrypted: Type.Boolean(),
    warnings: Type.Array(Type.String(), { description: 'Oddities that did not stop the form.' }),
    spreadsheet: Type.Union([Type.String(), Type.Null()], {
      description: 'Address of the file that it was made from; null where it came as an XForm.',
    }),
    missing_files: Type.Array(Type.String(), { description: 'Files that it names and that nobody has added.' }),
    media: Type.Array(DraftMediaView, { description: 'Its own copy of the files that go with the form.' }),
    records: Type.Integer({
      description: 'That were sent to it, each with its version. They go with it, and after 30 days.',
    }),
    created_by: NullableText,
    created_at: Time,
    saved_by: NullableText,
    saved_at: Time,
    key: Type.Integer({
      description:
        'Id of its key: `/keys/{id}/settings` is the code for phones. It stays the same when the draft is saved again.',
    }),
    token: Type.Optional(NullableText),
    address: Type.Optional(Type.Union([Type.String(), Type.Null()], { description: 'What a phone is given.' })),
  },
  {
    examples: [
      {
        form: 12,
        id_string: 'household_visit',
        published: true,
        title: 'Household visit',
        version: '202601101422',
        hash: 'md5:9d9e3f6a2f6b8c1d0e5f4a3b2c1d0e9f',
        revision: 41,
        based_on: '202601051010',
        encrypted: false,
        warnings: [],
        spreadsheet: 'http://127.0.0.1:8080/api/v1/forms/12/draft/spreadsheet',
        missing_files: [],
        media: [{ id: 3, name: 'people.csv', change: 'kept', bytes: 1204 }],
        records: 2,
        created_by: 'ana',
        created_at: '2026-01-10T14:22:20.394Z',
        saved_by: 'ben',
        saved_at: '2026-01-10T15:02:11.120Z',
        key: 5,
        address: 'http://127.0.0.1:8080/key/3Qm0vJ5kZr8cYtX2sLwN7aBd9fGh1JkP',
      },
    ],
  },
)

export const PublishDraft = Type.Object(
  {
    version: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 255,
        description: 'The text of the version; that of the draft by default.',
      }),
    ),
    revision: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: Number.MAX_SAFE_INTEGER,
        description: 'Of the draft that is meant: 409 where another one is there.',
      }),
    ),
    based_on: Type.Optional(
      Type.String({
        maxLength: 255,
        description: 'The version that the form should have: 409 where it has another one.',
      }),
    ),
  },
  { examples: [{ version: '3', revision: 41 }] },
)

/** In addresses. */
export const NewForm = Type.Object({
  uuid: Type.Optional(
    Type.String({
      pattern: '^[0-9a-f]{32}$',
      maxLength: 32,
      description:
        'Of the form, chosen by whoever makes it. Sent again, as after an answer that was lost, it makes no second form.',
      examples: ['5b2cc313fc09437e8149fcd32f695d41'],
    }),
  ),
})

export const MeantDraft = Type.Object({
  revision: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: Number.MAX_SAFE_INTEGER,
      description: 'Of the draft that is meant: 409 where another one is there.',
      examples: [41],
    }),
  ),
})

export const MeantVersion = Type.Object({
  based_on: Type.Optional(
    Type.String({
      maxLength: 255,
      description: 'The version that the draft is made from: 409 where the form has another one by now.',
      examples: ['202601051010'],
    }),
  ),
})

export const StaleDraft = Type.Object(
  {
    detail: Type.String(),
    saved_by: Type.Union([Type.String(), Type.Null()], { description: 'Who was faster.' }),
    saved_at: Time,
    revision: Type.Optional(Type.Integer({ description: 'Of the draft that is there.' })),
    version: Type.Optional(Type.String({ description: 'The version that the form has.' })),
  },
  {
    examples: [
      {
        detail: 'The draft was saved meanwhile (ben, 2026-01-10T15:02:11.120Z). Look at it again.',
        saved_by: 'ben',
        saved_at: '2026-01-10T15:02:11.120Z',
        revision: 42,
      },
    ],
  },
)

export const DraftRecords = Type.Array(Type.Record(Type.String(), Type.Unknown()), {
  description: 'Answers by their keys, as in `/data`, and what the server knows of each.',
  examples: [[{ name: 'Ana', _id: 1, _uuid: '5b2cc313-fc09-437e-8149-fcd32f695d41', _version: '3', _attachments: [] }]],
})
