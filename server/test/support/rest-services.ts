// Forms, services and submissions as the tests of forwarding need them, made over HTTP.

import { afterEach, beforeAll, beforeEach } from 'vitest'
import { sql } from '../../src/platform/db/index.js'
import type { Account, TestApp } from './app.js'
import { type PublishedForm, publish } from './forms.js'
import { type Receiver, startReceiver } from './receivers.js'
import { instance, newId, send } from './submissions.js'

export interface DeliveryBody {
  id: number
  submission: number
  message_id: string
  state: string
  tries: number
  last_status: number | null
  last_error: string | null
  next_try: string | null
  lag: number
  [key: string]: unknown
}

/** What one account does with one form. */
export class Forwarding {
  readonly #app: TestApp
  readonly #owner: Account
  readonly form: PublishedForm
  /** 0 when none was named. */
  readonly project: number

  private constructor(app: TestApp, owner: Account, form: PublishedForm, project: number) {
    this.#app = app
    this.#owner = owner
    this.form = form
    this.project = project
  }

  static async open(app: TestApp, owner: Account, project?: number): Promise<Forwarding> {
    const form = await publish(app, owner, undefined, project === undefined ? {} : { project })
    return new Forwarding(app, owner, form, project ?? 0)
  }

  call(method: 'GET' | 'POST' | 'PATCH' | 'DELETE', path: string, body?: object) {
    return this.#app.as(this.#owner)(method, path, body === undefined ? {} : { body })
  }

  async addService(fields: { service_url: string; [key: string]: unknown }) {
    const body = { xform: this.form.formid, name: 'generic_json', ...fields }
    const response = await this.call('POST', '/restservices', body)
    if (response.statusCode !== 201) throw new Error(`The service was not made: ${response.body}`)
    return response.json() as { id: number; secret: string; [key: string]: unknown }
  }

  async service(id: number) {
    return (await this.call('GET', `/restservices/${id}`)).json()
  }

  /** Answers the submission's id. */
  async submit(name: string, ids: { id?: string; deprecated?: string } = {}): Promise<number> {
    const { id = newId() } = ids
    const response = await send(this.#app, this.#owner, '', instance(this.form, `<name>${name}</name>`, { ...ids, id }))
    if (response.statusCode !== 201) throw new Error(`The submission was not taken: ${response.body}`)
    const { submission } = await this.#app.deps.db.one<{ submission: number }>(sql`
      select submission_id as submission from instance_ids where form_id = ${this.form.formid} and uuid = ${id}`)
    return submission
  }

  async deliveries(serviceId: number, query = ''): Promise<DeliveryBody[]> {
    return (await this.call('GET', `/restservices/${serviceId}/deliveries${query}`)).json()
  }

  async deleteSubmission(id: number): Promise<void> {
    const response = await this.call('DELETE', `/data/${this.form.formid}/${id}`)
    if (response.statusCode !== 204) throw new Error(`The submission was not deleted: ${response.body}`)
  }
}

interface Place {
  readonly ana: Account
  readonly receiver: Receiver
  readonly forwarding: Forwarding
}

/** For all tests of a file one account, and for each a receiver and a form of its own. */
export const useForwarding = (app: TestApp): Place => {
  const place = {} as { -readonly [Key in keyof Place]: Place[Key] }
  beforeAll(async () => {
    place.ana = await app.account({ username: 'ana' })
  })
  beforeEach(async () => {
    place.receiver = await startReceiver()
    place.forwarding = await Forwarding.open(app, place.ana)
  })
  afterEach(() => place.receiver.close())
  return place
}
