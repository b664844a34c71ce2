// Built-in fields that tables show where some record has them.
import { deviceNames } from '../../../formats/form/index.js'
import type { Db } from '../../../platform/db/index.js'
import { showsDevices } from '../../submissions/index.js'
import { reviewNames } from './cells.queries.js'
import type { ColumnsRequest } from './columns.js'
import { hasDevices, hasReviews } from './csv.queries.js'

export const moreNames = async (db: Db, { list, options }: ColumnsRequest): Promise<string[]> => {
  const { form } = list.seen
  const withReviews = options.hasReviews || (await hasReviews(db, form.id))
  const withDevices = showsDevices(form) && (await hasDevices(db, form.id))
  return [...(withReviews ? reviewNames : []), ...(withDevices ? deviceNames : [])]
}
