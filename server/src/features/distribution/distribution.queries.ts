// What Citus is asked and told. Its functions and tables are in pg_catalog, so they are named without a schema.
import { acrossForms, type Db, empty, join, named, sql } from '../../platform/db/index.js'

export interface Extension {
  /** null: the database has none. */
  readonly version: string | null
  /** It is installed on the machine, and may be made part of the database. */
  readonly isAvailable: boolean
}

export const findExtension = (db: Db) =>
  db.one<Extension>(sql`
    select (select extversion from pg_extension where extname = 'citus') as version,
      exists (select from pg_available_extensions where name = 'citus') as "isAvailable"`)

export interface Cluster {
  readonly isCoordinator: boolean
  /** Machines that take shards. */
  readonly workers: number
}

export const findCluster = (db: Db) =>
  db.one<Cluster>(sql`
    select (select groupid = 0 from pg_dist_local_group) as "isCoordinator",
      (select count(*) from pg_dist_node where isactive and shouldhaveshards and noderole::text = 'primary') as workers`)

export interface KnownTable {
  readonly name: string
  /** null: it is a reference table, or a local one that Citus looks after. */
  readonly column: string | null
  /** Tables of one group lie beside each other. */
  readonly group: number
}

/** What Citus looks after. */
export const listKnownTables = (db: Db) =>
  db.rows<KnownTable>(sql`
    select relname as name, colocationid as "group",
      case when partmethod = 'h' then column_to_column_name(logicalrelid, partkey) end as "column"
    from pg_dist_partition join pg_class on pg_class.oid = logicalrelid
    where relnamespace = 'public'::regnamespace order by relname`)

export interface Obstacle {
  readonly table: string
  readonly what: string
}

/** What would be refused, or would mean something else once a table lies in parts on several machines. */
export const listObstacles = (db: Db, tables: readonly string[]) =>
  db.rows<Obstacle>(sql`
    with chosen as (
      select oid, relname from pg_class where relnamespace = 'public'::regnamespace and relname = any(${tables}::text[]))
    select relname as "table", 'the foreign key ' || conname as what
    from pg_constraint join chosen on chosen.oid in (conrelid, confrelid) where contype = 'f'
    union
    select relname, 'the trigger ' || tgname from pg_trigger join chosen on chosen.oid = tgrelid where not tgisinternal
    union
    select chosen.relname, 'the key ' || keys.relname || ', which is without form_id'
    from pg_index join chosen on chosen.oid = indrelid join pg_class keys on keys.oid = indexrelid
    where (indisunique or indisexclusion) and not exists (
      select from pg_attribute where attrelid = indrelid and attname = 'form_id' and attnum = any(indkey))
    union
    select relname, 'its column form_id, which is no integer' from chosen
    where not exists (
      select from pg_attribute where attrelid = chosen.oid and attname = 'form_id' and atttypid = 'int4'::regtype)
    order by 1, 2`)

/** For as long as the transaction lasts: copying takes as long as it takes, waiting for others does not. The parts of what Citus
 * does use one connection to each worker, because later ones need what earlier ones have made. */
export const prepare = async (tx: Db): Promise<void> => {
  await tx.run(sql`set local statement_timeout = 0`)
  await tx.run(sql`set local idle_in_transaction_session_timeout = 0`)
  await tx.run(sql`set local lock_timeout = '60s'`)
  await tx.run(sql`set local citus.multi_shard_modify_mode = 'sequential'`)
}

/** Nobody writes while rows move; who reads goes on. */
export const lockTables = (tx: Db, tables: readonly string[]) =>
  tx.run(sql`lock table ${join(tables.map(named), ', ')} in share row exclusive mode`)

export const countRows = async (db: Db, table: string): Promise<number> =>
  (
    await db.one<{ count: number }>(
      acrossForms('counted before and after it is distributed', sql`select count(*) from ${named(table)}`),
    )
  ).count

/** Functions of ours that conditions on records call: workers need them too. */
export const distributeFunctions = (tx: Db) =>
  tx.rows<{ name: string }>(sql`
    with ours as materialized (
      select oid::regprocedure as function from pg_proc
      where pronamespace = 'public'::regnamespace and prokind = 'f' and provolatile = 'i' and not exists (
        select from pg_depend where classid = 'pg_proc'::regclass and objid = pg_proc.oid and deptype = 'e'))
    select function::text as name, create_distributed_function(function)::text from ours order by 1`)

/** The first one of all. `shards`: as many as the database is set up for, when none are given. */
export const distributeFirst = (tx: Db, table: string, shards: number | undefined) =>
  tx.run(sql`
    select create_distributed_table(${table}::text::regclass, 'form_id', colocate_with => 'none'
      ${shards === undefined ? empty : sql`, shard_count => ${shards}::int`})`)

export const distributeBeside = (tx: Db, table: string, first: string) =>
  tx.run(sql`select create_distributed_table(${table}::text::regclass, 'form_id', colocate_with => ${first}::text)`)

/** Those that still have rows of their own, which nobody sees any more. */
export const listLeftovers = async (db: Db, tables: readonly string[]): Promise<string[]> =>
  (
    await db.rows<{ name: string }>(sql`
      select relname as name from pg_class
      where relnamespace = 'public'::regnamespace and relname = any(${tables}::text[]) and pg_relation_size(oid) > 0
      order by relname`)
  ).map(({ name }) => name)

export const dropLeftovers = (db: Db, table: string) =>
  db.run(sql`select truncate_local_data_after_distributing_table(${table}::text::regclass)`)

export const countTables = async (db: Db): Promise<number> =>
  (
    await db.one<{ count: number }>(sql`
      select count(*) from pg_class
      where relkind in ('r', 'p') and not relispartition and relnamespace = 'public'::regnamespace`)
  ).count
