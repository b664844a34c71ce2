import { type Db, sql } from '../../../platform/db/index.js'
import type { IndexKind } from './values.queries.js'

/** How often a question was asked since the last time. */
export interface Asked {
  readonly formId: number
  readonly key: string
  readonly kind: IndexKind
  readonly filtered: number
  readonly sorted: number
}

interface Bounds {
  readonly records: number
  readonly questions: number
}

/** Of forms with at least so many records, and of so many questions of each. All at once, in one order for everybody. */
export const writeAsked = (db: Db, asked: readonly Asked[], { records, questions }: Bounds) => {
  const column = <T>(pick: (one: Asked) => T): T[] => asked.map(pick)
  return db.run(sql`
    with large as materialized (
      select form_id from form_counts where form_id = any(${column(({ formId }) => formId)}::int[])
      group by form_id having sum(submissions) >= ${records}
    )
    insert into answer_indexes as known (form_id, key, kind, state, filtered, sorted, asked_at, state_at)
    select asked.form_id, asked.key, asked.kind, 'asked', asked.filtered, asked.sorted, now(), now()
    from unnest(${column(({ formId }) => formId)}::int[], ${column(({ key }) => key)}::text[],
        ${column(({ kind }) => kind)}::text[], ${column(({ filtered }) => filtered)}::bigint[],
        ${column(({ sorted }) => sorted)}::bigint[]) as asked (form_id, key, kind, filtered, sorted)
    join forms on forms.id = asked.form_id
    where asked.form_id in (select form_id from large)
      and (select count(*) from answer_indexes others where others.form_id = asked.form_id
        and (others.key, others.kind) <> (asked.key, asked.kind)) < ${questions}
    order by asked.form_id, asked.key, asked.kind
    on conflict on constraint answer_indexes__question do update set
      filtered = known.filtered + excluded.filtered, sorted = known.sorted + excluded.sorted, asked_at = excluded.asked_at`)
}
