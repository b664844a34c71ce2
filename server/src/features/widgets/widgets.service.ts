// Finding, making, changing and ordering widgets. Whoever has a role on the form sees them; whoever may change the form
// changes them.
import { randomBytes } from 'node:crypto'
import type { Db } from '../../platform/db/index.js'
import type { Deps } from '../../platform/deps.js'
import { type Caller, notFound, throwFaults } from '../../platform/http/index.js'
import { dataSight, type FoundForm, visibleForm } from '../forms/index.js'
import { faultOfSource, requireChange, type Source, sourceAgain, sourceAt, sourceOf } from './sources.js'
import {
  checkColumns,
  checkMetadata,
  checkRequired,
  columnNames,
  type Faults,
  fieldsIn,
  presentBody,
} from './widget-fields.js'
import { seesInPart, tooManyWidgets } from './widgets.errors.js'
import {
  actFor,
  countWidgetsAt,
  deleteWidget,
  findWidget,
  insertWidget,
  isKeyOpen,
  lockFormsOf,
  moveWidget,
  type Place,
  reorderWidget,
  updateWidget,
  type Widget,
} from './widgets.queries.js'
import type { Body } from './widgets.schemas.js'

export interface FoundWidget {
  readonly widget: Widget
  readonly form: FoundForm
}

/** A role that sees the form, or data that everybody may see. */
export const maySeeWidgets = ({ access, isDataPublic }: FoundForm): boolean => access.may('view') || isDataPublic

export const visibleWidget = async (db: Db, caller: Caller, pk: string): Promise<FoundWidget> => {
  const widget = /^\d{1,9}$/.test(pk) ? await findWidget(db, Number(pk)) : undefined
  if (widget === undefined) throw notFound()
  const form = await visibleForm(db, caller, String(widget.formId))
  if (!maySeeWidgets(form)) throw notFound()
  return { widget, form }
}

export const changeableWidget = async (db: Db, caller: Caller, pk: string): Promise<FoundWidget> => {
  const found = await visibleWidget(db, caller, pk)
  requireChange(found.form)
  return found
}

/** The form or dataview that a body names; whoever sees it and may not change it is refused at once. */
const namedSource = async (db: Db, caller: Caller, body: Body, faults: Faults): Promise<Source | undefined> => {
  if (body.content_object === undefined || faults.content_object !== undefined) return undefined
  const source = await sourceAt(db, caller, body.content_object)
  const fault = faultOfSource(source, body.content_object)
  if (fault !== undefined) faults.content_object = [fault]
  else if (source !== undefined) requireChange(source.form)
  return source
}

/** One after the other, of each form. What the caller may do is asked again. */
export const underLock = <T>(
  db: Db,
  caller: Caller,
  formIds: readonly number[],
  work: (tx: Db, forms: FoundForm[]) => Promise<T>,
): Promise<T> =>
  db.transaction(async (tx) => {
    await lockFormsOf(tx, formIds)
    const forms: FoundForm[] = []
    for (const id of new Set(formIds)) forms.push(await visibleForm(tx, caller, String(id)))
    forms.forEach(requireChange)
    return work(tx, forms)
  })

/** Of one form or dataview: all of them are counted for one call. */
const mostWidgets = 100

/** Where one more goes: last when no place is named, and for every place beyond the last. */
const placeFor = async (tx: Db, place: Place, order: number | undefined): Promise<number> => {
  const count = await countWidgetsAt(tx, place)
  if (count >= mostWidgets) throw tooManyWidgets(mostWidgets)
  return Math.min(order ?? count, count)
}

/** 128 bits: nobody finds one by trying. */
export const newKey = (): string => randomBytes(16).toString('hex')

export const createWidget = async (
  { db, clock }: Deps,
  caller: Caller,
  body: Body,
  faults: Faults,
): Promise<FoundWidget> => {
  const source = await namedSource(db, caller, body, faults)
  checkRequired(body, faults)
  checkMetadata(body, faults)
  const fields = fieldsIn(body)
  if (source !== undefined) await checkColumns([db, db], { source, given: columnNames }, fields, faults)
  throwFaults(faults)
  const { formId, dataviewId } = source as Source
  return underLock(db, caller, [formId], async (tx, forms) => {
    const { form } = await sourceAgain(tx, forms, source as Source, body.content_object)
    const position = await placeFor(tx, { formId, dataviewId }, body.order)
    const now = clock.now()
    const made = { ...fields, formId, dataviewId, key: newKey(), hasKeyStopped: false, position }
    // Who sees a part is never shown the key: it is not theirs to hand on, and does not go with them.
    const actsFor = dataSight(form) === 'all' ? caller.id : form.ownerId
    const id = await insertWidget(tx, { ...made, createdBy: caller.id, actsFor, now })
    return { widget: { ...made, id, createdAt: now, modifiedAt: now }, form }
  })
}

