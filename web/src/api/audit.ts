// The audit log of a record: how long which question was open, by the clock of the phone.
import { api, got, type Schemas } from './client'

export type Audit = Schemas['Audit']

export const getAudit = (formId: number, recordId: number): Promise<Audit> =>
  got(api.GET('/api/v1/data/{pk}/{dataid}/audit', { params: { path: { pk: formId, dataid: String(recordId) } } }))
