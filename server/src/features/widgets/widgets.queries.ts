import { type Db, type Sql, sql } from '../../platform/db/index.js'
import { type Actor, rolesThatMay, stillMay } from '../permissions/index.js'

/** What a widget counts: the records of a form, or what a dataview shows of them. */
export interface Place {
  readonly formId: number
  readonly dataviewId: number | null
}

export interface WidgetFields {
  readonly title: string | null
  readonly description: string | null
  readonly aggregation: string | null
  readonly widgetType: string
  readonly viewType: string
  readonly column: string
  readonly groupBy: string | null
  readonly metadata: Readonly<Record<string, unknown>>
}

export interface Widget extends Place, WidgetFields {
  readonly id: number
  readonly key: string
  /** It was found that whoever it acted for had lost the right to it. */
  readonly hasKeyStopped: boolean
  readonly position: number
  readonly createdAt: Date
  readonly modifiedAt: Date
}

const columns = sql`
  widgets.id, widgets.key, widgets.key_stopped_at is not null as "hasKeyStopped", widgets.form_id as "formId", widgets.dataview_id as "dataviewId", widgets.position,
  widgets.title, widgets.description, widgets.aggregation, widgets.widget_type as "widgetType",
  widgets.view_type as "viewType", widgets.column_name as column, widgets.group_by as "groupBy", widgets.metadata,
  widgets.created_at as "createdAt", widgets.modified_at as "modifiedAt"`

/** Widgets of what is hidden from everybody are hidden. */
const live = sql`
  from widgets
  join forms on forms.id = widgets.form_id and forms.deleted_at is null
  join projects on projects.id = forms.project_id and projects.deleted_at is null
  join users owners on owners.id = forms.owner_id and owners.is_active
  left join dataviews on dataviews.id = widgets.dataview_id
  where dataviews.deleted_at is null`

export const findWidget = (db: Db, id: number) =>
  db.maybe<Widget>(sql`select ${columns} ${live} and widgets.id = ${id}`)

/** Of a relation with the columns form_id and acts_for, beside its form: whoever a widget acts for still changes the form and
 * sees all its records. */
const isHeldIn = (relation: Sql): Sql => {
  const person = { formId: sql`${relation}.form_id`, userId: sql`${relation}.acts_for` }
  return sql`(${person.userId} is not distinct from forms.owner_id
    or (${stillMay(person, 'change')} and (forms.is_data_public or ${stillMay(person, 'view_all')})))`
}

const opens = sql`widgets.key_stopped_at is null and ${isHeldIn(sql`widgets`)}`

/** One that opens nothing any more is as good as unknown. */
export const findWidgetByKey = (db: Db, key: string) =>
  db.maybe<Widget>(sql`select ${columns} ${live} and widgets.key = ${key} and ${opens}`)

export const isKeyOpen = async (db: Db, id: number): Promise<boolean> =>
  (await db.maybe(sql`select ${live} and widgets.id = ${id} and ${opens}`)) !== undefined

export interface LapsedKey {
  readonly id: number
  readonly formId: number
  readonly title: string | null
  readonly actor: Actor | null
}

/** Many widgets of a form have one maker: who still may is asked once for each form and person. */
export const lockLapsedKeys = (tx: Db, most: number) =>
  tx.rows<LapsedKey>(sql`
    with makers as materialized (
      select distinct form_id, acts_for from widgets where key_stopped_at is null
    ),
    lost as materialized (
      select makers.* from makers
      join forms on forms.id = makers.form_id and forms.deleted_at is null
      join projects on projects.id = forms.project_id and projects.deleted_at is null
      join users owners on owners.id = forms.owner_id and owners.is_active
      where not ${isHeldIn(sql`makers`)}
    )
    select widgets.id, widgets.form_id as "formId", widgets.title,
      (select json_build_object('username', username, 'isActive', is_active) from users where id = widgets.acts_for)
        as actor
    from lost
    join widgets on widgets.form_id = lost.form_id and widgets.acts_for is not distinct from lost.acts_for
    where widgets.key_stopped_at is null
    order by widgets.id limit ${most}
    for update of widgets skip locked`)

export const stopKeys = (tx: Db, ids: readonly number[], now: Date) =>
  tx.run(sql`update widgets set key_stopped_at = ${now} where id = any(${ids}::int[])`)

/** With a new key, when the former one had stopped: whoever went may know it. */
export const actFor = (tx: Db, id: number, userId: number, key: string) =>
  tx.run(sql`update widgets set acts_for = ${userId}, key = ${key}, key_stopped_at = null where id = ${id}`)

/** Of a form itself or of a dataview, in their order. */
export const listWidgetsAt = (db: Db, place: Place) =>
  db.rows<Widget>(sql`select ${columns} ${live} and ${at(place)} order by widgets.position`)

