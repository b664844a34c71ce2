import { budgets } from '../../../budgets.js'
import { Type } from '../../../platform/schema/index.js'
import { FormParams } from '../../forms/index.js'
import { indexKinds } from '../answers/index.js'

const kinds =
  'What answers are compared as: `text`, `number`, `date` or `moment` for equality, ranges and order; `part` for parts of texts.'

export const IndexParams = Type.Object({
  ...FormParams.properties,
  id: Type.String({ maxLength: 20, description: 'Id of the index.', examples: ['12'] }),
})

export const CreateIndex = Type.Object(
  {
    question: Type.String({
      minLength: 1,
      maxLength: budgets.indexes.keyCharacters,
      description: 'As records have it, with its groups.',
    }),
    kind: Type.Optional(
      Type.String({ maxLength: 20, description: `${kinds} By default what the question is compared as.` }),
    ),
  },
  { examples: [{ question: 'household/village' }] },
)

const Time = Type.Union([Type.String({ format: 'date-time' }), Type.Null()])

export const IndexView = Type.Object(
  {
    id: Type.Integer(),
    question: Type.String(),
    kind: Type.String({ enum: [...indexKinds], description: kinds }),
    state: Type.String({
      enum: ['asked', 'waiting', 'postponed', 'made', 'forbidden', 'useless', 'failed'],
      description:
        '`asked`: only counted so far; `waiting`: it is being made; `postponed`: there is no room for it now, and it is made when there is; `forbidden`: it was given up and does not make itself again; `useless`: too many records have the same answer; `failed`: the database could not make it.',
    }),
    bytes: Type.Union([Type.Integer(), Type.Null()], {
      description: 'What it takes on the disk; null while it is not there.',
    }),
    filtered: Type.Integer({ description: 'How often records were filtered by it.' }),
    sorted: Type.Integer({ description: 'How often records were sorted by it.' }),
    last_asked: Time,
    since: Type.String({ format: 'date-time', description: 'When it came into its state.' }),
    wanted_by: Type.Union([Type.String(), Type.Null()], { description: 'Who asked for it; null: it makes itself.' }),
  },
  {
    examples: [
      {
        id: 12,
        question: 'household/village',
        kind: 'text',
        state: 'made',
        bytes: 31_457_280,
        filtered: 214,
        sorted: 3,
        last_asked: '2026-01-10T14:22:20.394Z',
        since: '2026-01-04T09:00:11.020Z',
        wanted_by: null,
      },
    ],
  },
)
