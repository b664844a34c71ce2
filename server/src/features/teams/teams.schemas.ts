import { largestId } from '../../platform/db/index.js'
import { Type } from '../../platform/schema/index.js'
import { isSharedRole } from '../permissions/index.js'

export const TeamView = Type.Object(
  {
    teamid: Type.Integer(),
    url: Type.String({ format: 'uri' }),
    name: Type.String(),
    organization: Type.String({ description: 'Username of the organization.' }),
    projects: Type.Array(
      Type.Object({
        name: Type.String(),
        projectid: Type.Integer(),
        default_role: Type.String({ description: 'The role of the team’s members on it; blank for none.' }),
      }),
    ),
    users: Type.Array(
      Type.Object({ id: Type.Integer(), username: Type.String(), first_name: Type.String(), last_name: Type.String() }),
    ),
  },
  {
    examples: [
      {
        teamid: 2,
        url: 'http://127.0.0.1:8080/api/v1/teams/2',
        name: 'nurses',
        organization: 'acme',
        projects: [{ name: 'Survey', projectid: 3, default_role: 'readonly' }],
        users: [{ id: 7, username: 'ben', first_name: 'Ben', last_name: '' }],
      },
    ],
  },
)

export const TeamParams = Type.Object({
  pk: Type.String({ maxLength: 20, description: 'Id of the team.', examples: ['2'] }),
})

export const TeamsQuery = Type.Object({
  org: Type.Optional(Type.String({ maxLength: 254, description: 'Only teams of this organization.' })),
})

const nameFault = (name: string) => (name.includes('#') ? 'A team’s name may not contain #.' : undefined)
const Name = Type.String({ minLength: 1, maxLength: 100, 'x-check': nameFault, examples: ['nurses'] })
const Organization = Type.String({ minLength: 1, maxLength: 254, examples: ['acme'] })

export const CreateTeam = Type.Object(
  { name: Name, organization: Organization },
  { examples: [{ name: 'nurses', organization: 'acme' }] },
)

export const ChangeTeam = Type.Object({ name: Type.Optional(Name), organization: Type.Optional(Organization) })

export const TeamMember = Type.Object({ username: Type.String({ minLength: 1, maxLength: 255, examples: ['ben'] }) })

export const UserNames = Type.Array(Type.String(), { examples: [['ana', 'ben']] })

const roleFault = (role: string): string | undefined => (isSharedRole(role) ? undefined : `Unknown role '${role}'.`)

export const ShareWithTeam = Type.Object(
  {
    project: Type.Integer({ minimum: 1, maximum: largestId, description: 'Id of a project of the organization.' }),
    role: Type.Optional(Type.String({ minLength: 1, maxLength: 50, 'x-check': roleFault, examples: ['readonly'] })),
    remove: Type.Optional(Type.Boolean({ description: 'Takes the team’s role away instead.' })),
  },
  { examples: [{ project: 3, role: 'readonly' }] },
)
