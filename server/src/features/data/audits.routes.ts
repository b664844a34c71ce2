// Audit logs: /data/{pk}/audits.csv, and those of one record, /data/{pk}/{dataid}/audit.
import type { Room } from '../../platform/deps.js'
import { errors, readerOf } from '../../platform/http/index.js'
import { AuditsParams, AuditsTable, AuditView, auditOfRecord } from './audits/index.js'
import { auditFileOf, auditNameOf } from './files/index.js'
import { sendFile } from './reading/index.js'
import { seenRecord } from './record/index.js'
import { PkParams, RecordParams, requireExport, seenForm } from './selection/index.js'

export const auditRoutes: Room = async (app, deps) => {
  app.get(
    '/data/:pk/audits',
    {
      config: { operation: 'data.audits', access: 'anyone', formats: ['csv'] },
      schema: {
        summary: 'Audit logs of records as one table',
        description:
          'What phones wrote down while forms were filled in, for forms with a question `audit`: the instance id of the record, the columns of the log, then those that newer phones add. Filters are those of `/data/{pk}`. Encrypted records have no log here.',
        tags: ['data'],
        params: PkParams,
        querystring: AuditsParams,
        response: { 200: AuditsTable, ...errors(400, 401, 403, 404, 406) },
      },
    },
    async (request, reply) => {
      const seen = await seenForm(deps.db, request.caller, request.params.pk)
      requireExport(seen)
      const reading = { ...deps, db: deps.db.reading(readerOf(request), seen.form.asOf) }
      const table = await auditFileOf(reading, { seen, query: request.query })
      const names = { type: 'text/csv; charset=utf-8', filename: auditNameOf(seen.form.idString) }
      return sendFile(reply, names, table) as never
    },
  )

  app.get(
    '/data/:pk/:dataid/audit',
    {
      config: { operation: 'data.audit', access: 'anyone' },
      schema: {
        summary: 'What the audit log of a record says',
        description: 'Times are by the clock of the phone. Without a log the figures are null.',
        tags: ['data'],
        params: RecordParams,
        response: { 200: AuditView, ...errors(400, 401, 404) },
      },
    },
    async ({ params, caller }) => {
      const { seen, record } = await seenRecord(deps.db, caller, params)
      return auditOfRecord(deps, seen.form.id, record.id)
    },
  )
}
