// Bringing deleted records back: one, POST /data/{pk}/{dataid}/restore, and many, POST /data/{pk}/restore.
import type { Room } from '../../../platform/deps.js'
import { errors, forbidden, notFound } from '../../../platform/http/index.js'
import { Type } from '../../../platform/schema/index.js'
import { RecordView } from '../lists/index.js'
import { jsonType, sendText } from '../reading/index.js'
import { findDeletedRecord, getRecordText } from '../record/index.js'
import { ownOnly, PkParams, RecordParams, seenForm } from '../selection/index.js'
import { bringBack, namedIn } from './deletion.js'
import { DoneIds, manyOf } from './many.js'

const RestoreBody = Type.Object(
  {
    instance_ids: Type.Optional(Type.Unknown({ description: 'Ids with commas between them, or an array of ids.' })),
    restore_all: Type.Optional(Type.Boolean({ description: 'All that the caller may bring back.' })),
  },
  { examples: [{ instance_ids: '101425,108428' }, { restore_all: true }] },
)

const RestoredView = Type.Object(
  { status_code: Type.Integer(), message: Type.String(), instance_ids: Type.Optional(DoneIds) },
  { examples: [{ status_code: 200, message: '2 records were restored', instance_ids: [101425, 108428] }] },
)

export const restoreRoutes: Room = async (app, deps) => {
  const { db } = deps
  app.post(
    '/data/:pk/restore',
    {
      config: { operation: 'data.restore.many', access: 'user', queryFillsBody: true },
      schema: {
        summary: 'Bring many deleted records back',
        description:
          'Takes back `DELETE /data/{pk}` of the same ids, within 30 days, for whoever may delete them. Counts those that really came back: ids of other forms and of records that are not deleted do not count; `instance_ids` says which of the named ones they are.',
        tags: ['data'],
        params: PkParams,
        body: RestoreBody,
        response: { 200: RestoredView, ...errors(400, 401, 403, 404) },
      },
    },
    async ({ params, body, caller }) => {
      const { instance_ids: given, restore_all: isAll = false } = body ?? {}
      const { form } = await seenForm(db, caller, params.pk)
      const ids = manyOf(form, { given, isAll })
      const done = await bringBack(deps, { form, caller, ids })
      return { status_code: 200, message: `${done.count} records were restored`, ...namedIn(done) }
    },
  )

  app.post(
    '/data/:pk/:dataid/restore',
    {
      config: { operation: 'data.restore', access: 'user' },
      schema: {
        summary: 'Bring a deleted record back',
        description:
          'For whoever may delete it, within 30 days. `GET /data/{pk}?deleted=true` lists what can be brought back.',
        tags: ['data'],
        params: RecordParams,
        response: { 200: RecordView, ...errors(400, 401, 403, 404) },
      },
    },
    async ({ params, caller }, reply) => {
      const seen = await seenForm(db, caller, params.pk)
      const record = await findDeletedRecord(db, seen, params.dataid)
      if (record === undefined) throw notFound()
      const owner = ownOnly(seen.form, caller)
      const isTheirs = owner === null || owner === record.submittedBy
      if (!seen.form.access.may('delete_submission') || !isTheirs) throw forbidden()
      const { count } = await bringBack(deps, { form: seen.form, caller, ids: [record.id] })
      if (count === 0) throw notFound()
      const text = await getRecordText(db, seen.form, record.id)
      return sendText(reply, jsonType, text) as never
    },
  )
}
