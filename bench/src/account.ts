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

export interface NumberedForm {
  readonly idString: string
  readonly uuid: string
}

/** More forms of the same questions in the project of the first. */
export const publishMore = async (
  address: string,
  { token, formId }: BenchForm,
  count: number,
  tell: (share: number) => void,
): Promise<NumberedForm[]> => {
  const headers = { authorization: `Token ${token}`, 'content-type': 'application/json' }
  const { project } = await json<{ project: string }>(await fetch(`${address}/api/v1/forms/${formId}`, { headers }))
  const made: NumberedForm[] = []
  for (let n = 1; n <= count; n++) {
    const text = formText.replace(',visit,Household visit', `,visit${n},Household visit ${n}`)
    const body = JSON.stringify({ text_xls_form: text })
    const { uuid } = await json<{ uuid: string }>(
      await fetch(`${address}/api/v1/projects/${project.split('/').at(-1)}/forms`, { method: 'POST', headers, body }),
    )
    made.push({ idString: `visit${n}`, uuid })
    tell(n / count)
  }
  return made
}
