// Recording what happened, in the transaction of what happened. A low room: every room above records.
import { type Db, type Sql, sql } from '../../platform/db/index.js'

/** What is recorded by an operation; `message` is what people write. */
export type FormVerb =
  | 'submission_created'
  | 'submission_edited'
  | 'submission_deleted'
  | 'submission_restored'
  | 'submission_reviewed'
  | 'form_updated'

/** Ids in one event; a longer list becomes several events. */
const mostIds = 100

interface EventRows {
  /** A relation with the columns form_id and submission_id: the name of a CTE of the surrounding statement. */
  from: Sql
  verb: FormVerb
  /** A value, or a column of that relation. Null is somebody who did not sign in. */
  userId: Sql | number | null
  /** A column of that relation: the name of the key that it came through. */
  deviceKey?: Sql
  now: Date
}

const isSql = (value: Sql | number | null): value is Sql => typeof value === 'object' && value !== null

/** An event for each of these submissions, as an insert to stand in the WITH of the statement that stores them. */
export const formEventRows = ({ from, verb, userId, deviceKey = sql`null::text`, now }: EventRows): Sql => sql`
  insert into form_events (form_id, verb, ids, user_id, device_key, created_at)
  select form_id, ${verb}::text, array[submission_id], ${isSql(userId) ? userId : sql`${userId}::int`}, ${deviceKey},
    ${now}::timestamptz
  from ${from}`

interface FormEvent {
  formId: number
  verb: FormVerb
  /** Of submissions; of the form itself for form_updated. */
  ids: readonly number[]
  userId: number | null
  /** The name of the key that it came through. */
  deviceKey?: string | null
  now: Date
}

/** The ids in their order, at most a hundred to an event; nothing for no ids. */
export const recordFormEvent = (db: Db, { formId, verb, ids, userId, deviceKey = null, now }: FormEvent) =>
  db.run(sql`
    insert into form_events (form_id, verb, ids, user_id, device_key, created_at)
    select ${formId}::int, ${verb}::text, array_agg(id order by place), ${userId}::int, ${deviceKey}::text,
      ${now}::timestamptz
    from unnest(${ids}::bigint[]) with ordinality as given (id, place)
    group by (place - 1) / ${mostIds}::int
    order by min(place)`)

export type TargetType = 'xform' | 'project' | 'user'

interface Message {
  target: { type: TargetType; id: number }
  message: string
  /** Null when the server itself says it. */
  userId: number | null
  now: Date
}

/** What is said of a form, a project or to a person; answers the event's id. */
export const recordMessage = async (db: Db, { target, message, userId, now }: Message): Promise<number> => {
  const insert =
    target.type === 'xform'
      ? sql`
          insert into form_events (form_id, verb, message, user_id, created_at)
          values (${target.id}, 'message', ${message}, ${userId}, ${now})
          returning id`
      : sql`
          insert into events (target_type, target_id, verb, message, user_id, created_at)
          values (${target.type}, ${target.id}, 'message', ${message}, ${userId}, ${now})
          returning id`
  return (await db.one<{ id: number }>(insert)).id
}
