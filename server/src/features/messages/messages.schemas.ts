import { PageQuery } from '../../platform/http/index.js'
import { type TSchema, Type } from '../../platform/schema/index.js'

export const targetTypes = ['xform', 'project', 'user'] as const

const fields = {
  id: Type.Integer(),
  verb: Type.String(),
  message: Type.String({ description: 'A text; for what happened, JSON text with an array of ids.' }),
  user: Type.Union([Type.String(), Type.Null()], { description: 'Who did it; null when nobody had signed in.' }),
  device_key: Type.Optional(Type.String({ description: 'The name of the key that it came through.' })),
  timestamp: Type.String({ format: 'date-time' }),
}

export const EventView = Type.Object(fields, {
  examples: [
    {
      id: 16485370,
      verb: 'submission_created',
      message: '{"id": [71472574]}',
      user: 'bob',
      timestamp: '2026-02-26T03:32:57.799+00:00',
    },
  ],
})

export const NewMessageView = Type.Object(
  { ...fields, target_id: Type.Integer(), target_type: Type.String() },
  {
    examples: [
      {
        id: 5,
        verb: 'message',
        message: 'Hello',
        user: 'bob',
        target_id: 1337,
        target_type: 'xform',
        timestamp: '2026-02-26T03:32:57.799+00:00',
      },
    ],
  },
)

export const timeParts = ['year', 'month', 'day', 'hour', 'minute'] as const
export const comparisons = ['gt', 'gte', 'lt', 'lte'] as const

const short = (description: string) => Type.Optional(Type.String({ maxLength: 40, description }))

/** `timestamp`, `timestamp__gt`, `timestamp__year`, `timestamp__year__gt` and so on. */
const timeFilters: Record<string, TSchema> = Object.fromEntries(
  ['', ...timeParts.map((part) => `__${part}`)].flatMap((part) =>
    ['', ...comparisons.map((comparison) => `__${comparison}`)].map((comparison) => [
      `timestamp${part}${comparison}`,
      short(part === '' ? 'A time, ISO 8601.' : 'A number; of the time in UTC.'),
    ]),
  ),
)

export const EventsQuery = Type.Object({
  target_type: Type.Optional(
    Type.String({ maxLength: 100, description: 'xform, project or user. Required.', examples: ['xform'] }),
  ),
  target_id: Type.Optional(Type.String({ maxLength: 40, description: 'Its id. Required.', examples: ['1337'] })),
  verb: Type.Optional(Type.String({ maxLength: 100, examples: ['submission_created'] })),
  user: Type.Optional(Type.String({ maxLength: 254, description: 'By this username only.' })),
  ...PageQuery,
  ...(timeFilters as Record<never, never>),
})

export const EventParams = Type.Object({
  id: Type.String({ maxLength: 20, description: 'Id of the event.', examples: ['16485370'] }),
})

export const NewMessage = Type.Object(
  {
    target_type: Type.String({ maxLength: 20, enum: targetTypes, examples: ['xform'] }),
    target_id: Type.Integer({ examples: [1337] }),
    message: Type.String({ minLength: 1, maxLength: 10_000, examples: ['Hello'] }),
    verb: Type.Optional(
      Type.String({ maxLength: 50, enum: ['message'], description: 'What happened is recorded by the server alone.' }),
    ),
  },
  { examples: [{ target_type: 'xform', target_id: 1337, message: 'Hello' }] },
)
