// Which records are deleted, or brought back, together: by their ids, or all.
import { textOf } from '../../../platform/words/index.js'
import type { FoundForm } from '../../forms/index.js'
import { badIds, noIds } from './removal.errors.js'

/** What is no number is dropped; no number at all is a mistake. */
const idsIn = (given: unknown): number[] => {
  const items = Array.isArray(given) ? given : textOf(given).split(',')
  const ids = items.map((item) => textOf(item).trim()).filter((item) => /^\d{1,15}$/.test(item))
  if (ids.length === 0) throw badIds()
  return [...new Set(ids.map(Number))]
}

/** null: all. Whoever may not delete is told so first, whatever they have sent. */
export const manyOf = (form: FoundForm, { given, isAll }: { given: unknown; isAll: boolean }): number[] | null => {
  const isGiven = given !== undefined && given !== null && given !== ''
  if (!isAll && !isGiven && form.access.may('delete_submission')) throw noIds()
  return isAll || !isGiven ? null : idsIn(given)
}
