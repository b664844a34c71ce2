import countries from 'i18n-iso-countries/codes.json' with { type: 'json' }
import { redirectCheck } from '../../platform/http/index.js'
import { Type } from '../../platform/schema/index.js'
import type { MayLeadTo } from '../../platform/words/index.js'
import { maxPasswordLength, passwordLength } from '../credentials/index.js'
import { usernameFault } from '../users/index.js'

export const ProfileView = Type.Object(
  {
    id: Type.Integer({ description: 'The id of the user.' }),
    is_org: Type.Boolean(),
    url: Type.String({ format: 'uri' }),
    username: Type.String(),
    first_name: Type.String(),
    last_name: Type.String(),
    name: Type.String({ description: 'First and last name.' }),
    email: Type.Optional(Type.String({ description: 'Shown to the account itself only.' })),
    city: Type.String(),
    country: Type.String({ description: 'ISO 3166 alpha-2 code, or blank.' }),
    organization: Type.String(),
    website: Type.String(),
    social: Type.String({ description: 'Handle in a social network.' }),
    avatar: Type.String({ format: 'uri' }),
    require_auth: Type.Boolean(),
    user: Type.String({ format: 'uri' }),
    metadata: Type.Optional(
      Type.Record(Type.String(), Type.Unknown(), { description: 'Free values; shown to the account itself only.' }),
    ),
    is_email_verified: Type.Optional(Type.Boolean({ description: 'Shown to the account itself only.' })),
    joined_on: Type.String({ format: 'date-time' }),
  },
  {
    examples: [
      {
        id: 7,
        is_org: false,
        url: 'http://127.0.0.1:8080/api/v1/profiles/ana',
        username: 'ana',
        first_name: 'Ana',
        last_name: 'Silva',
        name: 'Ana Silva',
        email: 'ana@example.org',
        city: 'Kisumu',
        country: 'KE',
        organization: '',
        website: '',
        social: '',
        avatar: 'http://127.0.0.1:8080/avatar/5d41402abc4b2a76b9719d911017c592',
        require_auth: false,
        user: 'http://127.0.0.1:8080/api/v1/users/ana',
        metadata: {},
        is_email_verified: false,
        joined_on: '2026-01-10T14:22:20.394Z',
      },
    ],
  },
)

export const ProfileParams = Type.Object({
  username: Type.String({ maxLength: 400, description: 'Username in any case, or id.', examples: ['ana'] }),
})

export const ProfilesQuery = Type.Object({
  users: Type.Optional(
    Type.String({ maxLength: 10_000, description: 'Usernames, separated by commas.', examples: ['ana,ben'] }),
  ),
})

/** ISO 3166, of lists of alpha-2, alpha-3 and number. Only this file of the package: the rest are names. */
const countryCodes = ['', ...countries.map(([alpha2 = '']) => alpha2)]

const ShortText = (description: string) => Type.String({ maxLength: 255, description })

const Username = Type.String({ minLength: 3, maxLength: 30, 'x-check': usernameFault, examples: ['ana'] })
const Email = Type.String({ minLength: 1, maxLength: 254, format: 'email', examples: ['ana@example.org'] })

/** What people and organizations tell about themselves. */
export const contactFields = {
  city: Type.Optional(ShortText('City.')),
  country: Type.Optional(Type.String({ enum: countryCodes, examples: ['KE'] })),
  website: Type.Optional(ShortText('Web address, as text.')),
  social: Type.Optional(
    Type.String({
      maxLength: 255,
      pattern: '^([A-Za-z0-9_]{1,15})?$',
      'x-messages': { pattern: 'Invalid social username {value}' },
    }),
  ),
  require_auth: Type.Optional(Type.Boolean()),
  metadata: Type.Optional(
    Type.Record(Type.String(), Type.Unknown(), { description: 'Free values; form-encoded as JSON text.' }),
  ),
}

/** What registration, PATCH and PUT have in common; every field optional. */
const profileFields = {
  ...contactFields,
  username: Type.Optional(Username),
  email: Type.Optional(Email),
  first_name: Type.Optional(Type.String({ minLength: 1, maxLength: 30, examples: ['Ana'] })),
  last_name: Type.Optional(Type.String({ maxLength: 30, examples: ['Silva'] })),
  name: Type.Optional(
    Type.String({ maxLength: 255, description: 'In place of first and last name: split at the first blank.' }),
  ),
  organization: Type.Optional(ShortText('Organization, as text.')),
}

export interface RegistrationRules {
  minPasswordLength: number
  mayLeadTo: MayLeadTo
}

export const RedirectUrl = (mayLeadTo: MayLeadTo) =>
  Type.String({
    maxLength: 2000,
    description: 'Where the verification link leads in the end.',
    'x-check': redirectCheck(mayLeadTo, 'Invalid redirect URL.'),
    examples: ['https://example.org/welcome'],
  })

/** At least so long; a blank one counts as none, where none is allowed. */
const tooShort = (minLength: number) => (password: string) =>
  password === '' || passwordLength(password) >= minLength
    ? undefined
    : `Ensure this field has at least ${minLength} characters.`

export const RegistrationBody = (rules: RegistrationRules) =>
  Type.Object(
    {
      ...profileFields,
      username: Username,
      email: Email,
      password: Type.Optional(
        Type.String({
          maxLength: maxPasswordLength,
          'x-verbatim': true,
          'x-check': tooShort(rules.minPasswordLength),
          description: 'Without one, the account gets it by a reset mail.',
        }),
      ),
      redirect_url: Type.Optional(RedirectUrl(rules.mayLeadTo)),
    },
    {
      examples: [
        { username: 'ana', email: 'ana@example.org', first_name: 'Ana', last_name: 'Silva', password: 'correct horse' },
      ],
    },
  )

const change = {
  password: Type.Optional(
    Type.String({
      maxLength: 1000,
      'x-verbatim': true,
      description: 'The current password; needed when `email` changes. It never changes the password.',
    }),
  ),
  overwrite: Type.Optional(
    Type.Unknown({ description: '`false` merges `metadata` into what is there; anything else replaces it.' }),
  ),
}

export const PatchBody = Type.Object(
  { ...profileFields, ...change },
  { examples: [{ city: 'Nairobi', metadata: { theme: 'dark' }, overwrite: 'false' }] },
)

export const PutBody = Type.Object({ ...profileFields, ...change, username: Username, email: Email })
