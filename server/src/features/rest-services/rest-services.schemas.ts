import { zonedTimeFault } from '../../formats/moments/index.js'
import { PageQuery } from '../../platform/http/index.js'
import { Type } from '../../platform/schema/index.js'
import { isWebAddress } from '../../platform/words/index.js'
import { kinds } from './kinds.js'

const Time = Type.String({ format: 'date-time' })
const NullableTime = Type.Union([Time, Type.Null()])
const NullableText = Type.Union([Type.String(), Type.Null()])

const ExistingData = Type.Object(
  {
    state: Type.String({ description: '`running` or `done`.' }),
    total: Type.Integer({ description: 'Submissions when it was asked for.' }),
    sent: Type.Integer({ description: 'Of these, how many have been sent, or had arrived before.' }),
    started: Time,
    finished: NullableTime,
  },
  { description: 'How far the last push of existing data is.' },
)

export const RestServiceView = Type.Object(
  {
    id: Type.Integer(),
    xform: Type.Integer({ description: 'Id of the form.' }),
    name: Type.String({ description: 'The kind.' }),
    service_url: Type.String(),
    active: Type.Boolean({ description: 'While it is false, submissions are kept and wait.' }),
    inactive_reason: Type.String({
      description: 'In words; also that whoever it acted for has lost the right to manage the form.',
    }),
    secret: Type.Optional(
      Type.String({
        description:
          'Verifies the signature of every call (Standard Webhooks). For managers and owners; not shown to OAuth access tokens, and to a browser only when it makes the service.',
      }),
    ),
    auth_token: Type.Optional(
      Type.String({ description: 'For managers and owners; not shown to OAuth access tokens.' }),
    ),
    flow_title: Type.Optional(Type.String()),
    flow_uuid: Type.Optional(Type.String()),
    contacts: Type.Optional(Type.String()),
    sheet_title: Type.Optional(Type.String()),
    send_existing_data: Type.Optional(Type.Boolean()),
    sync_updates: Type.Optional(Type.Boolean()),
    redirect_uri: Type.Optional(Type.String()),
    existing_data: Type.Optional(Type.Union([ExistingData, Type.Null()])),
    date_created: Time,
    date_modified: Time,
  },
  {
    examples: [
      {
        id: 236,
        xform: 9929,
        name: 'generic_json',
        service_url: 'https://example.org/receive',
        active: true,
        inactive_reason: '',
        secret: 'whsec_5WIAp4s6hXK2nIbqJ8mQ0bT7sT1H0x8xk2J3l8k9bZM=',
        date_created: '2026-01-10T14:22:20.394Z',
        date_modified: '2026-01-10T14:22:20.394Z',
      },
    ],
  },
)

export const ServiceParams = Type.Object({
  pk: Type.String({ maxLength: 20, description: 'Id of the rest service.', examples: ['236'] }),
})

export const DeliveryParams = Type.Object({
  pk: Type.String({ maxLength: 20, description: 'Id of the rest service.', examples: ['236'] }),
  id: Type.String({ maxLength: 20, description: 'Id of the delivery.', examples: ['71'] }),
})

export const ServicesQuery = Type.Object({
  xform: Type.Optional(Type.String({ maxLength: 20, description: 'Only those of this form.', examples: ['9929'] })),
})

const addressFault = (text: string): string | undefined => {
  if (!isWebAddress(text)) return 'Enter a valid URL.'
  const { username, password } = new URL(text)
  return username === '' && password === '' ? undefined : 'Enter a valid URL without a name or a password in it.'
}

/** It is sent in a header. */
const headerFault = (text: string): string | undefined =>
  /^[\x20-\x7e]+$/.test(text) ? undefined : 'Only plain letters, digits and signs are allowed.'

const Text = (description: string, example: string) =>
  Type.Optional(Type.String({ minLength: 1, maxLength: 255, description, examples: [example] }))

