// What those who edit or manage a form change: its words, who sees it, its files, its place.
import { api, asParts, careful, got, type Schemas } from './client'
import { errorOf } from './errors'
import { type Form, formKey } from './forms'

export type FormChanges = Partial<
  Pick<Form, 'title' | 'description' | 'state' | 'closes_at' | 'public' | 'public_data' | 'require_auth'>
> & { readonly project?: string }

export type Entry = Schemas['Metadata']

const of = (formId: number) => ({ params: { path: { pk: formId } } })

export const changeForm = (formId: number, changes: FormChanges): Promise<Form> =>
  got(api.PATCH('/api/v1/forms/{pk}', { ...of(formId), body: changes }))

export const deleteForm = (formId: number): Promise<unknown> => got(api.DELETE('/api/v1/forms/{pk}', of(formId)))

export const cloneForm = (formId: number, username: string, projectId?: number): Promise<Form> =>
  got(
    api.POST('/api/v1/forms/{pk}/clone', {
      ...of(formId),
      body: { username, ...(projectId !== undefined && { project_id: projectId }) },
    }),
  )

export const giveRole = (formId: number, username: string, role: string): Promise<unknown> =>
  got(api.POST('/api/v1/forms/{pk}/share', { ...of(formId), body: { username, role } }))

export const takeRole = (formId: number, username: string): Promise<unknown> =>
  got(api.POST('/api/v1/forms/{pk}/share', { ...of(formId), body: { username, remove: true } }))

/** As many as anybody chooses from. */
const mostPeople = 20

export const findPeople = (search: string): Promise<Schemas['User'][]> =>
  got(api.GET('/api/v1/users', { params: { query: { search, orgs: false, page_size: mostPeople } } }))

export const addFile = (formId: number, file: File): Promise<Entry> =>
  got(
    api.POST('/api/v1/metadata', {
      body: { xform: formId, data_type: 'media', data_file: file } as never,
      bodySerializer: asParts,
    }),
  )

/** A link to the records of another form or view, or an address. */
export const addLink = (formId: number, value: string): Promise<Entry> =>
  got(api.POST('/api/v1/metadata', { body: { xform: formId, data_type: 'media', data_value: value } }))

export const removeEntry = (id: number): Promise<unknown> =>
  got(api.DELETE('/api/v1/metadata/{pk}', { params: { path: { pk: String(id) } } }))

/** Its bytes, so that it can be put back. */
export const fileOf = async (entry: Entry): Promise<File | undefined> => {
  if (entry.data_file === null || entry.media_url === null) return undefined
  const answer = await careful(new URL(entry.media_url).pathname)
  if (!answer.ok) return undefined
  return new File([await answer.blob()], entry.data_value, { type: entry.data_file_type ?? '' })
}

export type Rebuilt = Schemas['FormRebuildAnswer']

export const rebuild = (formId: number, repair: boolean): Promise<Rebuilt> =>
  got(api.POST('/api/v1/forms/{pk}/rebuild', { ...of(formId), body: { repair } }))

export type AnswerIndex = Schemas['Index']

export const indexesKey = (formId: number) => [...formKey(formId), 'indexes']

export const listIndexes = (formId: number): Promise<AnswerIndex[]> =>
  got(api.GET('/api/v1/forms/{pk}/indexes', of(formId)))

export const askForIndex = (formId: number, question: string, kind?: AnswerIndex['kind']): Promise<AnswerIndex> =>
  got(api.POST('/api/v1/forms/{pk}/indexes', { ...of(formId), body: { question, ...(kind && { kind }) } }))

export const giveUpIndex = (formId: number, id: number): Promise<unknown> =>
  got(api.DELETE('/api/v1/forms/{pk}/indexes/{id}', { params: { path: { pk: formId, id } } }))

export type Imported = Schemas['ImportAnswer']

export interface ImportOptions {
  readonly overwrite: boolean
  readonly strict: boolean
  readonly na: string
}

export const startImport = async (formId: number, file: File, options: ImportOptions): Promise<Imported> => {
  const field = /\.xlsx?$/i.test(file.name) ? 'xls_file' : 'csv_file'
  const parts = asParts({ ...options, na: options.na.trim() || undefined, [field]: file })
  return answered(await careful(`/api/v1/forms/${formId}/import`, { method: 'POST', body: parts }))
}

export const importProgress = async (formId: number, task: string): Promise<Imported> =>
  answered(await careful(`/api/v1/forms/${formId}/import?job_uuid=${encodeURIComponent(task)}`))

const answered = async (answer: Response): Promise<Imported> => {
  const body: unknown = await answer.json().catch(() => undefined)
  if (!answer.ok) throw errorOf(answer.status, body, answer.headers)
  return body as Imported
}
