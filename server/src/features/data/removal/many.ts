// Which records are deleted, or brought back, together: by their ids, or all.
import { Type } from '../../../platform/schema/index.js'
import type { FoundForm } from '../../forms/index.js'
import { idsIn, noIds } from '../selection/index.js'

export const DoneIds = Type.Array(Type.Integer(), {
  description: 'Of the ids that were given, those with which it was done. Not there where all were asked for.',
})

/** null: all. Whoever may not delete is told so first, whatever they have sent. */
export const manyOf = (form: FoundForm, { given, isAll }: { given: unknown; isAll: boolean }): number[] | null => {
  const isGiven = given !== undefined && given !== null && given !== ''
  if (!isAll && !isGiven && form.access.may('delete_submission')) throw noIds()
  return isAll || !isGiven ? null : idsIn(given)
}
