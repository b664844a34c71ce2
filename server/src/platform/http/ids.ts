import { isRowId } from '../db/index.js'
import { absent } from './errors.js'

/** The id of a part of what the address names, which the caller has been found to see; 404 for what is no id. */
export const partId = (text: string): number => {
  const id = /^\d{1,10}$/.test(text) ? Number(text) : Number.NaN
  if (!isRowId(id)) throw absent()
  return id
}
