import { Type } from '../../platform/schema/index.js'

const Question = Type.String({ description: 'Key of the question in records.' })
const Count = Type.Integer({ description: 'Stored answers of live records.' })
const Touched = Type.Array(Type.Object({ id: Type.Integer(), title: Type.String() }))

export const PlanView = Type.Object(
  {
    id_string_matches: Type.Boolean({ description: 'False: the replacement would be refused.' }),
    added: Type.Array(Question),
    removed: Type.Array(Question),
    renamed: Type.Array(Type.Object({ from: Question, to: Question, answers: Count }), {
      description: 'The label and the type are the same, or the label and the place. Answers stay under the old name.',
    }),
    type_changed: Type.Array(
      Type.Object({ question: Question, from: Type.String(), to: Type.String(), incompatible_answers: Count }),
    ),
    choices_removed: Type.Array(
      Type.Object({ question: Question, choices: Type.Array(Type.Object({ name: Type.String(), answers: Count })) }),
      { description: 'Choices that go although answers have them.' },
    ),
    constraints: Type.Array(
      Type.Object({
        question: Question,
        constraint: Type.String(),
        breaking_answers: Type.Union([Type.Integer(), Type.Null()]),
        reason: Type.Optional(Type.String({ description: 'Why it was not evaluated.' })),
      }),
      { description: 'Constraints that are new or other than before.' },
    ),
    removed_with_answers: Type.Array(Type.Object({ question: Question, answers: Count })),
    affected: Type.Object({
      widgets: Touched,
      dataviews: Touched,
      rest_services: Type.Array(Type.Object({ id: Type.Integer(), name: Type.String(), service_url: Type.String() })),
    }),
    warnings: Type.Array(Type.String()),
  },
  {
    examples: [
      {
        id_string_matches: true,
        added: ['height'],
        removed: ['shoe'],
        renamed: [{ from: 'nam', to: 'name', answers: 12 }],
        type_changed: [{ question: 'age', from: 'text', to: 'integer', incompatible_answers: 3 }],
        choices_removed: [{ question: 'sex', choices: [{ name: 'x', answers: 2 }] }],
        constraints: [{ question: 'age', constraint: '. < 120', breaking_answers: 1 }],
        removed_with_answers: [{ question: 'shoe', answers: 9 }],
        affected: { widgets: [], dataviews: [], rest_services: [] },
        warnings: [],
      },
    ],
  },
)
