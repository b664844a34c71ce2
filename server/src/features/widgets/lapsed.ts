// A widget's key acts for whoever made the widget, or has turned it to something else or confirmed it since.
import { shortened } from '@sheaf/xlsform/text'
import type { Db } from '../../platform/db/index.js'
import type { Lapsed } from '../permissions/index.js'
import { lockLapsedKeys, stopKeys } from './widgets.queries.js'

const right = 'has the right to change the form and to see all its records'

const longestTitle = 60

const named = (title: string | null): string => (title ? ` ("${shortened(title, longestTitle)}")` : '')

/** They have opened nothing since the right was lost; from now on that stays so until somebody saves the widget. */
export const stopLapsedKeys = async (tx: Db, now: Date, most: number): Promise<Lapsed[]> => {
  const lapsed = await lockLapsedKeys(tx, most)
  await stopKeys(
    tx,
    lapsed.map(({ id }) => id),
    now,
  )
  return lapsed.map(({ id, formId, title, actor }) => ({
    target: { type: 'xform', id: formId },
    actor,
    right,
    line: `The key of widget ${id}${named(title)} opens nothing any more; the widget itself stays. Save the widget, and it has a new key; that one acts for you.`,
  }))
}
