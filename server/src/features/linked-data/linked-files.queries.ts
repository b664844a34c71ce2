import { type Db, type Sql, sql } from '../../platform/db/index.js'
import { abandonedFiles } from '../uploads/index.js'

export interface MadeFile {
  readonly key: string
  readonly md5: string
  readonly bytes: number
}

/** Which file of which state of an entry. */
export interface FileState {
  readonly entryId: number
  readonly state: string
}

const made = sql`file_key as key, md5, bytes`

export const findMade = (db: Db, { entryId, state }: FileState) =>
  db.maybe<MadeFile>(sql`
    select ${made} from linked_files where metadata_id = ${entryId} and state = ${state} and file_key is not null`)

/** The newest one of an entry, if it is so long that it holds for a while: a second for `bytesPerSecond`. */
export const findLasting = (
  db: Db,
  entryId: number,
  { longBytes, bytesPerSecond, now }: { longBytes: number; bytesPerSecond: number; now: Date },
) =>
  db.maybe<MadeFile>(sql`
    select ${made} from linked_files
    where metadata_id = ${entryId} and bytes >= ${longBytes}
      and made_at > ${now}::timestamptz - bytes / ${bytesPerSecond}::float8 * interval '1 second'
    order by made_at desc limit 1`)

/** What was announced stays what it was, until newer ones have taken its place. */
export const findAnnounced = (db: Db, entryId: number, md5: string) =>
  db.maybe<MadeFile>(sql`
    select ${made} from linked_files where metadata_id = ${entryId} and md5 = ${md5} order by made_at desc limit 1`)

interface Claim extends FileState {
  readonly claim: string
  readonly now: Date
}

/** Whether it is ours to make: nobody has, and nobody is about to. */
export const claimMaking = async (db: Db, { entryId, state, claim, now }: Claim, staleBefore: Date): Promise<boolean> =>
  (await db.run(sql`
    insert into linked_files (metadata_id, state, claim, claimed_at)
    values (${entryId}, ${state}, ${claim}::uuid, ${now})
    on conflict (metadata_id, state) do update set claim = excluded.claim, claimed_at = excluded.claimed_at
    where linked_files.file_key is null and linked_files.claimed_at < ${staleBefore}`)) > 0

const ours = ({ entryId, state, claim }: Claim): Sql => sql`
  metadata_id = ${entryId} and state = ${state} and claim = ${claim}::uuid and file_key is null`

export const renewClaim = (db: Db, claim: Claim) =>
  db.run(sql`update linked_files set claimed_at = ${claim.now} where ${ours(claim)}`)

export const giveUpClaim = (db: Db, claim: Claim) => db.run(sql`delete from linked_files where ${ours(claim)}`)

/** False: somebody else has made it meanwhile. */
export const finishMaking = async (db: Db, claim: Claim, file: MadeFile): Promise<boolean> =>
  (await db.run(sql`
    update linked_files set file_key = ${file.key}, md5 = ${file.md5}, bytes = ${file.bytes},
      made_at = ${claim.now}
    where ${ours(claim)}`)) > 0

/** Files of these are left to the purge of files that belong to nothing: the next one removes them. */
const removed = (chosen: Sql): Sql => sql`
  with gone as (delete from linked_files where (metadata_id, state) in (${chosen}) returning file_key)
  ${abandonedFiles({
    keys: sql`select file_key from gone where file_key is not null`,
    isKept: false,
  })}`

/** The newest of an entry stay. */
export const dropOldest = (db: Db, entryId: number, keep: number) =>
  db.run(
    removed(
      sql`
        select metadata_id, state from linked_files where metadata_id = ${entryId} and file_key is not null
        order by made_at desc offset ${keep}::int`,
    ),
  )

/** Of links that are gone, and of forms that are. */
export const dropOfNobody = (db: Db) =>
  db.run(
    removed(
      sql`
        select linked_files.metadata_id, linked_files.state from linked_files
        join metadata on metadata.id = linked_files.metadata_id
        left join forms on forms.id = metadata.form_id
        left join projects on projects.id = metadata.project_id
        where metadata.deleted_at is not null or metadata.link_stopped_at is not null or forms.deleted_at is not null
          or projects.deleted_at is not null`,
    ),
  )
