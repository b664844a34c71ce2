// Which widgets GET /widgets shows: by key, of a form, of a dataview, or all that the caller has to do with.
import type { Db } from '../../platform/db/index.js'
import { type Caller, notFound } from '../../platform/http/index.js'
import type { Static } from '../../platform/schema/index.js'
import { type DataSight, dataSight, type FoundForm, findForm, withAccess } from '../forms/index.js'
import { badDataviewParameter, badFormParameter } from './widgets.errors.js'
import { findWidgetByKey, listWidgetsAt, type Widget } from './widgets.queries.js'
import type { WidgetsQuery } from './widgets.schemas.js'
import { maySeeWidgets } from './widgets.service.js'

type Query = Static<typeof WidgetsQuery>

/** Widgets of one form, and which of its records they count for the caller. */
export interface Shown {
  readonly widgets: readonly Widget[]
  readonly form: FoundForm
  readonly sight: DataSight
}

const largestId = 2_147_483_647

interface Filter {
  readonly formId: number | undefined
  readonly dataviewId: number | undefined
}

const isId = (text: string): boolean => /^\d+$/.test(text) && Number(text) > 0

const formNumbered = async (db: Db, caller: Caller, id: number): Promise<FoundForm> => {
  const form = id <= largestId ? await findForm(db, caller.id, id) : undefined
  if (form === undefined) throw notFound()
  return withAccess(form)
}

/** Whoever knows the key was shown it by somebody who may see the data: all records count. */
const byKey = async (db: Db, caller: Caller, key: string, filter: Filter): Promise<Shown> => {
  const widget = await findWidgetByKey(db, key)
  const isMeant =
    widget !== undefined &&
    (filter.formId ?? widget.formId) === widget.formId &&
    (filter.dataviewId ?? widget.dataviewId) === widget.dataviewId
  if (!isMeant) throw notFound()
  return { widgets: [widget], form: await formNumbered(db, caller, widget.formId), sight: 'all' }
}

/** What is there and hidden has no widgets to show. */
const ofPlace = async (db: Db, form: FoundForm, dataviewId: number | null): Promise<Shown> => ({
  widgets: maySeeWidgets(form) ? await listWidgetsAt(db, { formId: form.id, dataviewId }) : [],
  form,
  sight: dataSight(form),
})

/** Undefined without a filter. */
export const filteredWidgets = async (db: Db, caller: Caller, query: Query): Promise<Shown | undefined> => {
  if (query.xform && !isId(query.xform)) throw badFormParameter()
  if (query.dataview && !isId(query.dataview)) throw badDataviewParameter(query.dataview)
  const formId = query.xform ? Number(query.xform) : undefined
  const dataviewId = query.dataview ? Number(query.dataview) : undefined
  if (query.key) return byKey(db, caller, query.key, { formId, dataviewId })
  if (formId === undefined) return undefined
  return ofPlace(db, await formNumbered(db, caller, formId), null)
}
