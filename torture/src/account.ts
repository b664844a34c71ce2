// An account, a form and its rest services, on a server that was just started.
import type { Target } from './client.js'
import type { Receiver } from './receiver.js'
import { formText } from './submissions.js'

const password = 'correct horse'

const json = async <T>(response: Response): Promise<T> => {
  if (!response.ok) throw new Error(`${response.url} answered ${response.status}: ${await response.text()}`)
  return (await response.json()) as T
}

export const prepareTarget = async (address: string): Promise<Target> => {
  const body = new URLSearchParams({ username: 'ana', email: 'ana@example.org', first_name: 'Ana', password })
  await json(await fetch(`${address}/api/v1/profiles`, { method: 'POST', body }))
  const authorization = `Basic ${Buffer.from(`ana:${password}`).toString('base64')}`
  const user = await json<{ api_token: string }>(await fetch(`${address}/api/v1/user`, { headers: { authorization } }))
  const target = { address, token: user.api_token, key: '', formId: 0 }
  const form = await post<{ formid: number; project: string }>(target, '/forms', { text_xls_form: formText })
  const project = form.project.split('/').at(-1)
  const { token: key } = await post<{ token: string }>(target, `/projects/${project}/keys`, { name: 'Phones' })
  return { ...target, key, formId: form.formid }
}

const post = async <T>({ address, token }: Target, path: string, body: object): Promise<T> =>
  json<T>(
    await fetch(`${address}/api/v1${path}`, {
      method: 'POST',
      headers: { authorization: `Token ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    }),
  )

/** Its id. */
export const addService = async (target: Target, receiver: Receiver): Promise<number> => {
  const body = { xform: target.formId, name: 'generic_json', service_url: receiver.url }
  return (await post<{ id: number }>(target, '/restservices', body)).id
}
