// What a database promises to programs that use it, as its catalog says, and which changes of it break an older one.
import type pg from 'pg'

interface Column {
  readonly type: string
  /** A row without it is refused. */
  readonly isRequired: boolean
  readonly isNullable: boolean
}

interface Relation {
  readonly columns: Readonly<Record<string, Column>>
  /** Constraints, unique indexes and triggers: what refuses or changes rows. */
  readonly rules: readonly string[]
  /** Made while everybody who writes waits. */
  readonly indexes: readonly string[]
}

export interface Catalog {
  readonly relations: Readonly<Record<string, Relation>>
  /** With their arguments and what they answer. */
  readonly functions: readonly string[]
  readonly sequences: readonly string[]
}

const statement = `
  select
    coalesce((select json_object_agg(relname, json_build_object(
      'columns', (select json_object_agg(attname, json_build_object(
          'type', format_type(atttypid, atttypmod),
          'isNullable', not attnotnull,
          'isRequired', attnotnull and not atthasdef and attidentity = ''))
        from pg_attribute where attrelid = pg_class.oid and attnum > 0 and not attisdropped),
      'rules', (select coalesce(json_agg(rule order by rule), '[]') from (
        select contype::text || ' ' || pg_get_constraintdef(oid) as rule from pg_constraint
          where conrelid = pg_class.oid and contype <> 'n'
        union select pg_get_indexdef(indexrelid) from pg_index where indrelid = pg_class.oid and indisunique
        union select pg_get_triggerdef(oid) from pg_trigger where tgrelid = pg_class.oid and not tgisinternal) rules),
      'indexes', (select coalesce(json_agg(pg_get_indexdef(indexrelid)), '[]') from pg_index
        where indrelid = pg_class.oid and not indisunique)))
      from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p', 'v', 'm')), '{}') as relations,
    coalesce((select json_agg(proname || ' ' || pg_get_function_identity_arguments(oid) || ' ' || pg_get_function_result(oid))
      from pg_proc where pronamespace = 'public'::regnamespace), '[]') as functions,
    coalesce((select json_agg(relname) from pg_class
      where relnamespace = 'public'::regnamespace and relkind = 'S'), '[]') as sequences`

export const catalogOf = async (client: Pick<pg.ClientBase, 'query'>): Promise<Catalog> =>
  (await client.query<Catalog>(statement)).rows[0] as Catalog

const gone = (before: readonly string[], after: readonly string[]): string[] =>
  before.filter((one) => !after.includes(one))

/** Tables and columns that are no more: by their names, as a program names them. */
export const takenAway = (before: Catalog, after: Catalog): string[] => [
  ...Object.entries(before.relations).flatMap(([name, { columns }]) => {
    const now = after.relations[name]
    return now === undefined ? [name] : gone(Object.keys(columns), Object.keys(now.columns))
  }),
  ...gone(before.functions, after.functions).map((signature) => signature.split(' ', 1)[0] ?? ''),
  ...gone(before.sequences, after.sequences),
]

const harmOfColumn = (name: string, before: Column | undefined, after: Column): string[] => {
  if (before === undefined) return after.isRequired ? [`${name} is required, and old programs do not give it`] : []
  return [
    ...(before.type === after.type ? [] : [`${name} is ${after.type} where it was ${before.type}`]),
    ...(!before.isRequired && after.isRequired ? [`${name} has become required`] : []),
    ...(before.isNullable && !after.isNullable ? [`${name} may not be null any more`] : []),
  ]
}

/** What an old program would notice of a change, or wait for. `growing` tables have millions of rows. */
export const harmOf = (before: Catalog, after: Catalog, growing: readonly string[]): string[] => [
  ...takenAway(before, after).map((word) => `${word} is gone`),
  ...Object.entries(before.relations).flatMap(([name, was]) => {
    const now = after.relations[name]
    if (now === undefined) return []
    return [
      ...Object.entries(now.columns).flatMap(([column, is]) =>
        harmOfColumn(`${name}.${column}`, was.columns[column], is),
      ),
      ...gone(now.rules, was.rules).map((rule) => `${name} has a new rule: ${rule}`),
      ...gone(growing.includes(name) ? now.indexes : [], was.indexes).map(
        (index) => `nobody writes to ${name} while this is made: ${index}`,
      ),
    ]
  }),
]
