// An account and a form on a server that was just started.
import { formText } from './visit-form.js'

export interface BenchForm {
  readonly token: string
  readonly formId: number
  readonly uuid: string
}

const password = 'correct horse'
/** Who owns every form. */
export const accountOf = { username: 'ana', password }

const json = async <T>(response: Response): Promise<T> => {
  if (!response.ok) throw new Error(`${response.url} answered ${response.status}: ${await response.text()}`)
  return (await response.json()) as T
}

export const prepareForm = async (address: string): Promise<BenchForm> => {
  const body = new URLSearchParams({ username: 'ana', email: 'ana@example.org', first_name: 'Ana', password })
  await json(await fetch(`${address}/api/v1/profiles`, { method: 'POST', body }))
  const authorization = `Basic ${Buffer.from(`ana:${password}`).toString('base64')}`
  const user = await json<{ api_token: string }>(await fetch(`${address}/api/v1/user`, { headers: { authorization } }))
  const form = await json<{ formid: number; uuid: string }>(
    await fetch(`${address}/api/v1/forms`, {
      method: 'POST',
      headers: { authorization: `Token ${user.api_token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ text_xls_form: formText }),
    }),
  )
  return { token: user.api_token, formId: form.formid, uuid: form.uuid }
}
