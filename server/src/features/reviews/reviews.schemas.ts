import { PageQuery } from '../../platform/http/index.js'
import { Type } from '../../platform/schema/index.js'

export const statuses = ['1', '2', '3']

/** What one call can review; a page of records. */
export const mostReviews = 1000

const status = Type.String({
  maxLength: 20,
  enum: statuses,
  description: '1 approved, 2 rejected (needs a note), 3 pending.',
  examples: ['1'],
})

const note = Type.Optional(
  Type.Union([Type.String({ maxLength: 10_000 }), Type.Null()], {
    description: 'The comment; the record shows it, and it is one of its notes.',
    examples: ['The age cannot be right.'],
  }),
)

export const ReviewBody = Type.Object(
  {
    instance: Type.Integer({ description: 'Id of the record.', examples: [9] }),
    status: Type.Optional(status),
    note,
  },
  { examples: [{ instance: 9, status: '2', note: 'The age cannot be right.' }] },
)

/** One review or a list; read by the route itself. */
export const ReviewBodies = Type.Union([ReviewBody, Type.Array(ReviewBody, { maxItems: mostReviews })], {
  'x-unchecked': true,
})

export const ReviewChanges = Type.Object(
  { status: Type.Optional(status), note },
  { examples: [{ status: '1', note: 'Asked again, it is right.' }] },
)

export const ReviewParams = Type.Object({
  id: Type.String({ maxLength: 20, description: 'Id of the review.', examples: ['3'] }),
})

const filter = (description: string, example: string) =>
  Type.Optional(Type.String({ maxLength: 20, description, examples: [example] }))

export const ReviewsQuery = Type.Object({
  instance: filter('Of this record.', '9'),
  created_by: filter('By the user with this id.', '3'),
  status: filter('With this status.', '1'),
  ...PageQuery,
})

export const ReviewView = Type.Object(
  {
    id: Type.Integer(),
    instance: Type.Integer(),
    created_by: Type.Integer({ description: 'Id of the user.' }),
    status: Type.String(),
    note: Type.Union([Type.String(), Type.Null()]),
    date_created: Type.String({ format: 'date-time' }),
    date_modified: Type.String({ format: 'date-time' }),
  },
  {
    examples: [
      {
        id: 3,
        instance: 9,
        created_by: 3,
        status: '2',
        note: 'The age cannot be right.',
        date_created: '2026-02-26T03:32:57.799Z',
        date_modified: '2026-02-26T03:32:57.799Z',
      },
    ],
  },
)
