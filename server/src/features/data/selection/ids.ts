// Records that are named together, by their ids.
import { textOf } from '../../../platform/words/index.js'
import { badIds } from './selection.errors.js'

/** What is no number is dropped; no number at all is a mistake. */
export const idsIn = (given: unknown): number[] => {
  const items = Array.isArray(given) ? given : textOf(given).split(',')
  const ids = items.map((item) => textOf(item).trim()).filter((item) => /^\d{1,15}$/.test(item))
  if (ids.length === 0) throw badIds()
  return [...new Set(ids.map(Number))]
}
