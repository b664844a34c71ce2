// The draft of a form: a version that is tried out on phones before it is published.
import { api, careful, got, type Schemas } from './client'
import { ApiError, errorOf } from './errors'
import type { Form } from './forms'
import type { Plan } from './versions'

export type Draft = Schemas['Draft']
export type TriedRecord = Readonly<Record<string, unknown>>

const of = (formId: number) => ({ params: { path: { pk: formId } } })

export const draftKey = (formId: number) => ['form', formId, 'draft'] as const

/** Null: the form has none. */
export const getDraft = async (formId: number): Promise<Draft | null> => {
  try {
    return await got(api.GET('/api/v1/forms/{pk}/draft', of(formId)))
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return null
    throw error
  }
}

export const getDraftPlan = (formId: number): Promise<Plan> => got(api.GET('/api/v1/forms/{pk}/draft/plan', of(formId)))

export const listTried = (formId: number): Promise<TriedRecord[]> =>
  got(api.GET('/api/v1/forms/{pk}/draft/data', of(formId))) as Promise<TriedRecord[]>

/** Beside what is published; in place of the draft that there is. */
export const keepDraft = async (formId: number, file: File, isNew: boolean): Promise<Draft> => {
  const body = new FormData()
  body.append(file.name.toLowerCase().endsWith('.xml') ? 'xml_file' : 'xls_file', file)
  const answer = await careful(`/api/v1/forms/${formId}/draft`, { method: isNew ? 'POST' : 'PUT', body })
  const told: unknown = await answer.json().catch(() => undefined)
  if (!answer.ok) throw errorOf(answer.status, told, answer.headers)
  return told as Draft
}

/** The one that was looked at: where somebody has saved it meanwhile, 409 says so. */
export const publishDraft = (formId: number, revision: number): Promise<Form> =>
  got(api.POST('/api/v1/forms/{pk}/draft/publish', { ...of(formId), body: { revision } }))

export const throwDraftAway = (formId: number): Promise<unknown> =>
  got(api.DELETE('/api/v1/forms/{pk}/draft', of(formId)))
