// One person and one form on several servers of one database: every call names the server that is asked.
import { expect } from 'vitest'
import { sheet } from './forms.js'
import { instance, newId, type SentFile, submissionBody } from './submissions.js'

/** A server, or what stands in front of several. */
export interface Asked {
  call(path: string, init?: RequestInit): Promise<Response>
}

export const askedAt = (address: string): Asked => ({ call: (path, init) => fetch(address + path, init) })

const form = { id_string: 'visit', version: '1' }
const text = sheet('type,name,label\ntext,name,Name\nfile,photo,Photo\nfile,sound,Sound', {
  settings: { form_id: form.id_string, version: form.version },
})

export interface Sent {
  readonly id: string
  readonly status: number
}

export class Ana {
  authorization = `Basic ${Buffer.from('ana:correct horse').toString('base64')}`
  formId = 0

  /** Registers and publishes. */
  static async at(server: Asked): Promise<Ana> {
    const ana = new Ana()
    const person = { username: 'ana', email: 'ana@example.org', first_name: 'Ana', password: 'correct horse' }
    const registered = await server.call('/api/v1/profiles', { method: 'POST', body: new URLSearchParams(person) })
    if (registered.status !== 201) throw new Error(`Registration answered ${registered.status}`)
    const { api_token: token } = await ana.read<{ api_token: string }>(server, '/api/v1/user')
    ana.authorization = `Token ${token}`
    ana.formId = (await ana.post<{ formid: number }>(server, '/api/v1/forms', { text_xls_form: text })).formid
    return ana
  }

  ask(server: Asked, path: string, init: RequestInit = {}): Promise<Response> {
    return server.call(path, { ...init, headers: { authorization: this.authorization, ...init.headers } })
  }

  /** What is answered with 2xx, read as JSON. */
  async read<T>(server: Asked, path: string, init: RequestInit = {}): Promise<T> {
    const answer = await this.ask(server, path, init)
    const body = await answer.text()
    expect([path, answer.status, body]).toEqual([path, expect.toSatisfy((status) => status < 300), body])
    return JSON.parse(body) as T
  }

  post<T>(server: Asked, path: string, body: object): Promise<T> {
    return this.read<T>(server, path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
  }

  /** As a device does; `replaces` makes it an edit. */
  async send(
    server: Asked,
    name: string,
    { id = newId(), replaces, files = [] }: { id?: string; replaces?: string; files?: readonly SentFile[] } = {},
  ): Promise<Sent> {
    const answers = `<name>${name}</name><photo>${files[0]?.name ?? ''}</photo>`
    const xml = instance(form, answers, { id, ...(replaces !== undefined && { deprecated: replaces }) })
    const { body, headers } = submissionBody(xml, files)
    const answer = await this.ask(server, '/ana/submission', { method: 'POST', headers, body: new Uint8Array(body) })
    await answer.arrayBuffer()
    return { id, status: answer.status }
  }

  /** Until somebody says yes, under the same id, as devices do. */
  async sendUntilTaken(
    server: Asked,
    name: string,
    options: { id: string; files?: readonly SentFile[] },
  ): Promise<number> {
    for (let tries = 1; ; tries++) {
      const { status } = await this.send(server, name, options).catch(() => ({ status: 0 }))
      if (status === 201 || status === 202) return tries
      expect([0, 502, 503]).toContain(status)
    }
  }

  async records(server: Asked): Promise<{ name: string; _uuid: string; _attachments: { download_url: string }[] }[]> {
    return this.read(server, `/api/v1/data/${this.formId}?page_size=10000`)
  }

  async names(server: Asked): Promise<string[]> {
    return (await this.records(server)).map(({ name }) => name).sort()
  }
}