export interface WidgetChange {
  readonly found: FoundWidget
  readonly body: Body
  readonly faults: Faults
  /** PATCH keeps what is left out; PUT takes the body for the whole. */
  readonly isMerge: boolean
}

/** Its key may be known already, and shows all records: it must not be turned to something that the caller sees in part. */
export const requireAll = (form: FoundForm): void => {
  if (dataSight(form) !== 'all') throw seesInPart()
}

/** Whoever turns the widget to something else answers for its key, and so does whoever saves one that has lost its person, if
 * they see all that it shows. Words change nothing about it. */
const keyAfter = async (
  tx: Db,
  widget: Widget,
  caller: Caller,
  { form, isOther }: { form: FoundForm; isOther: boolean },
): Promise<Pick<Widget, 'key' | 'hasKeyStopped'>> => {
  const isOpen = await isKeyOpen(tx, widget.id)
  const { hasKeyStopped } = widget
  if (dataSight(form) !== 'all' || (isOpen && !isOther)) return { key: widget.key, hasKeyStopped }
  const key = isOpen ? widget.key : newKey()
  await actFor(tx, widget.id, caller.id, key)
  return { key, hasKeyStopped: false }
}

/** Answers undefined when somebody moved it to a form that is not locked. */
const tryChange = async (
  { db, clock }: Deps,
  caller: Caller,
  { found, body, faults, isMerge }: WidgetChange,
  named: Source | undefined,
): Promise<FoundWidget | undefined> => {
  const formIds = [found.widget.formId, named?.formId ?? found.widget.formId]
  return underLock(db, caller, formIds, async (tx, forms) => {
    // What is left out stays as it is now: somebody may have changed it since it was looked at.
    const widget = await findWidget(tx, found.widget.id)
    if (widget === undefined) throw notFound()
    const form = forms.find(({ id }) => id === widget.formId)
    if (form === undefined) return undefined
    const target = await (named ? sourceAgain(tx, forms, named, body.content_object) : sourceOf(tx, form, widget))
    const isMoved = target.formId !== widget.formId || target.dataviewId !== widget.dataviewId
    const fields = fieldsIn(isMerge ? { ...presentBody(widget), ...body } : body)
    const isElsewhere = named === undefined && body.content_object !== undefined
    const given = columnNames.filter((name) => !isElsewhere && (isMoved || body[name] !== undefined))
    await checkColumns([db, tx], { source: target, given }, fields, faults)
    throwFaults(faults)
    const isOther = isMoved || fields.column !== widget.column || fields.groupBy !== widget.groupBy
    if (isOther) requireAll(target.form)
    const now = clock.now()
    await updateWidget(tx, widget.id, fields, now)
    const key = await keyAfter(tx, widget, caller, { form: target.form, isOther })
    const { formId, dataviewId } = target
    const position = await place(tx, widget, isMoved ? { formId, dataviewId } : undefined, body.order)
    const changed = { ...widget, ...fields, ...key, formId, dataviewId, position, modifiedAt: now }
    return { widget: changed, form: target.form }
  })
}

/** Answers its place. */
const place = async (tx: Db, widget: Widget, to: Place | undefined, order: number | undefined): Promise<number> => {
  if (to !== undefined) {
    const position = await placeFor(tx, to, order)
    await moveWidget(tx, widget, { ...to, position })
    return position
  }
  if (order === undefined) return widget.position
  const position = Math.min(order, (await countWidgetsAt(tx, widget)) - 1)
  await reorderWidget(tx, widget, position)
  return position
}

export const changeWidget = async (deps: Deps, caller: Caller, change: WidgetChange): Promise<FoundWidget> => {
  const { found, body, faults, isMerge } = change
  const named = await namedSource(deps.db, caller, body, faults)
  if (!isMerge) checkRequired(body, faults)
  checkMetadata(body, faults)
  const changed = await tryChange(deps, caller, change, named)
  if (changed !== undefined) return changed
  const again = await changeableWidget(deps.db, caller, String(found.widget.id))
  return changeWidget(deps, caller, { ...change, found: again })
}

export const removeWidget = async (db: Db, caller: Caller, { widget: found }: FoundWidget): Promise<void> => {
  const isDone = await underLock(db, caller, [found.formId], async (tx) => {
    const widget = await findWidget(tx, found.id)
    if (widget === undefined) throw notFound()
    if (widget.formId === found.formId) await deleteWidget(tx, widget)
    return widget.formId === found.formId
  })
  if (!isDone) await removeWidget(db, caller, await changeableWidget(db, caller, String(found.id)))
}
