import { PageQuery, redirectCheck } from '../../platform/http/index.js'
import { Type } from '../../platform/schema/index.js'
import type { MayLeadTo } from '../../platform/words/index.js'

/** Null: not known yet, or the database is away. */
const Known = Type.Union([Type.Integer(), Type.Null()])
const Words = Type.Union([Type.String(), Type.Null()])
const Moment = Type.String({ format: 'date-time' })
const MomentOrNull = Type.Union([Type.String({ format: 'date-time' }), Type.Null()])

const FailingJob = Type.Object({
  task: Type.String(),
  attempts: Type.Integer(),
  most_attempts: Type.Integer(),
  last_error: Type.String({ description: 'How it begins.' }),
  next_try_at: Type.Union([Type.String({ format: 'date-time' }), Type.Null()], { description: 'Null: given up.' }),
  created_at: Moment,
})

const FailingService = Type.Object({
  id: Type.Integer(),
  name: Type.String({ description: 'Its kind.' }),
  server: Type.String({ description: 'Host and port of its address.' }),
  form_id: Type.Integer(),
  form: Type.String({ description: 'Title of the form.' }),
  owner: Type.String({ description: 'Whose form it is.' }),
  active: Type.Boolean(),
  reason: Type.String({ description: 'Why it was paused; blank while it is tried.' }),
  failures: Type.Integer({ description: 'Calls that failed since the last that succeeded.' }),
  failing_since: MomentOrNull,
})

const example = {
  version: '0.1.0',
  node_version: '22.11.0',
  started_at: '2026-11-16T08:00:00.000Z',
  uptime_seconds: 3600,
  measured_at: '2026-11-16T09:00:00.000Z',
  processes: { workers: 1, roles: ['web', 'jobs'], job_runners: 1, memory_bytes: 180_000_000 },
  health: { database: 'ok', migrations: 'ok', files: 'ok', mail: 'ok' },
  disk: { folder: '/srv/sheaf/data', total_bytes: 500_000_000_000, free_bytes: 320_000_000_000 },
  database: {
    is_built_in: true,
    version: '18.4',
    bytes: 90_000_000,
    largest_tables: [{ name: 'submissions', bytes: 60_000_000, estimated_rows: 24_000 }],
  },
  files: {
    count: 9000,
    bytes_of_records: 4_000_000_000,
    bytes_of_forms: 1_000_000,
    bytes_of_exports: 20_000_000,
  },
  counts: { people: 24, active_people: 23, organizations: 2, projects: 5, forms: 12, records: 24_310 },
  jobs: {
    due: 0,
    later: 1,
    running: 0,
    given_up: 1,
    failing: [
      {
        task: 'mail.send',
        attempts: 10,
        most_attempts: 10,
        last_error: 'connect ECONNREFUSED 192.0.2.1:587',
        next_try_at: null,
        created_at: '2026-11-15T17:00:00.000Z',
      },
    ],
  },
  mails: { is_sent: true, waiting: 0, given_up: 1, last_error: 'connect ECONNREFUSED 192.0.2.1:587' },
  deliveries: { pending: 12, delivered: 4100, failed: 3, skipped: 0 },
  failing_services: [
    {
      id: 7,
      name: 'generic_json',
      server: 'hooks.example.org',
      form_id: 12,
      form: 'Household survey',
      owner: 'ana',
      active: true,
      reason: '',
      failures: 41,
      failing_since: '2026-11-16T07:00:00.000Z',
    },
  ],
  stalls: { count: 1, seconds: 0.2, by_operation: [{ operation: 'form.publish', count: 1, seconds: 0.2 }] },
  settings: [{ group: 'The process', name: 'PORT', value: '8080', is_set: false, is_secret: false }],
  verified: { ran_at: '2026-11-15T03:00:00.000Z', records: 24_000, files: 9000, differences: 0 },
  backup: { last: '2026-11-17T02:00:00.000Z', steps: ['Back up: DATA_DIR=/srv/sheaf/data sheaf backup PLACE'] },
}

