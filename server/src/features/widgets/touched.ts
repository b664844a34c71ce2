// Which widgets a replacement of their form touches.
import type { FormFields } from '../../formats/form/index.js'
import type { Db } from '../../platform/db/index.js'
import { columnNamed } from './columns.js'
import { listWidgetsOfForm, type Widget } from './widgets.queries.js'

export interface Replaced {
  readonly present: FormFields
  readonly next: FormFields
  /** Questions that keep their name and ask something else. */
  readonly changed: ReadonlySet<string>
}

/** What is not found already is not touched again. */
const isTouched = ({ present, next, changed }: Replaced, name: string): boolean => {
  const [now, then] = [columnNamed(present, name), columnNamed(next, name)]
  if (now === undefined) return false
  return then === undefined || changed.has(now.path) || JSON.stringify(now) !== JSON.stringify(then)
}

/** Those of the form and of its dataviews, whose column or group goes, means another question, or changes. */
export const touchedWidgets = async (db: Db, formId: number, replaced: Replaced): Promise<Widget[]> =>
  (await listWidgetsOfForm(db, formId)).filter(({ column, groupBy }) =>
    [column, ...(groupBy === null ? [] : [groupBy])].some((name) => isTouched(replaced, name)),
  )
