// Publishing a form from a file, and what the server says of one that it refuses.
import { careful } from './client'
import { ApiError, errorOf } from './errors'
import type { Form } from './forms'

export const formFileTypes = '.xlsx,.xls,.csv,.xml'

/** Into a project, or into the person's first, which is made where there is none. */
export const publishForm = async (file: File, projectId?: number): Promise<Form> => {
  const parts = new FormData()
  parts.append(file.name.toLowerCase().endsWith('.xml') ? 'xml_file' : 'xls_file', file)
  const path = projectId === undefined ? '/api/v1/forms' : `/api/v1/projects/${projectId}/forms`
  const answer = await careful(path, { method: 'POST', body: parts, headers: { accept: 'application/json' } })
  const body: unknown = await answer.json().catch(() => undefined)
  if (!answer.ok) throw errorOf(answer.status, body, answer.headers)
  return body as Form
}

export interface FormProblem {
  readonly code: string
  readonly message: string
  readonly sheet: string | null
  readonly row: number | null
  readonly column: string | null
  readonly value: string | null
}

/** What the author has to mend, place by place; nothing where the refusal has other reasons. */
export const problemsIn = (error: unknown): readonly FormProblem[] => {
  const body = error instanceof ApiError ? error.body : undefined
  if (typeof body !== 'object' || body === null || !('problems' in body)) return []
  return Array.isArray(body.problems) ? (body.problems as FormProblem[]) : []
}
