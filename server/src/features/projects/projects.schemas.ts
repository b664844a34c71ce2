import { PageQuery } from '../../platform/http/index.js'
import { Type } from '../../platform/schema/index.js'

const ProjectUserView = Type.Object({
  is_org: Type.Boolean(),
  metadata: Type.Record(Type.String(), Type.Unknown()),
  first_name: Type.String(),
  last_name: Type.String(),
  user: Type.String(),
  role: Type.String(),
})

const ProjectTeamView = Type.Object({
  name: Type.String(),
  role: Type.Union([Type.String(), Type.Null()]),
  users: Type.Array(Type.String()),
})

const NullableTime = Type.Union([Type.String({ format: 'date-time' }), Type.Null()])

export const ProjectView = Type.Object(
  {
    url: Type.String({ format: 'uri' }),
    projectid: Type.Integer(),
    name: Type.String(),
    owner: Type.String({ format: 'uri' }),
    created_by: Type.Optional(Type.Union([Type.String({ format: 'uri' }), Type.Null()])),
    metadata: Type.Record(Type.String(), Type.Unknown()),
    starred: Type.Boolean({ description: 'By the caller.' }),
    allowed: Type.Array(Type.String(), {
      description: 'What the caller may do with it, so that a page offers nothing that would be refused.',
    }),
    users: Type.Optional(Type.Array(ProjectUserView, { description: 'Shown to those who have a role.' })),
    forms: Type.Array(Type.Record(Type.String(), Type.Unknown())),
    public: Type.Boolean(),
    tags: Type.Array(Type.String()),
    num_datasets: Type.Integer(),
    last_submission_date: NullableTime,
    teams: Type.Optional(Type.Array(ProjectTeamView, { description: 'Shown to those who have a role.' })),
    data_views: Type.Optional(Type.Array(Type.Record(Type.String(), Type.Unknown()))),
    deleted_at: Type.Optional(NullableTime),
    date_created: Type.String({ format: 'date-time' }),
    date_modified: Type.String({ format: 'date-time' }),
  },
  {
    examples: [
      {
        url: 'http://127.0.0.1:8080/api/v1/projects/1',
        projectid: 1,
        name: 'Survey',
        owner: 'http://127.0.0.1:8080/api/v1/users/acme',
        created_by: 'http://127.0.0.1:8080/api/v1/users/ana',
        metadata: { category: 'health' },
        starred: false,
        allowed: ['view', 'view_all', 'view_data', 'export', 'submit', 'change_data', 'manage'],
        users: [{ is_org: false, metadata: {}, first_name: 'Ana', last_name: '', user: 'ana', role: 'owner' }],
        forms: [],
        public: false,
        tags: ['health'],
        num_datasets: 0,
        last_submission_date: null,
        teams: [{ name: 'acme#Owners', role: 'owner', users: ['ana'] }],
        data_views: [],
        date_created: '2026-01-10T14:22:20.394Z',
        date_modified: '2026-01-10T14:22:20.394Z',
      },
    ],
  },
)

export const ProjectParams = Type.Object({
  pk: Type.String({ maxLength: 20, description: 'Id of the project.', examples: ['1'] }),
})

export const ProjectsQuery = Type.Object({
  owner: Type.Optional(
    Type.String({ maxLength: 254, description: 'Username; adds the public projects of that account.' }),
  ),
  tags: Type.Optional(Type.String({ maxLength: 1000, description: 'Any of these tags, separated by commas.' })),
  ...PageQuery,
})

const nameFault = (name: string) => (/\p{Cc}/u.test(name) ? 'Control characters are not allowed.' : undefined)
const Name = Type.String({ minLength: 1, maxLength: 255, 'x-check': nameFault, examples: ['Survey'] })
const Owner = Type.String({
  minLength: 1,
  maxLength: 500,
  description: 'Address of a user, or a username.',
  examples: ['http://127.0.0.1:8080/api/v1/users/acme'],
})

const fields = {
  name: Type.Optional(Name),
  owner: Type.Optional(Owner),
  public: Type.Optional(Type.Boolean()),
  metadata: Type.Optional(
    Type.Record(Type.String(), Type.Unknown(), {
      'x-messages': { type: 'Invalid value for metadata' },
      description: 'For example description, location, category.',
    }),
  ),
}

export const CreateProject = Type.Object(
  { ...fields, name: Name },
  { examples: [{ name: 'Survey', metadata: { category: 'health' }, public: false }] },
)

export const PatchProject = Type.Object(fields, { examples: [{ metadata: { location: 'Kisumu' } }] })

export const PutProject = Type.Object({ ...fields, name: Name, owner: Owner })

export const AccessQuery = Type.Object({
  user: Type.String({ minLength: 1, maxLength: 254, description: 'Whose access is asked for.', examples: ['ben'] }),
})

export const AccessView = Type.Object(
  {
    user: Type.String(),
    role: Type.String({ description: 'The highest of the granted roles; `member` for none.' }),
    sources: Type.Array(
      Type.Object({
        source: Type.String({ description: 'owner, direct, team or organization.' }),
        role: Type.String(),
        through: Type.Union([Type.String(), Type.Null()]),
      }),
    ),
    allows: Type.Array(Type.String()),
    public: Type.Boolean({ description: 'Everybody may look at a public project.' }),
  },
  {
    examples: [
      {
        user: 'ben',
        role: 'editor',
        sources: [
          { source: 'direct', role: 'readonly', through: null },
          { source: 'team', role: 'editor', through: 'nurses' },
        ],
        allows: ['view', 'view_all', 'view_data', 'export', 'submit', 'change_data'],
        public: false,
      },
    ],
  },
)
