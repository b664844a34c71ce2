// Reading events. Those of forms name the form; those of projects and users are beside them.
import { type Db, empty, join, type Sql, sql } from '../../platform/db/index.js'
import type { TargetType } from './record.queries.js'

export interface Target {
  readonly type: TargetType
  readonly id: number
}

export interface Event {
  readonly id: number
  readonly verb: string
  /** What it is about; null for what people write. */
  readonly ids: readonly number[] | null
  readonly message: string | null
  readonly userId: number | null
  readonly username: string | null
  /** The name of the key that it came through. */
  readonly deviceKey?: string | null
  readonly createdAt: Date
}

export type Comparison = 'is' | 'gt' | 'gte' | 'lt' | 'lte'
export type TimePart = 'year' | 'month' | 'day' | 'hour' | 'minute'

export interface TimeCondition {
  /** Of the whole time, or of a part of it in UTC. */
  readonly part: TimePart | undefined
  readonly comparison: Comparison
  readonly value: Date | number
}

export interface EventFilter {
  readonly verb?: string | undefined
  readonly userId?: number | undefined
  readonly times: readonly TimeCondition[]
}

const operators: Readonly<Record<Comparison, Sql>> = {
  is: sql`=`,
  gt: sql`>`,
  gte: sql`>=`,
  lt: sql`<`,
  lte: sql`<=`,
}

const timeCondition = ({ part, comparison, value }: TimeCondition): Sql => {
  const time =
    part === undefined ? sql`events.created_at` : sql`date_part(${part}, events.created_at at time zone 'UTC')`
  return sql`and ${time} ${operators[comparison]} ${value}`
}

const relation = ({ type, id }: Target): Sql =>
  type === 'xform'
    ? sql`(select id, verb, ids, message, user_id, device_key, created_at from form_events where form_id = ${id}) events`
    : sql`(select id, verb, null::bigint[] as ids, message, user_id, null::text as device_key, created_at from events
        where target_type = ${type} and target_id = ${id}) events`

const matching = ({ verb, userId, times }: EventFilter): Sql => sql`
  true ${verb === undefined ? empty : sql`and events.verb = ${verb}`}
  ${userId === undefined ? empty : sql`and events.user_id = ${userId}`}
  ${times.length === 0 ? empty : join(times.map(timeCondition), ' ')}`

export const countEvents = async (db: Db, target: Target, filter: EventFilter): Promise<number> =>
  (await db.one<{ count: number }>(sql`select count(*) from ${relation(target)} where ${matching(filter)}`)).count

/** As in `users`, which stands above: a query of accounts alone, which Citus sends along with the question. */
const accountNames = sql`(select id, username from users)`

const columns = sql`
  events.id, events.verb, events.ids::float8[] as ids, events.message, events.user_id as "userId", users.username,
  events.device_key as "deviceKey", events.created_at as "createdAt"`

/** Newest first. */
export const listEvents = (db: Db, target: Target, filter: EventFilter, range: { offset: number; limit: number }) =>
  db.rows<Event>(sql`
    select ${columns} from ${relation(target)} left join ${accountNames} users on users.id = events.user_id
    where ${matching(filter)}
    order by events.id desc limit ${range.limit} offset ${range.offset}`)

export interface FoundEvent extends Event {
  readonly target: Target
}

/** An event by its id alone, among these forms: a probe of the key for each of them, since ids are not indexed without
 * their form. Otherwise among projects and users. */
export const findEvent = async (db: Db, id: number, formIds: readonly number[]): Promise<FoundEvent | undefined> => {
  const row =
    (await db.maybe<Event & { type: TargetType; targetId: number }>(sql`
      select ${columns}, events.target_type as type, events.target_id as "targetId"
      from (select *, null::bigint[] as ids, null::text as device_key from events) events left join users on users.id = events.user_id
      where events.id = ${id}`)) ??
    (await db.maybe<Event & { type: TargetType; targetId: number }>(sql`
      select ${columns}, 'xform' as type, events.form_id as "targetId"
      from form_events events left join ${accountNames} users on users.id = events.user_id
      where events.form_id = any(${formIds}::int[]) and events.id = ${id}`))
  if (row === undefined) return undefined
  const { type, targetId, ...event } = row
  return { ...event, target: { type, id: targetId } }
}

export const deleteEvent = (db: Db, { id, target }: FoundEvent) =>
  target.type === 'xform'
    ? db.run(sql`delete from form_events where form_id = ${target.id} and id = ${id}`)
    : db.run(sql`delete from events where id = ${id}`)
