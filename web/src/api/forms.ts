// Forms: what their pages ask, and the model that their questions are read from.
import { api, careful, got, type Schemas } from './client'
import { errorOf } from './errors'
import { type FormModel, readForm, type TreeNode } from './form-model'

export type Form = Schemas['Form']

/** What somebody may do with a form, as the server says it in `allowed`. */
export type FormAction =
  | 'view'
  | 'view_all'
  | 'view_data'
  | 'export'
  | 'submit'
  | 'change'
  | 'delete_submission'
  | 'manage'
  | 'delete'
  | 'move'
  | 'transfer'

/** Everything that is known of one form begins with this key. */
export const formKey = (formId: number) => ['form', formId] as const

export const getForm = (formId: number): Promise<Form> =>
  got(api.GET('/api/v1/forms/{pk}', { params: { path: { pk: formId } } }))

export const modelKey = (formId: number) => ['form', formId, 'model'] as const

/** Its questions, as the newest version has them. */
export const getModel = async (formId: number): Promise<FormModel> => {
  const answer = await careful(`/api/v1/forms/${formId}/form.json`)
  if (!answer.ok) throw errorOf(answer.status, await answer.json().catch(() => undefined), answer.headers)
  return readForm((await answer.json()) as TreeNode)
}

export const may = (form: Pick<Form, 'allowed'> | undefined, action: FormAction): boolean =>
  form?.allowed.includes(action) === true

/** Whether there is any record that the person may see: all of them, or those that they sent. */
export const seesData = (form: Form | undefined): boolean =>
  form !== undefined && (may(form, 'view_data') || form.public_data)

/** Whether the person may see every record, not their own alone. */
export const seesAllData = (form: Pick<Form, 'allowed' | 'public_data'> | undefined): boolean =>
  form !== undefined && (may(form, 'view_all') || form.public_data)

/** The number at the end of an address: `…/projects/12`. */
export const idIn = (address: string): number => Number(address.split('/').at(-1))