const fields = {
  xform: Type.Optional(
    Type.Integer({
      description: 'Id of the form. The caller manages or owns it.',
      'x-messages': { type: 'Invalid form id' },
      examples: [9929],
    }),
  ),
  name: Type.Optional(Type.String({ maxLength: 50, enum: kinds, examples: ['generic_json'] })),
  service_url: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 200,
      'x-check': addressFault,
      description:
        'Where submissions are sent. For health_info_sync it may hold `%(id_string)s` and `%(uuid)s`; for sheet_sync it may be left out.',
      examples: ['https://example.org/receive'],
    }),
  ),
  active: Type.Optional(
    Type.Boolean({
      description: 'True resumes a paused service, which acts for the caller then, and sends what waits.',
    }),
  ),
  auth_token: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 255,
      'x-check': headerFault,
      description: 'Of flow_messaging.',
      examples: ['b1a9c2'],
    }),
  ),
  flow_title: Type.Optional(Type.String({ maxLength: 255, description: 'Of flow_messaging.' })),
  flow_uuid: Text('Of flow_messaging.', 'd5d3b7a0-0f4a-4a5c-9d35-2f1f5c1f5a11'),
  contacts: Text('Of flow_messaging, separated by commas.', '+254700000001,+254700000002'),
  sheet_title: Text('Of sheet_sync.', 'Visits'),
  send_existing_data: Type.Optional(
    Type.Boolean({ description: 'Of sheet_sync: sends what the form has already. Given as true, it starts at once.' }),
  ),
  sync_updates: Type.Optional(Type.Boolean({ description: 'Of sheet_sync: edits are sent too.' })),
  redirect_uri: Type.Optional(Type.String({ maxLength: 500, description: 'Of sheet_sync; kept, and not used.' })),
}

/** Which fields a kind must have is checked by the room: it depends on the kind. */
export const ServiceBody = Type.Object(fields, {
  examples: [{ xform: 9929, name: 'generic_json', service_url: 'https://example.org/receive' }],
})

export const PatchService = Type.Object(fields, { examples: [{ send_existing_data: true }] })

export const DeliveryView = Type.Object(
  {
    id: Type.Integer(),
    submission: Type.Integer({ description: '`_id` of the submission.' }),
    message_id: Type.String({ description: 'The header `webhook-id`, the same on every try.' }),
    cause: Type.String({ description: 'created, edited, existing or replayed.' }),
    state: Type.String({ description: 'pending, delivered, failed, or skipped because the submission was deleted.' }),
    tries: Type.Integer(),
    last_status: Type.Union([Type.Integer(), Type.Null()], { description: 'HTTP status of the last answer.' }),
    last_error: NullableText,
    last_response: Type.Union([Type.String(), Type.Null()], { description: 'How the last answer began.' }),
    last_try: NullableTime,
    next_try: NullableTime,
    lag: Type.Number({ description: 'Seconds from its cause to its arrival; until now for one that waits.' }),
    date_created: Time,
  },
  {
    examples: [
      {
        id: 71,
        submission: 1337,
        message_id: 'msg_236_1337',
        cause: 'created',
        state: 'pending',
        tries: 2,
        last_status: 503,
        last_error: 'It answered 503.',
        last_response: 'Down for maintenance',
        last_try: '2026-01-10T14:22:23.394Z',
        next_try: '2026-01-10T14:22:25.412Z',
        lag: 4.1,
        date_created: '2026-01-10T14:22:20.394Z',
      },
    ],
  },
)

export const deliveryStates = ['pending', 'delivered', 'failed', 'skipped'] as const

export const DeliveriesQuery = Type.Object({
  state: Type.Optional(Type.String({ maxLength: 20, description: deliveryStates.join(', '), examples: ['failed'] })),
  ...PageQuery,
})

const Moment = Type.String({ maxLength: 40, 'x-check': zonedTimeFault, examples: ['2026-01-10T14:00:00Z'] })

export const ReplayBody = Type.Object(
  { from: Moment, to: Moment },
  { examples: [{ from: '2026-01-10T00:00:00Z', to: '2026-01-11T00:00:00Z' }] },
)

export const ReplayView = Type.Object(
  { submissions: Type.Integer({ description: 'How many will be sent again.' }), from: Time, to: Time },
  { examples: [{ submissions: 42, from: '2026-01-10T00:00:00.000Z', to: '2026-01-11T00:00:00.000Z' }] },
)

export const EmptyBody = Type.Object({}, { description: 'Nothing.', examples: [{}] })

export const TestView = Type.Object(
  {
    delivered: Type.Boolean(),
    message_id: Type.String(),
    status: Type.Union([Type.Integer(), Type.Null()]),
    error: NullableText,
    response: NullableText,
  },
  { examples: [{ delivered: true, message_id: 'test_4f2a', status: 200, error: null, response: 'ok' }] },
)
