import { PageQuery } from '../../platform/http/index.js'
import { type Static, Type } from '../../platform/schema/index.js'

const NullableText = Type.Union([Type.String(), Type.Null()])

export const WidgetView = Type.Object(
  {
    id: Type.Integer(),
    key: Type.Optional(
      Type.String({
        description:
          'Whoever knows it may read the widget with all data, signed in or not. Left out for callers who see some of the records, or none, and when it was withdrawn or whoever it acted for has lost the right to it: saving the widget gives it a new one.',
      }),
    ),
    url: Type.String({ format: 'uri' }),
    title: NullableText,
    description: NullableText,
    content_object: Type.String({ format: 'uri', description: 'The form or dataview whose records it counts.' }),
    aggregation: NullableText,
    order: Type.Integer({ description: 'Place among the widgets of the form or dataview, from 0, without gaps.' }),
    widget_type: Type.String(),
    view_type: Type.String(),
    column: Type.String(),
    group_by: NullableText,
    metadata: Type.Record(Type.String(), Type.Unknown()),
    data: Type.Array(Type.Record(Type.String(), Type.Unknown()), {
      description: 'Empty unless it was asked for. One row for each value of the column, by value.',
    }),
    figure: Type.Optional(
      Type.Unknown({
        description:
          'With `figures=true`, in place of `data`: what a chart of it is drawn from, as `/charts` answers with `shape=figures`, and the labels of the question and of the values in it. Missing where its question is gone.',
      }),
    ),
    date_created: Type.String({ format: 'date-time' }),
    date_modified: Type.String({ format: 'date-time' }),
  },
  {
    examples: [
      {
        id: 43,
        key: '9e7ee7c5539d4aa6bdcaae9b2a3b2f2c',
        url: 'http://127.0.0.1:8080/api/v1/widgets/43',
        title: 'Ages',
        description: null,
        content_object: 'http://127.0.0.1:8080/api/v1/forms/9929',
        aggregation: null,
        order: 0,
        widget_type: 'charts',
        view_type: 'horizontal-bar',
        column: 'age',
        group_by: null,
        metadata: {},
        data: [
          { count: 2, age: '21' },
          { count: 3, age: '22' },
        ],
        date_created: '2026-01-10T14:22:20.394Z',
        date_modified: '2026-01-10T14:22:20.394Z',
      },
    ],
  },
)

export const WidgetParams = Type.Object({
  pk: Type.String({ maxLength: 20, description: 'Id of the widget.', examples: ['43'] }),
})

export const WidgetQuery = Type.Object({
  data: Type.Optional(Type.String({ maxLength: 20, description: '`true` fills `data`.', examples: ['true'] })),
})

export const WidgetsQuery = Type.Object({
  key: Type.Optional(
    Type.String({
      maxLength: 100,
      description: 'The widget with this key, with its data, for anybody.',
      examples: ['9e7ee7c5539d4aa6bdcaae9b2a3b2f2c'],
    }),
  ),
  xform: Type.Optional(
    Type.String({ maxLength: 20, description: 'Those of this form, with their data.', examples: ['9929'] }),
  ),
  dataview: Type.Optional(
    Type.String({ maxLength: 20, description: 'Those of this dataview, with their data.', examples: ['3'] }),
  ),
  figures: Type.Optional(
    Type.String({
      maxLength: 20,
      description:
        'With `key`, `xform` or `dataview`: `true` fills `figure` in place of `data`, with what was counted in the last minute.',
      examples: ['true'],
    }),
  ),
  ...PageQuery,
})

/** Text or null, where null and blank are kept as they were given. */
const Text = (maxLength: number, description: string, example: string) =>
  Type.Optional(Type.Union([Type.String({ maxLength }), Type.Null()], { description, examples: [example] }))

const longestText = 255
const longestColumn = 1000

const fields = {
  title: Text(longestText, 'Heading.', 'Ages'),
  description: Text(longestText, 'What it shows, in words.', 'How old people are'),
  aggregation: Text(longestText, 'A hint for whoever draws it.', 'mean'),
  order: Type.Optional(
    Type.Integer({
      minimum: 0,
      description: 'Place among the widgets of the form or dataview; the others make room. The last by default.',
      examples: [0],
    }),
  ),
  content_object: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 500,
      description: 'Address of a form or a dataview.',
      examples: ['http://127.0.0.1:8080/api/v1/forms/9929'],
    }),
  ),
  widget_type: Type.Optional(Type.String({ maxLength: 50, enum: ['charts'], examples: ['charts'] })),
  view_type: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 50,
      description: 'A hint for whoever draws it.',
      examples: ['horizontal-bar'],
    }),
  ),
  column: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: longestColumn,
      description:
        'Name or path of a question, `question/choice`, or `_submission_time`, `_submitted_by`, `_duration`.',
      examples: ['age'],
    }),
  ),
  group_by: Text(longestColumn, 'Another column, by which each is divided.', 'sex'),
  metadata: Type.Optional(
    Type.Record(Type.String(), Type.Unknown(), { description: 'Free values; form-encoded as JSON text.' }),
  ),
}

/** What must be there is checked by the room, together with what no schema can see. */
export const WidgetBody = Type.Object(fields, {
  examples: [
    {
      content_object: 'http://127.0.0.1:8080/api/v1/forms/9929',
      widget_type: 'charts',
      view_type: 'horizontal-bar',
      column: 'age',
    },
  ],
})

export const PatchWidget = Type.Object(fields, { examples: [{ title: 'Ages', group_by: 'sex' }] })

export type Body = Static<typeof WidgetBody>
