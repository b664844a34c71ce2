// Filling in forms by what keeps them, without the form on the screen: what a page of a form calls, as scripts in a page.
import { createHash, randomUUID } from 'node:crypto'
import type { Page } from 'playwright-core'
import type { Account, TestApp } from './app.js'

export interface Sheet {
  readonly door: string
  readonly formId: number
  readonly idString: string
  readonly version: string
  readonly whose: string
}

export interface FilledForm {
  readonly name: string
  /** Names of pictures; each has bytes of its own. */
  readonly pictures: readonly string[]
}

export const newFilled = (pictures = 1): FilledForm => ({
  name: randomUUID(),
  pictures: Array.from({ length: pictures }, () => `${randomUUID()}.png`),
})

/** The content of a picture follows from its name. */
const bytesOf = (picture: string): Buffer => Buffer.from(`${picture} `.repeat(20))

const script = (sheet: Sheet, { name, pictures }: FilledForm, then: string): string => `(async () => {
  const keep = await import('/keep.js')
  const sheet = ${JSON.stringify(sheet)}
  const { form } = await keep.openForm({ door: sheet.door, formId: String(sheet.formId), whose: sheet.whose })
  const keeper = await keep.startDraft(form, { whose: sheet.whose, page: '/f' + sheet.door + '/' + sheet.formId })
  const pictures = ${JSON.stringify(pictures)}
  const photos = pictures.map((one) => '<photos><photo>' + one + '</photo></photos>').join('')
  const xml = '<data xmlns:orx="http://openrosa.org/xforms" id="' + sheet.idString + '" version="' + sheet.version + '"><name>${name}</name>'
    + photos + '<orx:meta><orx:instanceID>uuid:' + crypto.randomUUID() + '</orx:instanceID></orx:meta></data>'
  const files = pictures.map((one) => ({ name: one, blob: new Blob([(one + ' ').repeat(20)], { type: 'image/png' }) }))
  const answers = { xml, files }
  keeper.changed({ take: async () => answers, peek: () => ({ xml }), language: '' })
  await keeper.flush()
  ${then}
})()`

/** The draft's id, when it is kept. */
export const fillDraft = (page: Page, sheet: Sheet, filled: FilledForm): Promise<string> =>
  page.evaluate(script(sheet, filled, 'await keeper.release(); return keeper.id')) as Promise<string>

/** What became of it after it was kept and tried to be sent. */
export const fillAndSend = (page: Page, sheet: Sheet, filled: FilledForm): Promise<Kept | undefined> =>
  page.evaluate(script(sheet, filled, 'const { sent } = await keep.finish(keeper, answers); return sent')) as Promise<
    Kept | undefined
  >

/** Resolves when it is kept, whatever becomes of it. */
export const fillAndLeave = (page: Page, sheet: Sheet, filled: FilledForm): Promise<string> =>
  page.evaluate(
    script(sheet, filled, 'const { id } = await keep.finish(keeper, answers); return id'),
  ) as Promise<string>

export interface Kept {
  readonly id: string
  readonly state: string
  readonly name: string
  readonly instanceId: string
  readonly xml: string
  readonly reason?: { readonly status: number; readonly message: string }
  readonly isUncertain: boolean
}

export const listKept = (page: Page, username: string): Promise<Kept[]> =>
  page.evaluate(`import('/keep.js').then((keep) => keep.listFilled(${JSON.stringify(username)}))`) as Promise<Kept[]>

export const statesOf = async (page: Page, username: string): Promise<string[]> =>
  (await listKept(page, username)).map(({ state }) => state).sort()

export const sendAll = (page: Page, username: string): Promise<unknown> =>
  page.evaluate(
    `import('/keep.js').then(async (keep) => keep.sendNow((await keep.listFilled(${JSON.stringify(username)})).map(({ id }) => id)))`,
  )

interface Attachment {
  readonly name: string
  readonly download_url: string
}

export interface Arrived {
  readonly name: string
  readonly by: string | null
  /** Names of files, with the hash of each. */
  readonly files: readonly string[]
}

const hash = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex').slice(0, 12)

/** What should arrive of a filled form. */
export const expected = ({ name, pictures }: FilledForm, by: string | null): Arrived => ({
  name,
  by,
  files: pictures.map((one) => `${one} ${hash(bytesOf(one))}`).sort(),
})

/** What the server has, with the bytes of every file. */
export const arrived = async (app: TestApp, account: Account, formId: number): Promise<Arrived[]> => {
  const records = (await app.as(account)('GET', `/data/${formId}`)).json() as Record<string, unknown>[]
  return Promise.all(
    records.map(async (record) => ({
      name: String(record.name),
      by: (record._submitted_by as string | null) ?? null,
      files: await Promise.all(
        (record._attachments as Attachment[]).map(async ({ name, download_url }) => {
          const file = await app.page('GET', download_url, { headers: { authorization: `Token ${account.apiToken}` } })
          return `${name} ${hash(file.rawPayload)}`
        }),
      ).then((files) => files.sort()),
    })),
  )
}

export const byName = (all: readonly Arrived[]): Arrived[] =>
  [...all].sort((one, other) => (one.name < other.name ? -1 : 1))
