// Submissions as devices send them.
import { randomUUID } from 'node:crypto'
import type { Account, TestApp } from './app.js'
import { multipart, type Part } from './multipart.js'

export interface SentFile {
  name: string
  content: string | Buffer
  type?: string
}

export interface SendOptions {
  files?: readonly SentFile[]
  /** Path before /submission; the account of the form by default. */
  at?: string
  /** null: without credentials. */
  as?: Account | null
}

export const newId = (): string => randomUUID()

/** XML as a device writes it. `answers` is the markup of the questions. */
export const instance = (
  form: { id_string: string; version?: string; uuid?: string },
  answers: string,
  { id = newId(), deprecated, root = 'data' }: { id?: string; deprecated?: string; root?: string } = {},
): string =>
  `<?xml version='1.0' ?><${root} xmlns:orx="http://openrosa.org/xforms" id="${form.id_string}"${form.version === undefined ? '' : ` version="${form.version}"`}>${form.uuid === undefined ? '' : `<form><uuid>${form.uuid}</uuid></form>`}${answers}<orx:meta><orx:instanceID>uuid:${id}</orx:instanceID>${deprecated === undefined ? '' : `<orx:deprecatedID>uuid:${deprecated}</orx:deprecatedID>`}</orx:meta></${root}>`

export const submissionBody = (xml: string | Buffer, files: readonly SentFile[] = []) => {
  const parts: Part[] = [
    { name: 'xml_submission_file', filename: 'submission.xml', type: 'text/xml; charset=utf-8', content: xml },
    ...files.map(({ name, content, type }) => ({
      name,
      filename: name,
      type: type ?? 'application/octet-stream',
      content,
    })),
  ]
  return multipart(parts)
}

/** POST …/submission as this account. */
export const send = (
  app: TestApp,
  account: Account | null,
  at: string,
  xml: string | Buffer,
  files: readonly SentFile[] = [],
) => {
  const { body, headers } = submissionBody(xml, files)
  const authorization = account === null ? {} : { authorization: `Token ${account.apiToken}` }
  return app.page('POST', `${at}/submission`, { body, headers: { ...headers, ...authorization } })
}
