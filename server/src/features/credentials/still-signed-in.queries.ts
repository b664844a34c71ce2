// Whether somebody who was let in a moment ago would be let in as the same person now: a condition for the statement that does
// something for them.
import { empty, type Sql, sql } from '../../platform/db/index.js'

/** How somebody signs in, for what can be asked in a statement. */
export type LastingCredential = 'api' | 'password'

const byToken = sql`
  coalesce((
    select true from api_tokens tokens where tokens.token_hash = asked.hash and tokens.user_id = asked.user_id), false)`

/** Whoever is to be counted, locked out or forgiven is not let in. */
const byPassword = (now: Date): Sql => sql`
  coalesce((select passwords.hash = asked.hash from passwords where passwords.user_id = asked.user_id), false)
  and coalesce((
    select true from sign_in_names
    where sign_in_names.name = any(asked.names) and sign_in_names.user_id = asked.user_id limit 1), false)
  and (
    select count(*) from attempts
    where attempts.kind = 'login' and attempts.account = 'user:' || asked.user_id
      and attempts.address = asked.address and attempts.expires_at > ${now}) = 0`

/** Of `asked`, with the columns user_id, username, kind and hash (of the credential), and for a password names and address. As
 * subqueries of one value: "exists" may be planned by reading all accounts that there are. Only the kinds that there are: a part
 * of a statement is begun and ended whether it is needed or not. */
export const stillSignedIn = (kinds: readonly LastingCredential[], now: Date): Sql => sql`
  coalesce((
    select true from users
    where users.id = asked.user_id and users.username = asked.username and users.is_active and not users.is_org), false)
  and case asked.kind
    ${kinds.includes('api') ? sql`when 'api' then ${byToken}` : empty}
    ${kinds.includes('password') ? sql`when 'password' then ${byPassword(now)}` : empty}
    else false end`
