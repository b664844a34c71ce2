// Which indexes of answers are wanted, made and forbidden.
import { type Db, sql } from '../../../platform/db/index.js'
import type { IndexKind } from '../answers/index.js'

/** `asked`: only counted so far; `waiting`: somebody wants it; `useless`: it would not tell records apart. */
export type IndexState = 'asked' | 'waiting' | 'made' | 'forbidden' | 'useless' | 'failed'

export interface AnswerIndex {
  readonly id: number
  readonly formId: number
  readonly key: string
  readonly kind: IndexKind
  readonly state: IndexState
  readonly filtered: number
  readonly sorted: number
  readonly askedAt: Date | null
  readonly stateAt: Date
  /** Null: it makes itself. */
  readonly wantedBy: number | null
}

const columns = sql`
  indexes.id, indexes.form_id as "formId", indexes.key, indexes.kind, indexes.state, indexes.filtered, indexes.sorted,
  indexes.asked_at as "askedAt", indexes.state_at as "stateAt", indexes.wanted_by as "wantedBy"`

export interface ShownIndex extends AnswerIndex {
  readonly wantedByName: string | null
  /** Null: it is not there. */
  readonly bytes: number | null
}

/** Those that are made first, then by how often they were asked for. */
export const listShown = (db: Db, formId: number): Promise<ShownIndex[]> =>
  db.rows<ShownIndex>(sql`
    select ${columns}, users.username as "wantedByName",
      case when indexes.state = 'made' then pg_relation_size(to_regclass('submissions__answer_' || indexes.id)) end as bytes
    from answer_indexes indexes left join users on users.id = indexes.wanted_by
    where indexes.form_id = ${formId}
    order by indexes.state <> 'made', indexes.filtered + indexes.sorted desc, indexes.id`)

export interface TendedIndex extends AnswerIndex {
  /** The account that the form belongs to. */
  readonly ownerId: number
  readonly records: number
  readonly isFormGone: boolean
}

export const listTended = (db: Pick<Db, 'rows'>): Promise<TendedIndex[]> =>
  db.rows<TendedIndex>(sql`
    with counted as materialized (
      select form_id, sum(submissions) as records from form_counts
      where form_id = any(array(select form_id from answer_indexes)) group by form_id
    )
    select ${columns}, forms.owner_id as "ownerId", forms.deleted_at is not null as "isFormGone", coalesce(counted.records, 0) as records
    from answer_indexes indexes join forms on forms.id = indexes.form_id
    left join counted on counted.form_id = indexes.form_id
    order by indexes.id`)

/** Any constant will do, as long as every process uses the same. */
const ownerKey = 7_243

/** Until the end of the transaction nobody else asks for an index of a form of this account. The account's own row is left alone:
 * signing in writes it. */
export const lockWanted = (db: Db, ownerId: number) =>
  db.run(sql`select pg_advisory_xact_lock(${ownerKey}::int, ${ownerId}::int)`)

/** How many somebody wants: of the form, and of all forms of its account. */
export const countWanted = (db: Db, formId: number) =>
  db.one<{ ofForm: number; ofOwner: number }>(sql`
    select count(*) filter (where form_id = ${formId}) as "ofForm", count(*) as "ofOwner"
    from answer_indexes indexes join forms on forms.id = indexes.form_id
    where indexes.wanted_by is not null and indexes.state in ('waiting', 'made')
      and forms.owner_id = (select owner_id from forms where id = ${formId})`)

/** Somebody wants it, whatever was said of it before; one that is there already stays. */
export const wantIndex = async (
  db: Db,
  formId: number,
  key: string,
  kind: IndexKind,
  userId: number,
): Promise<void> => {
  await db.run(sql`
    insert into answer_indexes as known (form_id, key, kind, state, state_at, wanted_by)
    values (${formId}, ${key}, ${kind}, 'waiting', now(), ${userId})
    on conflict on constraint answer_indexes__question do update set wanted_by = excluded.wanted_by,
      state = case when known.state = 'made' then 'made' else 'waiting' end,
      state_at = case when known.state = 'made' then known.state_at else now() end`)
}

/** It is given up, and does not make itself again; 0 where the form has none of this id. */
export const forbidIndex = (db: Db, formId: number, id: number): Promise<number> =>
  db.run(sql`
    update answer_indexes set state = 'forbidden', state_at = now(), wanted_by = null
    where form_id = ${formId} and id = ${id}`)

/** Unless somebody has said something else meanwhile. */
export const setState = (db: Pick<Db, 'run'>, { id, state }: Pick<AnswerIndex, 'id' | 'state'>, next: IndexState) =>
  db.run(sql`
    update answer_indexes set state = ${next}, state_at = now() where id = ${id} and state = ${state} and state <> ${next}`)

/** It has given way. One that makes itself starts from the beginning: what it was asked before counts no more. */
export const setBack = (db: Pick<Db, 'run'>, id: number) =>
  db.run(sql`
    update answer_indexes set state = case when wanted_by is null then 'asked' else 'waiting' end,
      filtered = case when wanted_by is null then 0 else filtered end,
      sorted = case when wanted_by is null then 0 else sorted end, state_at = now()
    where id = ${id} and state = 'made'`)

export const forgetIndexes = (db: Pick<Db, 'run'>, ids: readonly number[]) =>
  db.run(sql`delete from answer_indexes where id = any(${ids}::int[])`)
