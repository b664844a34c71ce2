// A server with forms of 1,000, 10,000, 100,000 and 1,000,000 records (fewer in a quick run), which the workloads that read data share. A form is filled
// when the first of them asks for it.
import { prepareForm } from './account.js'
import { databaseOf } from './database.js'
import { fill, fillWide } from './dataset.js'
import { type BenchForm, type RawData, rawData } from './raw-data.js'
import { type BenchServer, newDataDir, removeDataDir, startServer } from './server.js'
import { drained } from './timing.js'
import { formText, wideFormText } from './visit-form.js'

export const pageSize = 250
export const connections = 8

/** `wide` has 50 questions, the others 20. */
export type FormSize = 'tiny' | 'short' | 'medium' | 'long' | 'wide'

/** From the smallest to the largest, to see how a cost grows. */
export const growing: readonly FormSize[] = ['tiny', 'short', 'medium', 'long']

export class DataPlace {
  readonly server: BenchServer
  readonly raw: RawData
  readonly counts: Readonly<Record<FormSize, number>>
  readonly headers: Readonly<Record<string, string>>
  readonly #filled = new Map<FormSize, Promise<BenchForm>>()

  static async open(isQuick: boolean): Promise<DataPlace> {
    const server = await startServer(newDataDir())
    const { token } = await prepareForm(server.address)
    return new DataPlace(server, await rawData(databaseOf(server.dataDir), connections), token, isQuick)
  }

  private constructor(server: BenchServer, raw: RawData, token: string, isQuick: boolean) {
    this.server = server
    this.raw = raw
    this.counts = isQuick
      ? { tiny: 1_000, short: 10_000, medium: 25_000, long: 50_000, wide: 25_000 }
      : { tiny: 1_000, short: 10_000, medium: 100_000, long: 1_000_000, wide: 100_000 }
    // Packing is asked for by default, and is more work than all the rest; the raw limit does not do it either.
    this.headers = { authorization: `Token ${token}`, 'accept-encoding': 'identity' }
  }

  /** For people. */
  countIn(size: FormSize): string {
    return this.counts[size].toLocaleString('en')
  }

  form(size: FormSize): Promise<BenchForm> {
    const filled = this.#filled.get(size) ?? this.#fill(size)
    this.#filled.set(size, filled)
    return filled
  }

  async #fill(size: FormSize): Promise<BenchForm> {
    const response = await fetch(`${this.server.address}/api/v1/forms`, {
      method: 'POST',
      headers: { ...this.headers, 'content-type': 'application/json' },
      body: JSON.stringify({
        text_xls_form: (size === 'wide' ? wideFormText : formText).replace(',visit,', `,${size},`),
      }),
    })
    if (!response.ok) throw new Error(await response.text())
    const { formid: id, uuid } = (await response.json()) as { formid: number; uuid: string }
    await (size === 'wide' ? fillWide : fill)(databaseOf(this.server.dataDir), id, this.counts[size])
    return { id, uuid, idString: size }
  }

  /** `path` is below /api/v1. */
  async get(path: string): Promise<{ bytes: number; firstMs: number }> {
    const begun = performance.now()
    const response = await fetch(`${this.server.address}/api/v1${path}`, { headers: this.headers })
    if (!response.ok || response.body === null) throw new Error(`${path} answered ${response.status}`)
    const untilHead = performance.now() - begun
    const { bytes, firstMs } = await drained(response.body)
    return { bytes, firstMs: untilHead + firstMs }
  }

  /** As many more records, copies of others: what arrives while somebody looks. */
  async arrive({ id }: BenchForm, count: number): Promise<void> {
    const { sql } = this.raw
    await this.raw.rows(sql`
      insert into submissions (form_id, id, uuid, xml, answers, version, model_number, root_name, status, submitted_at,
        submitted_by, modified_at, change_no, media_total, media_count, attachments)
      select form_id, nextval('submission_ids'), gen_random_uuid()::text, xml, answers, version, model_number, root_name, status,
        now(), submitted_by, now(), nextval('change_numbers'), 0, 0, '[]'
      from submissions where form_id = ${id} limit ${count}`)
  }

  async post(path: string, body: object): Promise<void> {
    const headers = { ...this.headers, 'content-type': 'application/json' }
    const answer = await fetch(this.server.address + path, { method: 'POST', headers, body: JSON.stringify(body) })
    if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`)
  }

  async close(): Promise<void> {
    await this.raw.close()
    await this.server.stop()
    removeDataDir(this.server.dataDir)
  }
}
