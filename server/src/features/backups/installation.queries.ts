import { type Db, sql } from '../../platform/db/index.js'

const findId = async (db: Db): Promise<string | undefined> =>
  (await db.maybe<{ id: string }>(sql`select id from installation`))?.id

const areIdsKnown = async (db: Db): Promise<boolean> =>
  (await db.one<{ there: boolean }>(sql`select to_regclass('installation') is not null as there`)).there

/** Made by the first backup; of several at once, the first one's stays. Undefined: the database is of before there were ids. */
export const installationOf = async (db: Db): Promise<string | undefined> => {
  if (!(await areIdsKnown(db))) return undefined
  const found = await findId(db)
  if (found !== undefined) return found
  await db.run(sql`insert into installation (id) values (gen_random_uuid()) on conflict do nothing`)
  return (await db.one<{ id: string }>(sql`select id from installation`)).id
}
