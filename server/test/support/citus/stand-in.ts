// A database that answers to what Citus is asked and told, and writes it down, on one PostgreSQL: what Citus itself makes of it, a
// cluster shows (docs/citus.md). Tables stay where they are.
import pg from 'pg'
import type { TestDatabase } from '../database.js'

interface Cluster {
  readonly workers?: number
  readonly isWorker?: boolean
  /** A table of which Citus would lose a row. */
  readonly loses?: string
}

const definitions = `
  set allow_system_table_mods = on;
  insert into pg_extension (oid, extname, extowner, extnamespace, extrelocatable, extversion)
    select 4000000000, 'citus', extowner, extnamespace, false, '13.2-1' from pg_extension where extname = 'plpgsql';
  create table pg_catalog.pg_dist_local_group (groupid int);
  create table pg_catalog.pg_dist_node (isactive boolean, shouldhaveshards boolean, noderole text);
  create table pg_catalog.pg_dist_partition (logicalrelid regclass, partmethod "char", partkey text, colocationid int);
  create table pg_catalog.told_citus (place int generated always as identity, what text);
  create table pg_catalog.lost_by_citus (name text);
  create function pg_catalog.column_to_column_name(regclass, text) returns text language sql as 'select $2';
  create function pg_catalog.create_distributed_function(regprocedure) returns void language sql as $$
    insert into told_citus (what) values ('function ' || $1) $$;
  create function pg_catalog.create_distributed_table(table_name regclass, distribution_column text,
    distribution_type text default 'hash', colocate_with text default 'default', shard_count int default null)
  returns void language plpgsql as $$
  begin
    insert into pg_dist_partition select table_name, 'h', distribution_column, coalesce(
      (select colocationid from pg_dist_partition where logicalrelid::text = colocate_with),
      (select coalesce(max(colocationid), 0) + 1 from pg_dist_partition));
    insert into told_citus (what) values (concat_ws(' ', 'table', table_name, distribution_column, colocate_with, shard_count));
    if exists (select from lost_by_citus where name = table_name::text) then
      execute format('delete from %I where ctid = (select min(ctid) from %1$I)', table_name);
    end if;
  end $$;
  create function pg_catalog.truncate_local_data_after_distributing_table(regclass) returns void language sql as $$
    insert into told_citus (what) values ('truncate ' || $1) $$;`

/** Runs statements of its own: the database has not seen them before, and nobody holds them against rules. */
export const asSuperuser = async ({ connection }: TestDatabase, text: string, values: unknown[] = []) => {
  const client = new pg.Client(connection)
  await client.connect()
  try {
    return (await client.query(text, values)).rows as Record<string, unknown>[]
  } finally {
    await client.end()
  }
}

export const makeCluster = async (
  database: TestDatabase,
  { workers = 2, isWorker = false, loses = '' }: Cluster = {},
): Promise<void> => {
  await asSuperuser(database, definitions)
  await asSuperuser(database, 'insert into pg_dist_local_group values ($1)', [isWorker ? 1 : 0])
  await asSuperuser(
    database,
    "insert into pg_dist_node select true, true, 'primary' from generate_series(1, $1::int)",
    [workers],
  )
  await asSuperuser(database, 'insert into lost_by_citus values ($1)', [loses])
}

/** What Citus was told, in its order. */
export const toldCitus = async (database: TestDatabase): Promise<string[]> =>
  (await asSuperuser(database, 'select what from told_citus order by place')).map(({ what }) => String(what))
