// What is known of a form's records before a file is made of them.
import type { Database } from '../../../platform/db/index.js'
import { isEverything, type ListRequest, refreshBlocks } from '../selection/index.js'
import { type ExtentAt, extentOfForm } from './extents.queries.js'

/** Of a list that has every record of its form; undefined for another one, which has to be looked through. */
export const knownExtent = async (db: Database, list: ListRequest): Promise<ExtentAt | undefined> => {
  if (!isEverything(list)) return undefined
  const { id } = list.seen.form
  await refreshBlocks(db, id)
  return extentOfForm(db.current, id, list.shape)
}
