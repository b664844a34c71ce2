// Files on their way, whose times are the database's.
import { type Db, sql } from '../../src/platform/db/index.js'

/** As if the files that belong to nothing, or one of them, had been there for a day longer. */
export const aDayLater = (db: Db, key: string | null = null) =>
  db.run(sql`
    update pending_files set created_at = created_at - interval '25 hours' where ${key}::text is null or file_key = ${key}`)

/** The next file with such a key is removed before anything takes it, as by a purge at a bad moment. */
export const removeNext = async (db: Db, like: string) => {
  await db.run(sql`create table if not exists removed_next (pattern text)`)
  await db.run(sql`
    create or replace function remove_next() returns trigger language plpgsql as $$ begin
      delete from removed_next where new.file_key like pattern;
      if found then return null; end if;
      return new;
    end $$`)
  await db.run(sql`
    create or replace trigger remove_next before insert on pending_files for each row execute function remove_next()`)
  await db.run(sql`insert into removed_next values (${like})`)
}
