import { isEmail } from '../../platform/http/index.js'
import { type Static, Type } from '../../platform/schema/index.js'
import { organizationRoles } from '../permissions/index.js'
import { contactFields } from '../profiles/index.js'
import { usernameFault } from '../users/index.js'

const MemberView = Type.Object({
  user: Type.String(),
  role: Type.String(),
  first_name: Type.String(),
  last_name: Type.String(),
  avatar: Type.String({ format: 'uri' }),
})

export const OrganizationView = Type.Object(
  {
    url: Type.String({ format: 'uri' }),
    org: Type.String({ description: 'Its username.' }),
    name: Type.String(),
    email: Type.Optional(Type.String({ description: 'Shown to members.' })),
    city: Type.String(),
    country: Type.String(),
    website: Type.String(),
    social: Type.String(),
    avatar: Type.String({ format: 'uri' }),
    description: Type.String(),
    address: Type.String(),
    phonenumber: Type.String(),
    require_auth: Type.Boolean(),
    allowed: Type.Array(Type.String(), {
      description: 'What the caller may do with it, so that a page offers nothing that would be refused.',
    }),
    user: Type.String({ format: 'uri' }),
    creator: Type.Union([Type.String({ format: 'uri' }), Type.Null()]),
    users: Type.Optional(Type.Array(MemberView, { description: 'Owners first; shown to members.' })),
    metadata: Type.Optional(
      Type.Record(Type.String(), Type.Unknown(), { description: 'Once it is set; shown to owners and managers.' }),
    ),
  },
  {
    examples: [
      {
        url: 'http://127.0.0.1:8080/api/v1/orgs/acme',
        org: 'acme',
        name: 'Acme Inc',
        email: 'office@acme.org',
        city: 'Nairobi',
        country: 'KE',
        website: '',
        social: '',
        avatar: 'http://127.0.0.1:8080/avatar/5d41402abc4b2a76b9719d911017c592',
        description: '',
        address: '',
        phonenumber: '',
        require_auth: false,
        allowed: ['view', 'view_metadata', 'create_projects', 'change'],
        user: 'http://127.0.0.1:8080/api/v1/users/acme',
        creator: 'http://127.0.0.1:8080/api/v1/users/ana',
        users: [
          { user: 'ana', role: 'owner', first_name: 'Ana', last_name: '', avatar: 'http://127.0.0.1:8080/avatar/ana' },
        ],
      },
    ],
  },
)

export const OrganizationParams = Type.Object({
  org: Type.String({ maxLength: 400, description: 'Username of the organization, in any case.', examples: ['acme'] }),
})

const orgFault = (name: string): string | undefined => {
  const fault = usernameFault(name)
  return fault?.startsWith('username may only contain')
    ? 'Organization may only contain alpha-numeric characters and underscores'
    : fault?.replace(/^[Uu]sername/, 'Organization')
}

const Org = Type.String({ minLength: 3, maxLength: 30, 'x-check': orgFault, examples: ['acme'] })
const Name = Type.String({ minLength: 1, maxLength: 255, examples: ['Acme Inc'] })

const fields = {
  ...contactFields,
  email: Type.Optional(
    Type.String({
      maxLength: 254,
      description: 'A contact address; may be blank.',
      'x-check': (text: string) => (text === '' || isEmail(text) ? undefined : 'Enter a valid email address.'),
    }),
  ),
  home_page: Type.Optional(Type.String({ maxLength: 255, description: 'Another name of `website`.' })),
  description: Type.Optional(Type.String({ maxLength: 255 })),
  address: Type.Optional(Type.String({ maxLength: 255 })),
  phonenumber: Type.Optional(Type.String({ maxLength: 30 })),
}

export const CreateOrganization = Type.Object(
  { ...fields, org: Org, name: Name },
  { examples: [{ org: 'acme', name: 'Acme Inc', email: 'office@acme.org', city: 'Nairobi', country: 'KE' }] },
)

export const PatchOrganization = Type.Object(
  { ...fields, org: Type.Optional(Type.String({ maxLength: 255 })), name: Type.Optional(Name) },
  { examples: [{ metadata: { computer: 'mac' } }] },
)

export type OrganizationFields = Static<typeof PatchOrganization>

export const OrganizationsQuery = Type.Object({
  shared_with: Type.Optional(
    Type.String({ maxLength: 254, description: 'Only those that this user belongs to as well.', examples: ['ben'] }),
  ),
})

export const MemberNames = Type.Array(Type.String(), { examples: [['ana', 'ben']] })

const roleFault = (role: string): string | undefined =>
  (organizationRoles as readonly string[]).includes(role) ? undefined : `Unknown role '${role}'.`

const Username = Type.String({ minLength: 1, maxLength: 255, examples: ['ben'] })
const Role = Type.String({
  minLength: 1,
  maxLength: 50,
  'x-check': roleFault,
  description: `One of ${organizationRoles.join(', ')}.`,
  examples: ['editor'],
})

export const AddMember = Type.Object(
  {
    username: Username,
    role: Type.Optional(Role),
    email_msg: Type.Optional(Type.String({ maxLength: 1024, description: 'Sends a mail with this text.' })),
    email_subject: Type.Optional(Type.String({ maxLength: 255 })),
  },
  { examples: [{ username: 'ben', role: 'editor' }] },
)

export const ChangeMember = Type.Object({ username: Username, role: Role })

export const RemoveMember = Type.Object({ username: Username }, { examples: [{ username: 'ben' }] })
