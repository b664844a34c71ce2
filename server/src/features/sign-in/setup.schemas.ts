import { Type } from '../../platform/schema/index.js'

export const SetupState = Type.Object(
  { needed: Type.Boolean({ description: 'Nobody has an account yet.' }) },
  { examples: [{ needed: true }] },
)

export const SetupBody = Type.Object(
  {
    code: Type.Optional(Type.String({ maxLength: 100, description: 'As the server printed it when it started.' })),
    name: Type.Optional(Type.String({ maxLength: 60 })),
    username: Type.Optional(Type.String({ maxLength: 254 })),
    email: Type.Optional(Type.String({ maxLength: 254 })),
    password: Type.Optional(Type.String({ maxLength: 1000, 'x-verbatim': true })),
  },
  {
    'x-unchecked': true,
    examples: [
      {
        code: '7k2m-p9xq-4tza',
        name: 'Ana Silva',
        username: 'ana',
        email: 'ana@example.org',
        password: 'correct horse',
      },
    ],
  },
)

export const SetupDone = Type.Object(
  { username: Type.String({ description: 'To sign in with, with the password that was sent.' }) },
  { examples: [{ username: 'ana' }] },
)
