import { PageQuery } from '../../platform/http/index.js'
import { type Static, Type } from '../../platform/schema/index.js'
import type { User } from './users.queries.js'

export const UserParams = Type.Object({
  user: Type.String({ maxLength: 400, description: 'Username in any case, or id.', examples: ['ana'] }),
})

export const UserView = Type.Object(
  { id: Type.Integer(), username: Type.String(), first_name: Type.String(), last_name: Type.String() },
  { examples: [{ id: 1, username: 'ana', first_name: 'Ana', last_name: 'Silva' }] },
)

export const UsersQuery = Type.Object({
  search: Type.Optional(
    Type.String({ maxLength: 254, description: 'A part of a username, or an e-mail address.', examples: ['an'] }),
  ),
  orgs: Type.Optional(Type.Boolean({ description: '`false` leaves organizations out.' })),
  ...PageQuery,
})

export const userView = ({ id, username, firstName, lastName }: User): Static<typeof UserView> => ({
  id,
  username,
  first_name: firstName,
  last_name: lastName,
})
