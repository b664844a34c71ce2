// Which widgets GET /widgets shows: by key, of a form, of a dataview, or all that the caller has to do with.
import { type Db, isRowId } from '../../platform/db/index.js'
import { absent, type Caller, notFound } from '../../platform/http/index.js'
import type { Static } from '../../platform/schema/index.js'
import { type DataSight, dataSight, type FoundForm, findDataview, findForm, withAccess } from '../forms/index.js'
import { findSourceOf, type Source } from './sources.js'
import { badDataviewParameter, badFormParameter } from './widgets.errors.js'
import { findWidgetByKey, listWidgetsAt, type Widget } from './widgets.queries.js'
import type { WidgetsQuery } from './widgets.schemas.js'
import { maySeeWidgets } from './widgets.service.js'

type Query = Static<typeof WidgetsQuery>

/** Widgets of one form or dataview, and which of its records count for the caller. */
export interface Shown {
  readonly widgets: readonly Widget[]
  readonly source: Source
  readonly sight: DataSight
}

interface Filter {
  readonly formId: number | undefined
  readonly dataviewId: number | undefined
}

const isId = (text: string): boolean => /^\d+$/.test(text) && Number(text) > 0

const findFormNumbered = async (db: Db, caller: Caller, id: number): Promise<FoundForm | undefined> => {
  const form = isRowId(id) ? await findForm(db, caller.id, id) : undefined
  return form && withAccess(form)
}

const formNumbered = async (db: Db, caller: Caller, id: number): Promise<FoundForm> => {
  const form = await findFormNumbered(db, caller, id)
  if (form === undefined) throw notFound()
  return form
}

/** Whoever knows the key was shown it by somebody who may see the data: all records count. */
const byKey = async (db: Db, caller: Caller, key: string, filter: Filter): Promise<Shown> => {
  const widget = await findWidgetByKey(db, key)
  const isMeant =
    widget !== undefined &&
    (filter.formId ?? widget.formId) === widget.formId &&
    (filter.dataviewId ?? widget.dataviewId) === widget.dataviewId
  // A page elsewhere shows it: nobody there could sign in.
  if (!isMeant) throw absent()
  const form = await findFormNumbered(db, caller, widget.formId)
  const source = form && (await findSourceOf(db, form, widget))
  if (source === undefined) throw absent()
  return { widgets: [widget], source, sight: 'all' }
}

/** What is hidden is missing. A public definition alone has no widgets to show. */
const of = async (db: Db, source: Source): Promise<Shown> => {
  const { form } = source
  if (!maySeeWidgets(form) && !form.isPublic) throw notFound()
  return { widgets: maySeeWidgets(form) ? await listWidgetsAt(db, source) : [], source, sight: dataSight(form) }
}

const ofDataview = async (db: Db, caller: Caller, { formId, dataviewId }: Filter): Promise<Shown> => {
  const dataview = isRowId(dataviewId ?? 0) ? await findDataview(db, dataviewId ?? 0) : undefined
  if (dataview === undefined || (formId ?? dataview.formId) !== dataview.formId) throw notFound()
  const form = await formNumbered(db, caller, dataview.formId)
  return of(db, { form, dataview, formId: form.id, dataviewId: dataview.id })
}

const ofForm = async (db: Db, caller: Caller, formId: number): Promise<Shown> => {
  const form = await formNumbered(db, caller, formId)
  return of(db, { form, dataview: undefined, formId, dataviewId: null })
}

/** Undefined without a filter. */
export const filteredWidgets = async (db: Db, caller: Caller, query: Query): Promise<Shown | undefined> => {
  if (query.xform && !isId(query.xform)) throw badFormParameter()
  if (query.dataview && !isId(query.dataview)) throw badDataviewParameter(query.dataview)
  const formId = query.xform ? Number(query.xform) : undefined
  const dataviewId = query.dataview ? Number(query.dataview) : undefined
  if (query.key) return byKey(db, caller, query.key, { formId, dataviewId })
  if (dataviewId !== undefined) return ofDataview(db, caller, { formId, dataviewId })
  return formId === undefined ? undefined : ofForm(db, caller, formId)
}
