// Drafts of forms, made over HTTP.
import type { Account, TestApp } from './app.js'
import { formFile } from './forms.js'
import { multipart } from './multipart.js'

export interface DraftBody {
  form: number
  published: boolean
  title: string
  version: string
  hash: string
  revision: number
  based_on: string | null
  saved_by: string | null
  records: number
  spreadsheet: string | null
  media: { id: number; name: string; change: string; bytes: number | null }[]
  missing_files: string[]
  key: number
  token: string
  address: string
}

let made = 0

/** A form as a file to `path`. */
export const sendForm = (app: TestApp, by: Account, method: 'POST' | 'PUT', path: string, text: string) => {
  const { body, headers } = multipart([formFile(text, `draft${++made}.csv`)])
  return app.as(by)(method, path, { body, headers })
}

export const newDraft = async (app: TestApp, by: Account, formId: number, text: string): Promise<DraftBody> => {
  const response = await sendForm(app, by, 'POST', `/forms/${formId}/draft`, text)
  if (response.statusCode !== 201) throw new Error(`The draft was not made: ${response.body}`)
  return response.json()
}

export const addToDraft = (app: TestApp, by: Account, formId: number, name: string, content: string) => {
  const { body, headers } = multipart([{ name: 'data_file', filename: name, type: 'text/csv', content }])
  return app.as(by)('POST', `/forms/${formId}/draft/media`, { body, headers })
}

export const draftDeadText = 'This test form has been replaced or published. Scan the new code.'