export const ServerView = Type.Object(
  {
    version: Type.String(),
    node_version: Type.String(),
    started_at: Type.String({ format: 'date-time', description: 'Of the process that answers.' }),
    uptime_seconds: Type.Integer(),
    measured_at: Type.Union([Type.String({ format: 'date-time' }), Type.Null()], {
      description: 'Counts and queues are as of then; sizes may be somewhat older.',
    }),
    processes: Type.Object({
      workers: Type.Integer(),
      roles: Type.Array(Type.String()),
      job_runners: Type.Union([Type.Integer(), Type.Null()], {
        description: 'Runners of background jobs, on all servers, that were heard of in the last minute.',
      }),
      memory_bytes: Type.Integer({ description: 'Of all processes of this server.' }),
    }),
    health: Type.Object({
      database: Type.String({ description: '`ok` or `unreachable`.' }),
      migrations: Type.String({ description: '`ok`, `pending` or `unknown`.' }),
      files: Type.String({ description: '`ok`, `full` or `unreachable`.' }),
      mail: Type.String({ description: '`ok`, `failing` while mails wait that could not be sent, or `unknown`.' }),
    }),
    disk: Type.Object({ folder: Type.String(), total_bytes: Known, free_bytes: Known }),
    database: Type.Object({
      is_built_in: Type.Boolean(),
      version: Words,
      bytes: Known,
      largest_tables: Type.Array(Type.Object({ name: Type.String(), bytes: Type.Integer(), estimated_rows: Known })),
    }),
    files: Type.Object({
      count: Known,
      bytes_of_records: Known,
      bytes_of_forms: Known,
      bytes_of_exports: Known,
    }),
    counts: Type.Union([
      Type.Object({
        people: Type.Integer(),
        active_people: Type.Integer(),
        organizations: Type.Integer(),
        projects: Type.Integer(),
        forms: Type.Integer(),
        records: Type.Integer(),
      }),
      Type.Null(),
    ]),
    jobs: Type.Object({
      due: Known,
      later: Known,
      running: Known,
      given_up: Known,
      failing: Type.Array(FailingJob),
    }),
    mails: Type.Object({
      is_sent: Type.Boolean({ description: 'False: they are written to files, since SMTP_URL is not set.' }),
      waiting: Known,
      given_up: Known,
      last_error: Words,
    }),
    deliveries: Type.Object({ pending: Known, delivered: Known, failed: Known, skipped: Known }),
    failing_services: Type.Array(FailingService),
    stalls: Type.Object({
      count: Type.Integer({ description: 'Moments since the start in which the event loop answered nobody.' }),
      seconds: Type.Number(),
      by_operation: Type.Array(
        Type.Object({ operation: Type.String(), count: Type.Integer(), seconds: Type.Number() }),
      ),
    }),
    settings: Type.Array(
      Type.Object({
        group: Type.String(),
        name: Type.String(),
        value: Type.String({ description: 'Blank for a secret.' }),
        is_set: Type.Boolean(),
        is_secret: Type.Boolean(),
      }),
    ),
    verified: Type.Union(
      [
        Type.Object({
          ran_at: Moment,
          records: Type.Integer(),
          files: Type.Integer(),
          differences: Type.Integer(),
        }),
        Type.Null(),
      ],
      { description: 'What `sheaf verify` last found.' },
    ),
    backup: Type.Object({
      last: Type.Union([Type.String({ format: 'date-time' }), Type.Null()], {
        description: 'When the last backup that ran to its end began, by hand or by BACKUP_URL; null: none yet.',
      }),
      steps: Type.Array(Type.String(), { description: 'How to make one of this installation.' }),
    }),
  },
  { examples: [example] },
)

export const OperatedPerson = Type.Object(
  {
    id: Type.Integer(),
    username: Type.String(),
    name: Type.String(),
    email: Type.String(),
    is_active: Type.Boolean(),
    is_operator: Type.Boolean(),
    joined_at: Moment,
    last_sign_in_at: Type.Union([Type.String({ format: 'date-time' }), Type.Null()], {
      description: 'On a page; devices and programs that send a password or a token do not sign in.',
    }),
  },
  {
    examples: [
      {
        id: 7,
        username: 'ana',
        name: 'Ana Silva',
        email: 'ana@example.org',
        is_active: true,
        is_operator: false,
        joined_at: '2026-01-12T08:00:00.000Z',
        last_sign_in_at: '2026-11-16T08:30:00.000Z',
      },
    ],
  },
)

export const PeopleQuery = Type.Object({
  search: Type.Optional(
    Type.String({
      maxLength: 254,
      description: 'A part of a username, a name or an e-mail address.',
      examples: ['an'],
    }),
  ),
  is_active: Type.Optional(Type.Boolean({ description: 'Only those who may sign in, or only those who may not.' })),
  ...PageQuery,
})

export const OperatedPersonParams = Type.Object({
  username: Type.String({ maxLength: 400, description: 'Username in any case, or id.', examples: ['ana'] }),
})

export const OperatedPersonChange = Type.Object(
  { is_active: Type.Boolean({ description: 'False hides the account and ends what is signed in.' }) },
  { examples: [{ is_active: false }] },
)

export const ResetLink = (mayLeadTo: MayLeadTo) =>
  Type.Object(
    {
      reset_url: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: 254,
          'x-check': redirectCheck(mayLeadTo, 'Invalid reset URL.'),
          description:
            'Where the link of the mail leads; `uid`, `token` and `username` are added to it. Without it, to the page of this server.',
        }),
      ),
    },
    { examples: [{ reset_url: 'http://127.0.0.1:8080/reset' }] },
  )
