// People who may sign in, with what their profiles say: never an organization, never a closed account.
import { type Db, sql } from '../../platform/db/index.js'
import { type Profile, profileColumns } from '../profiles/index.js'
import { emailKey } from '../users/index.js'

export const findPerson = (db: Db, userId: number) =>
  db.maybe<Profile>(sql`
    select ${profileColumns} from users join profiles on profiles.user_id = users.id
    where users.id = ${userId} and users.is_active and not users.is_org`)

export const findPersonByEmail = (db: Db, email: string) =>
  db.maybe<Profile>(sql`
    select ${profileColumns} from users join profiles on profiles.user_id = users.id
    where users.email_key = ${emailKey(email)} and users.is_active and not users.is_org`)
