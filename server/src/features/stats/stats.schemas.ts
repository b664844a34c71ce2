import { PageQuery } from '../../platform/http/index.js'
import { Type } from '../../platform/schema/index.js'

export const StatsParams = Type.Object({
  pk: Type.String({ maxLength: 40, description: 'Form id.', examples: ['12'] }),
})

export const StatsListQuery = Type.Object({ ...PageQuery })

const option = (description: string, example?: string) =>
  Type.Optional(Type.String({ maxLength: 1000, description, ...(example !== undefined && { examples: [example] }) }))

const refresh = option('`true` counts again; otherwise an answer of the last ten minutes may come back.')

export const StatsQuery = Type.Object({
  field: option('This question alone.', 'age'),
  method: option('One of `mean`, `median`, `mode` and `range`; otherwise all of them.', 'mean'),
  refresh,
})

export const CountsQuery = Type.Object({
  group: option('The field to count by: its name or its path, or a built-in field.', '_submission_time'),
  name: option('How the value is named in the answer; as the field, if it is left out.', 'day'),
  refresh,
})

export const StatsEntry = Type.Object(
  { id: Type.Integer(), id_string: Type.String(), url: Type.String() },
  {
    description: 'A form with statistics.',
    examples: [{ id: 12, id_string: 'tutorial', url: 'https://example.org/api/v1/stats/12' }],
  },
)

const Figure = Type.Optional(Type.Union([Type.Number(), Type.Null()]))

export const StatsView = Type.Record(
  Type.String(),
  Type.Object({ mean: Figure, median: Figure, mode: Figure, max: Figure, min: Figure, range: Figure }),
  {
    description: 'Statistics of each numeric question; null where it has no numbers.',
    examples: [{ age: { mean: 35.25, median: 28.5, mode: 24, max: 64, min: 21, range: 43 } }],
  },
)

export const CountsView = Type.Array(Type.Object({}, { additionalProperties: true }), {
  description: 'How many records there are of each value, by value.',
  examples: [[{ day: '2014-02-28', count: 4 }]],
})
