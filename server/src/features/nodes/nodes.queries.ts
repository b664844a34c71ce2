import { type Db, sql } from '../../platform/db/index.js'

export interface NodeRow {
  readonly id: string
  readonly name: string
  readonly program: string
  readonly knows: number
  readonly secret: string
  readonly settings: Readonly<Record<string, string>>
  /** Null: the store could not be used when it started. */
  readonly fileKey: string | null
}

/** Any constant will do, as long as every node uses the same. */
const joiningKey = 7_243_003

const lives = (silentMs: number) => sql`seen_at > now() - ${silentMs} * interval '1 millisecond'`

/** One after the other: of two that do not go together, the second one sees the first. */
export const insertNode = (db: Db, { id, name, program, knows, secret, settings, fileKey }: NodeRow) =>
  db.transaction(async (tx) => {
    await tx.run(sql`select pg_advisory_xact_lock(${joiningKey})`)
    await tx.run(sql`delete from nodes where seen_at < now() - interval '1 day'`)
    const { place } = await tx.one<{ place: number }>(sql`
      insert into nodes (id, name, program, knows, secret, settings, file_key, place, started_at, seen_at)
      values (${id}, ${name}, ${program}, ${knows}, ${secret}, ${JSON.stringify(settings)}::jsonb, ${fileKey},
        (select coalesce(max(place), 0) + 1 from nodes), now(), now())
      returning place`)
    return place
  })

/** Those who were there before this one, oldest first. */
export const listNodesBefore = (db: Db, place: number, silentMs: number) =>
  db.rows<NodeRow>(sql`
    select id, name, program, knows, secret, settings, file_key as "fileKey" from nodes
    where place < ${place} and ${lives(silentMs)} order by place`)

/** False: nobody knows it any more. */
export const renewNode = async (db: Db, { id, fileKey }: Pick<NodeRow, 'id' | 'fileKey'>): Promise<boolean> =>
  (await db.run(sql`update nodes set seen_at = now(), file_key = ${fileKey} where id = ${id}`)) === 1

export const deleteNode = (db: Db, id: string) => db.run(sql`delete from nodes where id = ${id}`)

export const areNodesKnown = async (db: Db): Promise<boolean> =>
  (await db.one<{ there: boolean }>(sql`select to_regclass('nodes') is not null as there`)).there

/** Those whose program knows less than this. */
export const listNodesBelow = (db: Db, knows: number, silentMs: number) =>
  db.rows<{ name: string; program: string; knows: number }>(sql`
    select name, program, knows from nodes where knows < ${knows} and ${lives(silentMs)} order by place`)
