// A key that let somebody in a moment ago, as a condition for the statement that stores what they send.
import { type Sql, sql } from '../../platform/db/index.js'
import { actorMaySubmit, isGood, opensFormOfProject } from './key-rights.queries.js'

/** Of `asked`, with the columns hash, token_id, key_name, user_id (0: nobody's) and username, beside `forms`: the key is good, is
 * what it was, and opens the form. */
export const stillOpens = (now: Date): Sql => sql`
  coalesce((
    select true from device_key_tokens tokens
    join device_keys keys on keys.id = tokens.key_id and keys.kind = 'device' and keys.form_id is null
    left join users actors on actors.id = keys.acts_as
    where tokens.token_hash = asked.hash and tokens.id = asked.token_id and tokens.sealed is not null
      and keys.name = asked.key_name and forms.project_id = keys.project_id and ${isGood(now)} and ${opensFormOfProject}
      and case when keys.acts_as is null then asked.user_id = 0
        else keys.acts_as = asked.user_id and actors.username = asked.username and ${actorMaySubmit} end
    limit 1), false)`
