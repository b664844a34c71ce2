// A key hands on the right of whoever holds it. One that has lost it stays stopped until somebody takes it over.
import { shortened } from '@sheaf/xlsform/text'
import type { Db } from '../../platform/db/index.js'
import type { Lapsed } from '../permissions/index.js'
import { lockLapsedDeviceKeys, stopDeviceKeys } from './lapsed.queries.js'

/** In a line that people read. */
const longestName = 60

/** They have opened nothing since the right was lost. */
export const stopLapsedDeviceKeys = async (tx: Db, now: Date, most: number): Promise<Lapsed[]> => {
  const lapsed = await lockLapsedDeviceKeys(tx, now, most)
  const ids = lapsed.map(({ id }) => id)
  await stopDeviceKeys(tx, ids, now)
  return lapsed.map(({ id, name, projectId, formId, actor }) => ({
    target: formId === null ? { type: 'project', id: projectId } : { type: 'xform', id: formId },
    actor,
    right: formId === null ? 'manages the project' : 'manages the form',
    line: `Key ${id} ("${shortened(name, longestName)}") opens nothing any more: phones that have it can neither fetch forms nor send. Save or renew the key, and it holds by your right.`,
  }))
}
