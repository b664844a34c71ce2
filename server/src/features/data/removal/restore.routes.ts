// Bringing a deleted record back: POST /data/{pk}/{dataid}/restore.
import type { Room } from '../../../platform/deps.js'
import { errors, forbidden, notFound } from '../../../platform/http/index.js'
import { RecordView } from '../lists/index.js'
import { jsonType, sendText } from '../reading/index.js'
import { findDeletedRecord, getRecordText } from '../record/index.js'
import { ownOnly, RecordParams, seenForm } from '../selection/index.js'
import { bringBack } from './deletion.js'

export const restoreRoutes: Room = async (app, deps) => {
  const { db } = deps
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
      if (!(await bringBack(deps, seen.form.id, record.id))) throw notFound()
      const text = await getRecordText(db, seen.form, record.id)
      return sendText(reply, jsonType, text) as never
    },
  )
}
