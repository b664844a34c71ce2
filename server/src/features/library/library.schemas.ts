import { budgets } from '../../budgets.js'
import { Type } from '../../platform/schema/index.js'

const { rows, columns, cell } = budgets.library

const BlockSheet = Type.Object({
  name: Type.String({ enum: ['survey', 'choices'] }),
  rows: Type.Array(Type.Array(Type.String({ maxLength: cell }), { maxItems: columns }), {
    minItems: 1,
    maxItems: rows,
    description: 'Cells by row, the headings first.',
  }),
})

const name = Type.String({ minLength: 1, maxLength: 100, description: 'Unique in the library of the project.' })
const description = Type.String({ maxLength: 1000 })
const sheets = Type.Array(BlockSheet, {
  minItems: 1,
  maxItems: 2,
  description: 'The rows of the survey, and the lists of choices that they use.',
})

const example = {
  name: 'Household member',
  description: 'Name, sex and age of one member.',
  sheets: [
    {
      name: 'survey',
      rows: [
        ['type', 'name', 'label::English (en)'],
        ['text', 'member_name', 'Name'],
        ['select_one sex', 'sex', 'Sex'],
      ],
    },
    {
      name: 'choices',
      rows: [
        ['list_name', 'name', 'label::English (en)'],
        ['sex', 'female', 'Female'],
        ['sex', 'male', 'Male'],
      ],
    },
  ],
}

export const CreateBlock = Type.Object(
  { name, description: Type.Optional(description), sheets },
  { examples: [example] },
)

export const PatchBlock = Type.Object(
  {
    name: Type.Optional(name),
    description: Type.Optional(description),
    sheets: Type.Optional(sheets),
    revision: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: Number.MAX_SAFE_INTEGER,
        description: 'Of the block that is meant: 409 where it has been changed meanwhile.',
      }),
    ),
  },
  { examples: [{ name: 'Member of a household', revision: 7 }] },
)

const Time = Type.String({ format: 'date-time' })
const Username = Type.Union([Type.String(), Type.Null()])

const entry = {
  id: Type.Integer(),
  name: Type.String(),
  description: Type.String(),
  questions: Type.Integer({ description: 'Rows of the survey that are no groups.' }),
  revision: Type.Integer({ description: 'Another one with every change.' }),
  created_by: Username,
  created_at: Time,
  changed_by: Username,
  changed_at: Time,
}

const shown = {
  id: 4,
  name: example.name,
  description: example.description,
  questions: 2,
  revision: 7,
  created_by: 'ana',
  created_at: '2026-01-10T14:22:20.394Z',
  changed_by: 'ben',
  changed_at: '2026-01-10T15:02:11.120Z',
}

export const BlockEntryView = Type.Object(entry, { examples: [shown] })

export const BlockView = Type.Object(
  {
    ...entry,
    sheets: Type.Array(Type.Object({ name: Type.String(), rows: Type.Array(Type.Array(Type.String())) })),
  },
  { examples: [{ ...shown, sheets: example.sheets }] },
)

export const ChangedBlock = Type.Object(
  { detail: Type.String(), saved_by: Username, saved_at: Time, revision: Type.Integer() },
  {
    examples: [
      {
        detail: 'The block was changed meanwhile (ben, 2026-01-10T15:02:11.120Z). Look at it again.',
        saved_by: 'ben',
        saved_at: '2026-01-10T15:02:11.120Z',
        revision: 8,
      },
    ],
  },
)
