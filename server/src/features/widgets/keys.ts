// The key of a widget, which shows it to anybody: renewed when the wrong people know it, withdrawn when nobody should.
import type { Db } from '../../platform/db/index.js'
import type { Deps } from '../../platform/deps.js'
import { type Caller, notFound } from '../../platform/http/index.js'
import type { FoundForm } from '../forms/index.js'
import { actFor, findWidget, stopKeys, type Widget } from './widgets.queries.js'
import { changeableWidget, type FoundWidget, newKey, requireAll, underLock } from './widgets.service.js'

/** Under the lock of its form, also when somebody moves it meanwhile. */
const withKeyOf = async <T>(
  db: Db,
  caller: Caller,
  pk: string,
  work: (tx: Db, widget: Widget, form: FoundForm) => Promise<T>,
): Promise<T> => {
  const found = await changeableWidget(db, caller, pk)
  requireAll(found.form)
  const done = await underLock(db, caller, [found.form.id], async (tx, [form]) => {
    const widget = await findWidget(tx, found.widget.id)
    if (widget === undefined || form === undefined) throw notFound()
    if (widget.formId !== form.id) return undefined
    requireAll(form)
    return { result: await work(tx, widget, form) }
  })
  return done === undefined ? withKeyOf(db, caller, pk, work) : done.result
}

/** From now on it acts for whoever renews it. */
export const renewKey = ({ db }: Deps, caller: Caller, pk: string): Promise<FoundWidget> =>
  withKeyOf(db, caller, pk, async (tx, widget, form) => {
    const key = newKey()
    await actFor(tx, widget.id, caller.id, key)
    return { widget: { ...widget, key, hasKeyStopped: false }, form }
  })

export const withdrawKey = ({ db, clock }: Deps, caller: Caller, pk: string): Promise<void> =>
  withKeyOf(db, caller, pk, async (tx, widget) => {
    await stopKeys(tx, [widget.id], clock.now())
  })
