// Deleting one record, DELETE /data/{pk}/{dataid}, and many, DELETE /data/{pk}.
import type { Room } from '../../../platform/deps.js'
import { errors, NoBody, notFound } from '../../../platform/http/index.js'
import { Type } from '../../../platform/schema/index.js'
import { changeableRecord } from '../record/index.js'
import { PkParams, RecordParams, seenForm } from '../selection/index.js'
import { deleteRecords, namedIn, requirePermanentDelete } from './deletion.js'
import { DoneIds, manyOf } from './many.js'

const DeleteBody = Type.Object(
  {
    instance_ids: Type.Optional(Type.Unknown({ description: 'Ids with commas between them, or an array of ids.' })),
    delete_all: Type.Optional(Type.Boolean({ description: 'All that the caller may delete.' })),
    permanent_delete: Type.Optional(Type.Boolean({ description: 'For good, where the server allows it.' })),
  },
  { examples: [{ instance_ids: '101425,108428' }, { delete_all: true }] },
)

const DeletedView = Type.Object(
  { status_code: Type.Integer(), message: Type.String(), instance_ids: Type.Optional(DoneIds) },
  { examples: [{ status_code: 200, message: '2 records were deleted', instance_ids: [101425, 108428] }] },
)

const PermanentQuery = Type.Object({
  permanent_delete: Type.Optional(
    Type.String({ maxLength: 20, description: 'True deletes for good, where the server allows it.' }),
  ),
})

export const deleteRoutes: Room = async (app, deps) => {
  app.delete(
    '/data/:pk',
    {
      config: { operation: 'data.delete.many', access: 'user', queryFillsBody: true },
      schema: {
        summary: 'Delete many records',
        description:
          'Counts those that were really deleted: ids of other forms and deleted ones do not count. `instance_ids` says which of the named ones they are: those to bring back when it is taken back.',
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
      const ids = manyOf(form, { given, isAll })
      const done = await deleteRecords(deps, { form, caller, ids, isPermanent })
      return { status_code: 200, message: `${done.count} records were deleted`, ...namedIn(done) }
    },
  )

  app.delete(
    '/data/:pk/:dataid',
    {
      config: { operation: 'data.delete', access: 'user', queryFillsBody: true },
      schema: {
        summary: 'Delete a record',
        description: 'Hidden from then on; whoever may delete it can bring it back for 30 days.',
        tags: ['data'],
        params: RecordParams,
        querystring: PermanentQuery,
        body: Type.Object({ permanent_delete: Type.Optional(Type.Boolean({ examples: [false] })) }),
        response: { 204: NoBody, ...errors(400, 401, 403, 404) },
      },
    },
    async ({ params, body, caller }, reply) => {
      const isPermanent = body?.permanent_delete === true
      requirePermanentDelete(deps, isPermanent)
      const { seen, record } = await changeableRecord(deps.db, caller, params, 'delete_submission')
      const deleted = await deleteRecords(deps, { form: seen.form, caller, ids: [record.id], isPermanent })
      if (deleted.count === 0) throw notFound()
      return reply.code(204).send(null)
    },
  )
}
