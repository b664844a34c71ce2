import { PageQuery } from '../../platform/http/index.js'
import { Type } from '../../platform/schema/index.js'
import { NarrowingQuery } from './narrowing.js'

export const ChartParams = Type.Object({
  pk: Type.String({ maxLength: 40, description: 'Form id.', examples: ['4240'] }),
})

export const ChartViewParams = Type.Object({
  pk: Type.String({ maxLength: 40, description: 'Dataview id.', examples: ['3'] }),
})

export const ChartsQuery = Type.Object({ ...PageQuery })

/** Far below what a request line can hold; a longer one is refused before it comes here. */
const longestList = 100_000

const option = (description: string, example?: string) =>
  Type.Optional(Type.String({ maxLength: 1000, description, ...(example !== undefined && { examples: [example] }) }))

export const ChartQuery = Type.Object({
  ...NarrowingQuery,
  field_name: option(
    'The field to chart: its name or its path; `_submission_time`, `_submitted_by`, `_duration`, `_version`, `_review_status`.',
  ),
  field_xpath: option('The same by its path alone, which wins over `field_name`.'),
  fields: Type.Optional(
    Type.String({
      maxLength: longestList,
      description:
        'Several fields with commas between them, or `all`: one chart each, as JSON. Wins over `field_name`.',
    }),
  ),
  group_by: option('Fields with commas between them; with several, the charted field must be numeric.'),
  period: option('Of a date in `group_by`: `day` (as it is without) or `month`.', 'month'),
  by: option(
    'On the page of a question that takes several choices: `combination` shows what was chosen together, else each choice is a bar.',
    'combination',
  ),
  refresh: option('`true` counts again; otherwise an answer of the last ten minutes may come back.'),
  shape: Type.Optional(
    Type.String({
      maxLength: 20,
      enum: ['figures'],
      description:
        'Of `fields` or `field_name`: `figures` answers what a chart is drawn from, for those who know the form. Values are as records hold them, the most frequent first and at most 60 of each field; numbers are ranges with their mean and median; with `group_by`, fields that cannot be grouped are answered alone. At most 30 fields.',
      examples: ['figures'],
    }),
  ),
  sort: option('On the page: `value` for the order of the values, else the most frequent first.'),
  unit: option('On the page: `percent` shows shares.'),
  format: option('In place of a suffix.'),
})

const entryFields = { id: Type.Integer(), id_string: Type.String(), url: Type.String() }

export const ChartEntry = Type.Object(entryFields, {
  description: 'A form that can be charted.',
  examples: [{ id: 4240, id_string: 'tutorial', url: 'https://example.org/api/v1/charts/4240' }],
})

/** Made as text, so nothing is serialised here. */
export const ChartAnswer = Type.Object(
  {},
  {
    additionalProperties: true,
    description:
      'Without a field: the form and the address of each field’s chart. With `field_name`: the data of the chart; rows are sorted by count. With `fields`: such data for each of them. `others` says how many rare values were left out of a very long list; `answered` and `unanswered` how many records, or entries of a repeat, have an answer. Of a question that takes several choices `choices` counts each choice, where `data` counts what was chosen together. With `group_by` of a number, `answers` are the numbers that `sum` and `mean` are of, and `count` all records of the group.',
    examples: [
      {
        data: [
          { gender: ['Female'], count: 1 },
          { gender: ['Male'], count: 2 },
        ],
        data_type: 'categorized',
        field_label: 'Gender',
        field_xpath: 'gender',
        field_name: 'gender',
        field_type: 'select one',
        grouped_by: null,
        answered: 3,
        unanswered: 0,
        xform: 4240,
      },
    ],
  },
)
