import { Type } from '../../platform/schema/index.js'
import type { ExportRow } from './exports.queries.js'

export const ExportView = Type.Object(
  {
    id: Type.Integer(),
    job_status: Type.String(),
    type: Type.String(),
    task_id: Type.String(),
    xform: Type.Integer(),
    date_created: Type.String(),
    filename: Type.String(),
    options: Type.Record(Type.String(), Type.String()),
    export_url: Type.Union([Type.String(), Type.Null()]),
    error_message: Type.String(),
    progress: Type.Integer(),
    row_count: Type.Union([Type.Integer(), Type.Null()]),
    bytes: Type.Union([Type.Integer(), Type.Null()]),
    sha256: Type.Union([Type.String(), Type.Null()]),
  },
  { description: 'A file made of a form’s data.' },
)

const urlOf = (origin: string, { id }: ExportRow): string => `${origin}/api/v1/export/${id}`

export const exportView = (origin: string) => (row: ExportRow) => ({
  id: row.id,
  job_status: row.status,
  type: row.kind,
  task_id: row.jobUuid,
  xform: row.formId,
  date_created: row.createdAt.toISOString(),
  filename: row.filename,
  options: row.options,
  export_url: row.status === 'SUCCESS' ? urlOf(origin, row) : null,
  error_message: row.errorMessage,
  progress: row.progress,
  row_count: row.rowCount,
  bytes: row.bytes,
  sha256: row.sha256,
})

export const JobView = Type.Object(
  {
    job_uuid: Type.Optional(Type.String()),
    job_status: Type.Optional(Type.String()),
    export_url: Type.Optional(Type.String()),
    error_message: Type.Optional(Type.String()),
    progress: Type.Optional(Type.Integer()),
  },
  {
    description: 'What to ask again with, and how far it is.',
    examples: [{ job_uuid: '0c3e…' }, { job_status: 'SUCCESS', export_url: 'https://example.org/api/v1/export/7' }],
  },
)

export const jobView = (origin: string, row: ExportRow) => {
  if (row.status === 'SUCCESS') return { job_status: row.status, export_url: urlOf(origin, row) }
  if (row.status === 'FAILURE') return { job_status: row.status, error_message: row.errorMessage }
  return { job_status: row.status, job_uuid: row.jobUuid, progress: row.progress }
}
