import { redirectCheck } from '../../platform/http/index.js'
import { Type } from '../../platform/schema/index.js'
import type { MayLeadTo } from '../../platform/words/index.js'
import { maxPasswordLength } from '../credentials/index.js'

export const AccountView = Type.Object(
  {
    url: Type.String({ format: 'uri' }),
    username: Type.String(),
    name: Type.String(),
    email: Type.String(),
    city: Type.String(),
    country: Type.String(),
    organization: Type.String(),
    website: Type.String(),
    social: Type.String(),
    avatar: Type.String({ format: 'uri' }),
    require_auth: Type.Boolean(),
    user: Type.String({ format: 'uri' }),
    api_token: Type.String({ description: 'Permanent; a change of password replaces it.' }),
    temp_token: Type.String({ description: 'Expires; blank where temporary tokens are switched off.' }),
    is_operator: Type.Optional(
      Type.Boolean({
        description:
          'True for those who run this server and see `/server`; to everybody else, and to OAuth access tokens, it is not there.',
      }),
    ),
  },
  {
    examples: [
      {
        url: 'http://127.0.0.1:8080/api/v1/profiles/ana',
        username: 'ana',
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
        api_token: '0123456789abcdef0123456789abcdef01234567',
        temp_token: '89abcdef0123456789abcdef0123456789abcdef',
      },
    ],
  },
)

export const TokensBody = Type.Object(
  {
    password: Type.String({ maxLength: 1000, 'x-verbatim': true, description: 'The account’s, once more.' }),
    renew: Type.Optional(Type.Boolean({ description: 'To replace the API token; the old one ends at once.' })),
  },
  { examples: [{ password: 'correct horse' }] },
)

export const TokensView = Type.Object(
  {
    api_token: Type.String({ description: 'Permanent; a change of password replaces it.' }),
    temp_token: Type.String({ description: 'Expires; blank where temporary tokens are switched off.' }),
  },
  {
    examples: [
      {
        api_token: '0123456789abcdef0123456789abcdef01234567',
        temp_token: '89abcdef0123456789abcdef0123456789abcdef',
      },
    ],
  },
)

export const DevicePasswordBody = Type.Object(
  { password: Type.String({ maxLength: 1000, 'x-verbatim': true, description: 'The account’s, once more.' }) },
  { examples: [{ password: 'correct horse' }] },
)

export const DevicePasswordView = Type.Object(
  {
    username: Type.String({ description: 'What the device is given as its name.' }),
    device_password: Type.String({ description: 'Shown this once.' }),
  },
  { examples: [{ username: 'ana', device_password: 'k3v9wq2m7xhj4rtb8nzd' }] },
)

export const DevicePasswordState = Type.Object(
  {
    is_offered: Type.Boolean({ description: 'Whether this server offers Digest (ENABLE_DIGEST).' }),
    created_at: Type.Union([Type.String({ format: 'date-time' }), Type.Null()], {
      description: 'When it was made; null where there is none.',
    }),
  },
  { examples: [{ is_offered: true, created_at: '2026-03-01T08:00:00.000Z' }] },
)

export const ListedSessionView = Type.Object(
  {
    id: Type.Integer(),
    browser: Type.String({ description: 'In words; blank where it did not say.' }),
    address: Type.String({ description: 'Where it was when it was seen last.' }),
    date_created: Type.String({ format: 'date-time', description: 'When somebody signed in.' }),
    last_seen: Type.String({ format: 'date-time', description: 'To within ten minutes.' }),
    expires: Type.String({ format: 'date-time', description: 'If it is not used before.' }),
    stay: Type.Boolean({ description: 'Whether the person chose to stay signed in.' }),
    current: Type.Boolean({ description: 'Whether it is the one that asks.' }),
  },
  {
    examples: [
      {
        id: 7,
        browser: 'Firefox on Android',
        address: '192.0.2.7',
        date_created: '2026-01-10T14:22:05.000Z',
        last_seen: '2026-01-10T16:02:11.000Z',
        expires: '2026-01-10T22:02:11.000Z',
        stay: false,
        current: true,
      },
    ],
  },
)

export const ResetMailBody = Type.Object(
  { email: Type.String({ minLength: 1, maxLength: 254, format: 'email' }) },
  { examples: [{ email: 'ana@example.org' }] },
)

const NewPassword = (minLength: number) => Type.String({ minLength, maxLength: maxPasswordLength, 'x-verbatim': true })

/** Asks for the mail. */
export const ResetRequest = (mayLeadTo: MayLeadTo) =>
  Type.Object({
    email: Type.String({ minLength: 1, maxLength: 254, format: 'email' }),
    reset_url: Type.String({
      minLength: 1,
      maxLength: 254,
      'x-check': redirectCheck(mayLeadTo, 'Invalid reset URL.'),
      description: 'Where the link of the mail leads; `uid`, `token` and `username` are added to it.',
    }),
    email_subject: Type.Optional(Type.String({ maxLength: 78 })),
  })

/** Sets the password with what came by mail. */
export const ResetChange = (minPasswordLength: number) =>
  Type.Object({
    uid: Type.String({ minLength: 1, maxLength: 50 }),
    token: Type.String({ minLength: 1, maxLength: 128, 'x-verbatim': true }),
    new_password: NewPassword(minPasswordLength),
  })

export const ChangePasswordBody = Type.Object(
  {
    current_password: Type.Optional(Type.String({ maxLength: 1000, 'x-verbatim': true })),
    new_password: Type.Optional(Type.String({ maxLength: 1000, 'x-verbatim': true })),
  },
  { examples: [{ current_password: 'correct horse', new_password: 'battery staple' }] },
)

export const ChangePasswordView = Type.Object(
  {
    username: Type.String(),
    access_token: Type.String({ description: 'The new API token.' }),
    temp_token: Type.String(),
  },
  {
    examples: [
      {
        username: 'ana',
        access_token: '0123456789abcdef0123456789abcdef01234567',
        temp_token: '89abcdef0123456789abcdef0123456789abcdef',
      },
    ],
  },
)
