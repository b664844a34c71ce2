// Whether somebody who was let in a moment ago would be let in as the same person now: a condition for the statement that does
// something for them.
import { type Sql, sql } from '../../platform/db/index.js'

/** Of `asked`, with the columns user_id, username, kind and hash (of the credential), and for a password names and address. As
 * subqueries of one value: "exists" may be planned by reading all accounts that there are. */
export const stillSignedIn = (now: Date): Sql => sql`
  coalesce((
    select true from users
    where users.id = asked.user_id and users.username = asked.username and users.is_active and not users.is_org), false)
  and case asked.kind
    when 'api' then coalesce((
      select true from api_tokens tokens where tokens.token_hash = asked.hash and tokens.user_id = asked.user_id), false)
    when 'password' then coalesce((
      select passwords.hash = asked.hash from passwords where passwords.user_id = asked.user_id), false)
      and coalesce((
        select true from sign_in_names
        where sign_in_names.name = any(asked.names) and sign_in_names.user_id = asked.user_id limit 1), false)
      -- Whoever is to be counted, locked out or forgiven is not let in by memory.
      and (
        select count(*) from attempts
        where attempts.kind = 'login' and attempts.account = 'user:' || asked.user_id
          and attempts.address = asked.address and attempts.expires_at > ${now}) = 0
    else false end`
