// Deleting many records: DELETE /data/{pk}.
import type { Room } from '../../platform/deps.js'
import { errors } from '../../platform/http/index.js'
import { Type } from '../../platform/schema/index.js'
import { textOf } from '../../platform/words/index.js'
import { seenForm } from './data.access.js'
import { badIds, noIds } from './data.errors.js'
import { PkParams } from './data.schemas.js'
import { deleteRecords, requirePermanentDelete } from './deletion.js'

const DeleteBody = Type.Object(
  {
    instance_ids: Type.Optional(Type.Unknown({ description: 'Ids with commas between them, or an array of ids.' })),
    delete_all: Type.Optional(Type.Boolean({ description: 'All that the caller may delete.' })),
    permanent_delete: Type.Optional(Type.Boolean({ description: 'For good, where the server allows it.' })),
  },
  { examples: [{ instance_ids: '101425,108428' }, { delete_all: true }] },
)

const DeletedView = Type.Object(
  { status_code: Type.Integer(), message: Type.String() },
  { examples: [{ status_code: 200, message: '3 records were deleted' }] },
)

/** What is no number is dropped; nothing left is a mistake. */
const idsIn = (given: unknown): number[] => {
  const items = Array.isArray(given) ? given : textOf(given).split(',')
  const ids = items.map((item) => textOf(item).trim()).filter((item) => /^\d{1,15}$/.test(item))
  if (ids.length === 0) throw badIds()
  return [...new Set(ids.map(Number))]
}

export const manyRoutes: Room = async (app, deps) => {
  app.delete(
    '/data/:pk',
    {
      config: { operation: 'data.delete.many', access: 'user', queryFillsBody: true },
      schema: {
        summary: 'Delete many records',
        description: 'Counts those that were really deleted: ids of other forms and deleted ones do not count.',
        tags: ['data'],
        params: PkParams,
        body: DeleteBody,
        response: { 200: DeletedView, ...errors(400, 401, 403, 404) },
      },
    },
    async ({ params, body, caller }) => {
      const { instance_ids: given, delete_all: isAll = false, permanent_delete: isPermanent = false } = body ?? {}
      requirePermanentDelete(deps, isPermanent)
      const { form } = await seenForm(deps.db, caller, params.pk)
      const isGiven = given !== undefined && given !== null && given !== ''
      if (!isAll && !isGiven && form.access.may('delete_submission')) throw noIds()
      const ids = isAll || !isGiven ? null : idsIn(given)
      const count = await deleteRecords(deps, { form, caller, ids, isPermanent })
      return { status_code: 200, message: `${count} records were deleted` }
    },
  )
}
