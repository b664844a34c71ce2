// Forms as tests need them, published over HTTP like everything else.
import type { Account, TestApp } from './app.js'
import { multipart, type Part } from './multipart.js'

let made = 0

/** Sheets as CSV text: rows of the survey, then of the choices, then a row of settings by name. */
export const sheet = (
  survey: string,
  { choices = '', settings = {} }: { choices?: string; settings?: Record<string, string> } = {},
): string => {
  const names = Object.keys(settings)
  const indent = (rows: string) =>
    rows
      .trim()
      .split('\n')
      .map((row) => `,${row.trim()}`)
      .join('\n')
  return [
    `survey\n${indent(survey)}`,
    ...(choices === '' ? [] : [`choices\n${indent(choices)}`]),
    ...(names.length === 0 ? [] : [`settings\n,${names.join(',')}\n,${names.map((name) => settings[name]).join(',')}`]),
  ].join('\n')
}

export const visitSheet = (settings: Record<string, string> = {}): string =>
  sheet(
    `type,name,label
     text,name,Name
     integer,age,Age
     select_one sex,sex,Sex`,
    { choices: 'list_name,name,label\nsex,f,Female\nsex,m,Male', settings },
  )

export interface PublishedForm {
  formid: number
  id_string: string
  uuid: string
  version: string
  [key: string]: unknown
}

export interface PublishOptions {
  project?: number
  fileName?: string
}

export const upload = (app: TestApp, account: Account, text: string, { project, fileName }: PublishOptions = {}) => {
  const filename = fileName ?? `form${++made}.csv`
  const { body, headers } = multipart([{ name: 'xls_file', filename, type: 'text/csv', content: text }])
  return app.as(account)('POST', project === undefined ? '/forms' : `/projects/${project}/forms`, { body, headers })
}

export const publish = async (
  app: TestApp,
  account: Account,
  text = visitSheet(),
  options: PublishOptions = {},
): Promise<PublishedForm> => {
  const response = await upload(app, account, text, options)
  if (response.statusCode !== 201) throw new Error(`The form was not published: ${response.body}`)
  return response.json()
}

/** A file of a form, as a part of a body. */
export const formFile = (content: string | Buffer, filename: string, name = 'xls_file'): Part => ({
  name,
  filename,
  type: 'application/octet-stream',
  content,
})

export const postParts = (app: TestApp, account: Account, parts: readonly Part[], path = '/forms') => {
  const { body, headers } = multipart(parts)
  return app.as(account)('POST', path, { body, headers })
}
