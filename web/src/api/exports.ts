// Files made of a form's data: asked for, on their way, and those that are kept.
import { api, careful, got, type Schemas } from './client'
import { errorOf } from './errors'

export type Export = Schemas['Export']

export const exportsKey = (formId: number) => ['form', formId, 'exports'] as const

/** The newest first. */
export const listExports = async (formId: number): Promise<Export[]> =>
  (await got(api.GET('/api/v1/export', { params: { query: { xform: formId } } }))).toSorted((a, b) => b.id - a.id)

export const isUnderWay = ({ job_status: status }: Export): boolean => status === 'PENDING' || status === 'STARTED'

/** An equal one that is still true is used again; so the answer may be a file that is there already. */
export const startExport = async (formId: number, options: Readonly<Record<string, string>>): Promise<void> => {
  const answer = await careful(`/api/v1/forms/${formId}/export_async?${new URLSearchParams(options)}`)
  const body: unknown = await answer.json().catch(() => undefined)
  if (!answer.ok) throw errorOf(answer.status, body, answer.headers)
}

export const deleteExport = (id: number) =>
  got(api.DELETE('/api/v1/export/{pk}', { params: { path: { pk: String(id) } } }))

/** The token that programs sign in with, for the password once more. */
export const tokenFor = async (password: string): Promise<string> =>
  (await got(api.POST('/api/v1/user/tokens', { body: { password } }))).api_token
