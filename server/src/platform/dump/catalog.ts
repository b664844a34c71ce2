// What a database consists of, as its catalog says: nothing of it is written down twice, so a new table is dumped without a word.
import pg from 'pg'

export type Client = Pick<pg.ClientBase, 'query'>

export interface TableShape {
  readonly name: string
  readonly columns: readonly string[]
  /** What it is ordered by, in SQL: its primary key, byte by byte, whatever the database calls an order. Empty: it has none. */
  readonly order: readonly string[]
}

export interface SequenceState {
  readonly name: string
  /** As text: it may be beyond what a number holds. */
  readonly value: string
  readonly isCalled: boolean
}

export const ident = pg.escapeIdentifier

/** It came with an extension, which puts its views and tables where it likes: they are not ours. */
const isOfExtension = (oid: string): string =>
  `exists (select from pg_depend where classid = 'pg_class'::regclass and objid = ${oid} and deptype = 'e')`

/** Another database may have another order of texts: what is written out there is compared with what was written here. Only where the
 * order is not that of bytes is it asked for, since the index of the key does not help then. */
const isBytewise = `(attcollation = 0 or exists (
  select from pg_collation texts, pg_database own
  where texts.oid = attcollation and own.datname = current_database()
    and case texts.collprovider
      when 'd' then case own.datlocprovider
        when 'i' then false
        when 'b' then true
        else own.datcollate in ('C', 'POSIX') end
      when 'c' then texts.collcollate in ('C', 'POSIX')
      else texts.collprovider = 'b' end))`

/** Every table of ours, in the order of their names, but those whose rows mean nothing elsewhere. */
export const listTables = async (client: Client, without: readonly string[]): Promise<TableShape[]> => {
  const { rows } = await client.query<TableShape>(
    `select tables.relname as name,
       (select array_agg(attname::text order by attnum) from pg_attribute
         where attrelid = tables.oid and attnum > 0 and not attisdropped and attgenerated = '') as columns,
       coalesce((select array_agg(quote_ident(attname) || case when ${isBytewise} then '' else ' collate "C"' end
           order by array_position(keys.indkey::int2[], attnum))
         from pg_index keys join pg_attribute on attrelid = tables.oid and attnum = any(keys.indkey)
         where keys.indrelid = tables.oid and keys.indisprimary), '{}') as "order"
     from pg_class tables
     where tables.relkind in ('r', 'p') and not tables.relispartition and tables.relnamespace = 'public'::regnamespace
       and tables.relname <> all($1::text[]) and not ${isOfExtension('tables.oid')}
     order by tables.relname collate "C"`,
    [without],
  )
  return rows
}

/** After a snapshot was taken: sequences are never behind the rows that it shows. */
export const listSequences = async (client: Client): Promise<SequenceState[]> => {
  const { rows } = await client.query<{ name: string }>(
    `select relname as name from pg_class where relkind = 'S' and relnamespace = 'public'::regnamespace
       and not ${isOfExtension('pg_class.oid')}
     order by relname collate "C"`,
  )
  const states: SequenceState[] = []
  for (const { name } of rows) {
    const { rows: found } = await client.query<Omit<SequenceState, 'name'>>(
      `select last_value::text as value, is_called as "isCalled" from public.${ident(name)}`,
    )
    states.push({ name, ...(found[0] as Omit<SequenceState, 'name'>) })
  }
  return states
}

export interface ForeignKey {
  readonly table: string
  readonly name: string
  readonly definition: string
}

export const listForeignKeys = async (client: Client): Promise<ForeignKey[]> => {
  const { rows } = await client.query<ForeignKey>(
    `select tables.relname as "table", conname as name, pg_get_constraintdef(keys.oid) as definition
     from pg_constraint keys join pg_class tables on tables.oid = keys.conrelid
     where keys.contype = 'f' and keys.connamespace = 'public'::regnamespace and keys.conparentid = 0
     order by 1, 2`,
  )
  return rows
}

export const hasTables = async (client: Client): Promise<boolean> => {
  const { rows } = await client.query<{ has: boolean }>(
    `select exists (select from pg_class where relkind in ('r', 'p', 'v', 'm', 'S', 'f')
       and relnamespace = 'public'::regnamespace and not ${isOfExtension('pg_class.oid')}) as has`,
  )
  return rows[0]?.has === true
}
