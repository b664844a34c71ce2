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
  {
    description: 'A file made of a form’s data.',
    examples: [
      {
        id: 7,
        job_status: 'SUCCESS',
        type: 'csv',
        task_id: '0c3e6c1a-5d0b-4c8e-9f55-9d2b0d6f7a11',
        xform: 12,
        date_created: '2026-01-10T14:22:20.394Z',
        filename: 'visit.csv',
        options: {},
        export_url: 'http://127.0.0.1:8080/api/v1/export/7',
        error_message: '',
        progress: 1200,
        row_count: 1200,
        bytes: 48211,
        sha256: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
      },
    ],
  },
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
