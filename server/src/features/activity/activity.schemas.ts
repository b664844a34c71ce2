import { Type } from '../../platform/schema/index.js'

const Numbers = Type.Array(Type.Integer(), { description: 'Records received, day by day; the last day is today.' })
const Waiting = Type.Integer({ description: 'Records whose review is pending; for those who manage the form.' })
const Paused = Type.Integer({ description: 'Rest services that were stopped; for those who manage the form.' })
const FirstDay = Type.String({ format: 'date', description: 'The day of the first number.' })
const Time = Type.String({ format: 'date-time' })

/** A whole number within bounds, as an address writes it. */
const Whole = (description: string, example: string) =>
  Type.Optional(Type.String({ pattern: '^-?\\d{1,4}$', maxLength: 5, description, examples: [example] }))

export const ActivityQuery = Type.Object({
  days: Whole('How many days, today included: 1 to 92. 30 without it.', '30'),
  utc_offset: Whole('Minutes east of UTC, -840 to 840: where a day begins. 0 without it.', '180'),
})

export const ActivityView = Type.Object(
  {
    first_day: FirstDay,
    projects: Type.Array(
      Type.Object({ projectid: Type.Integer(), submissions: Numbers, waiting: Waiting, paused_services: Paused }),
    ),
    recent_forms: Type.Array(
      Type.Object({
        formid: Type.Integer(),
        title: Type.String(),
        projectid: Type.Integer(),
        project: Type.String({ description: 'Its name.' }),
        last_event_time: Type.String({
          format: 'date-time',
          description: 'Of the last record, or of the last version where that is later.',
        }),
      }),
      { description: 'In which something happened last, at most eight.' },
    ),
  },
  {
    examples: [
      {
        first_day: '2026-01-10',
        projects: [{ projectid: 1, submissions: [0, 4, 12], waiting: 2, paused_services: 0 }],
        recent_forms: [
          {
            formid: 12,
            title: 'Household visit',
            projectid: 1,
            project: 'Survey',
            last_event_time: '2026-01-12T14:22:20.394Z',
          },
        ],
      },
    ],
  },
)

export const ProjectActivityView = Type.Object(
  {
    first_day: FirstDay,
    forms: Type.Array(
      Type.Object({
        formid: Type.Integer(),
        own_only: Type.Boolean({ description: 'The caller sees the records that they sent, and these are counted.' }),
        submissions: Numbers,
        waiting: Waiting,
        paused_services: Paused,
      }),
    ),
  },
  {
    examples: [
      {
        first_day: '2026-01-10',
        forms: [{ formid: 12, own_only: false, submissions: [0, 4, 12], waiting: 2, paused_services: 0 }],
      },
    ],
  },
)

export const ProjectEventsQuery = Type.Object({
  before: Type.Optional(
    Type.String({
      pattern: '^\\d{1,15}$',
      maxLength: 15,
      description: 'Only events with a lower id.',
      examples: ['812'],
    }),
  ),
  page_size: Whole('How many, 1 to 100. 50 without it.', '50'),
})

export const ProjectEventView = Type.Object(
  {
    id: Type.Integer(),
    verb: Type.String(),
    formid: Type.Union([Type.Integer(), Type.Null()], { description: 'Null: about the project itself.' }),
    form: Type.Union([Type.String(), Type.Null()], { description: 'Title of the form.' }),
    ids: Type.Array(Type.Integer(), { description: 'What it is about; at most a hundred.' }),
    message: Type.Union([Type.String(), Type.Null()], { description: 'What somebody wrote.' }),
    user: Type.Union([Type.String(), Type.Null()], { description: 'Who did it; null when nobody had signed in.' }),
    timestamp: Time,
  },
  {
    examples: [
      {
        id: 811,
        verb: 'submission_created',
        formid: 12,
        form: 'Household visit',
        ids: [5120],
        message: null,
        user: 'ben',
        timestamp: '2026-01-12T14:22:20.394Z',
      },
    ],
  },
)

export const UsageQuery = Type.Object({
  months: Whole('How many months, this one included: 1 to 36. 12 without it.', '12'),
})

export const UsageView = Type.Object(
  {
    months: Type.Array(
      Type.Object({
        month: Type.String({ description: 'Year and month, in UTC.' }),
        submissions: Type.Integer(),
      }),
      { description: 'Oldest first; none is left out.' },
    ),
  },
  { examples: [{ months: [{ month: '2026-01', submissions: 412 }] }] },
)