/** Those of its dataviews too, by id. */
export const listWidgetsOfForm = (db: Db, formId: number) =>
  db.rows<Widget>(sql`select ${columns} ${live} and widgets.form_id = ${formId} order by widgets.id`)

const granted = (userId: number, action: 'view' | 'view_all'): Sql => sql`
  widgets.form_id in (
    select form_id from form_grants where user_id = ${userId} and role = any(${rolesThatMay(action)}::text[]))`

/** Of every form that the user has a role on. */
export const countWidgetsOf = async (db: Db, userId: number): Promise<number> =>
  (await db.one<{ count: number }>(sql`select count(*) ${live} and ${granted(userId, 'view')}`)).count

export const listWidgetsOf = (db: Db, userId: number, range: { offset: number; limit: number }) =>
  db.rows<Widget & { readonly seesAll: boolean }>(sql`
    select ${columns}, forms.is_data_public or ${granted(userId, 'view_all')} as "seesAll"
    ${live} and ${granted(userId, 'view')}
    order by widgets.form_id, widgets.dataview_id nulls first, widgets.position
    limit ${range.limit} offset ${range.offset}`)

const at = ({ formId, dataviewId }: Place): Sql => sql`
  widgets.form_id = ${formId} and widgets.dataview_id is not distinct from ${dataviewId}`

/** Held until the transaction ends: whatever changes the order of a form's widgets waits here for its turn. In the order
 * of their ids, so that two who move widgets between the same forms do not wait for each other. */
export const lockFormsOf = (tx: Db, formIds: readonly number[]) =>
  tx.run(sql`select 1 from forms where id = any(${formIds}::int[]) order by id for no key update`)

export const countWidgetsAt = async (db: Db, place: Place): Promise<number> =>
  (await db.one<{ count: number }>(sql`select count(*) from widgets where ${at(place)}`)).count

/** The next ones make room. */
export const insertWidget = async (
  tx: Db,
  widget: WidgetFields & Place & { key: string; position: number; createdBy: number; actsFor: number; now: Date },
): Promise<number> => {
  await makeRoom(tx, widget, widget.position)
  const { id } = await tx.one<{ id: number }>(sql`
    insert into widgets (key, form_id, dataview_id, position, title, description, aggregation, widget_type, view_type,
      column_name, group_by, metadata, created_by, acts_for, created_at, modified_at)
    values (${widget.key}, ${widget.formId}, ${widget.dataviewId}, ${widget.position}, ${widget.title},
      ${widget.description}, ${widget.aggregation}, ${widget.widgetType}, ${widget.viewType}, ${widget.column},
      ${widget.groupBy}, ${JSON.stringify(widget.metadata)}::jsonb, ${widget.createdBy}, ${widget.actsFor},
      ${widget.now}, ${widget.now})
    returning id`)
  return id
}

const makeRoom = (tx: Db, place: Place, position: number) =>
  tx.run(sql`update widgets set position = position + 1 where ${at(place)} and position >= ${position}`)

const closeGap = (tx: Db, place: Place, position: number) =>
  tx.run(sql`update widgets set position = position - 1 where ${at(place)} and position > ${position}`)

export const updateWidget = (tx: Db, id: number, widget: WidgetFields, now: Date) =>
  tx.run(sql`
    update widgets set title = ${widget.title}, description = ${widget.description},
      aggregation = ${widget.aggregation}, widget_type = ${widget.widgetType}, view_type = ${widget.viewType},
      column_name = ${widget.column}, group_by = ${widget.groupBy}, metadata = ${JSON.stringify(widget.metadata)}::jsonb,
      modified_at = ${now}
    where id = ${id}`)

/** Those between the old and the new place move up or down by one. */
export const reorderWidget = (tx: Db, { id, position: from, ...place }: Widget, to: number) =>
  from === to
    ? Promise.resolve(0)
    : tx.run(sql`
        update widgets set position = case
          when id = ${id} then ${to}::int
          when ${from}::int < ${to}::int then position - 1
          else position + 1 end
        where ${at(place)} and position between ${Math.min(from, to)} and ${Math.max(from, to)}`)

/** To another form or dataview. */
export const moveWidget = async (tx: Db, widget: Widget, to: Place & { position: number }): Promise<void> => {
  await makeRoom(tx, to, to.position)
  await tx.run(sql`
    update widgets set form_id = ${to.formId}, dataview_id = ${to.dataviewId}, position = ${to.position}
    where id = ${widget.id}`)
  await closeGap(tx, widget, widget.position)
}

export const deleteWidget = async (tx: Db, widget: Widget): Promise<void> => {
  await tx.run(sql`delete from widgets where id = ${widget.id}`)
  await closeGap(tx, widget, widget.position)
}
