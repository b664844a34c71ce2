// What the form editor asks of the server: the workbook of a form, saving it as a draft, publishing it. Whoever saves second is told.
import { api, careful, got } from './client'
import type { Draft } from './drafts'
import { ApiError, errorOf } from './errors'
import type { Form } from './forms'
import { listVersions } from './versions'

/** What is on the server, as it was when it was read: a save in its place names it. */
export interface SavedAs {
  /** Of the draft; null where there is none. */
  readonly revision: number | null
  /** The version of the form; null where it was never published. */
  readonly version: string | null
}

export interface StoredWorkbook {
  /** Null where the form came as an XForm. */
  readonly file: File | null
  readonly savedAs: SavedAs
  readonly savedBy: string | null
  readonly savedAt: string | null
}

const refused = async (answer: Response): Promise<ApiError> =>
  errorOf(answer.status, await answer.json().catch(() => undefined), answer.headers)

/** By the name that the server gives it. */
const fileIn = async (answer: Response, name: string): Promise<File> => {
  const ending =
    /filename="?[^";]*\.([a-z]{3,4})"?/i.exec(answer.headers.get('content-disposition') ?? '')?.[1] ?? 'xlsx'
  return new File([await answer.blob()], `${name}.${ending}`)
}

const draftOf = async (form: Form): Promise<StoredWorkbook> => {
  const draft = (await got(api.GET('/api/v1/forms/{pk}/draft', { params: { path: { pk: form.formid } } }))) as Draft
  const answer = await careful(`/api/v1/forms/${form.formid}/draft/spreadsheet`)
  if (!answer.ok && answer.status !== 404) throw await refused(answer)
  const told = Number(answer.headers.get('x-draft-revision') ?? draft.revision)
  return {
    file: answer.ok ? await fileIn(answer, form.id_string) : null,
    savedAs: { revision: told, version: draft.based_on },
    savedBy: draft.saved_by,
    savedAt: draft.saved_at,
  }
}

const versionOf = async (form: Form): Promise<StoredWorkbook> => {
  const newest = (await listVersions(form.formid)).at(-1)
  const common = { savedAs: { revision: null, version: newest?.version ?? null }, savedBy: null, savedAt: null }
  if (newest === undefined || newest.spreadsheet === null) return { ...common, file: null }
  const answer = await careful(new URL(newest.spreadsheet).pathname)
  if (!answer.ok) throw await refused(answer)
  return { ...common, file: await fileIn(answer, form.id_string), savedAt: newest.date_created }
}

/** The draft, or else the newest version. */
export const getStored = (form: Form): Promise<StoredWorkbook> => (form.has_draft ? draftOf(form) : versionOf(form))

/** Somebody else was faster. */
export interface Overtaken {
  readonly by: string | null
  readonly at: string | null
}

export const overtakenBy = (error: unknown): Overtaken | undefined => {
  if (!(error instanceof ApiError) || error.status !== 409) return undefined
  const body = (typeof error.body === 'object' && error.body !== null ? error.body : {}) as Record<string, unknown>
  const text = (value: unknown) => (typeof value === 'string' ? value : null)
  return { by: text(body.saved_by), at: text(body.saved_at) }
}

const sent = async (path: string, method: string, file: File): Promise<{ draft: Draft; status: number }> => {
  const body = new FormData()
  body.append('xls_file', file)
  const answer = await careful(path, { method, body, headers: { accept: 'application/json' } })
  if (!answer.ok) throw await refused(answer)
  return { draft: (await answer.json()) as Draft, status: answer.status }
}

/** In place of what it was made of. */
export const saveDraft = async (formId: number, file: File, { revision, version }: SavedAs): Promise<Draft> => {
  const path = `/api/v1/forms/${formId}/draft`
  const query = version === null ? '' : `?based_on=${encodeURIComponent(version)}`
  const { draft } = await (revision === null
    ? sent(`${path}${query}`, 'POST', file)
    : sent(`${path}?revision=${revision}`, 'PUT', file))
  return draft
}

/** A form that is not published yet. `isThere`: it was made by this uuid before, and this file is not in it. */
export const makeForm = async (
  projectId: number,
  uuid: string,
  file: File,
): Promise<{ made: Draft; isThere: boolean }> => {
  const { draft, status } = await sent(`/api/v1/projects/${projectId}/drafts?uuid=${uuid}`, 'POST', file)
  return { made: draft, isThere: status === 200 }
}

/** Only what the person has seen. */
export const publishSeen = (formId: number, revision: number): Promise<Form> =>
  got(api.POST('/api/v1/forms/{pk}/draft/publish', { params: { path: { pk: formId } }, body: { revision } as never }))
