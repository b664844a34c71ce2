import { Type } from '../../platform/schema/index.js'

export const SessionView = Type.Object(
  {
    id: Type.Integer({ description: 'Of the account: it stays when the name is changed.' }),
    username: Type.String(),
    csrf: Type.String({
      description: 'Sent back as `X-Sheaf-Csrf` by scripts of this server’s pages. Every sign-in has its own.',
    }),
    expires: Type.String({ format: 'date-time', description: 'If it is not used before; use extends it.' }),
    stay: Type.Boolean({ description: 'Whether the person chose to stay signed in.' }),
  },
  {
    examples: [
      {
        id: 12,
        username: 'ana',
        csrf: '7c1f0a93b1f64f5ea5a5a2f57d9a1f0c5b7e2d4c9a8b7c6d5e4f3a2b1c0d9e8f',
        expires: '2026-01-10T20:22:05.000Z',
        stay: false,
      },
    ],
  },
)

export const SessionBody = Type.Object(
  {
    username: Type.String({ minLength: 1, maxLength: 254, description: 'Username or e-mail address.' }),
    password: Type.String({ minLength: 1, maxLength: 1000, 'x-verbatim': true }),
    stay: Type.Optional(Type.Boolean({ description: 'To stay signed in for LOGIN_SESSION_STAY_SECONDS.' })),
  },
  { examples: [{ username: 'ana', password: 'correct horse', stay: true }] },
)

export const SessionEnd = Type.Object({
  everywhere: Type.Optional(
    Type.Boolean({ description: 'Also in every other browser of the account.', examples: [true] }),
  ),
})

export const SignInOptionsView = Type.Object(
  {
    registration: Type.Boolean({ description: 'Whether anybody may make an account.' }),
    verification: Type.Boolean({ description: 'Whether addresses are verified by mail.' }),
    password_min_length: Type.Integer(),
    session_seconds: Type.Integer({ description: 'How long a sign-in lasts that is not used.' }),
    stay_seconds: Type.Integer({ description: 'The same for whoever stays signed in.' }),
    providers: Type.Array(
      Type.Object({
        name: Type.String(),
        title: Type.String(),
        login: Type.String({ description: 'To be opened, with `next`, a path of this server to come back to.' }),
      }),
      { description: 'Other servers through which people sign in.' },
    ),
    connecting: Type.Boolean({
      description: 'A provider has vouched for an address that is not verified here: the password is asked for, once.',
    }),
  },
  {
    examples: [
      {
        registration: true,
        verification: false,
        password_min_length: 4,
        session_seconds: 21_600,
        stay_seconds: 2_592_000,
        providers: [{ name: 'acme', title: 'Acme', login: '/oidc/acme/login' }],
        connecting: false,
      },
    ],
  },
)
