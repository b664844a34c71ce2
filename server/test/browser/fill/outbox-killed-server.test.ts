// The server is killed after it has stored a filled form and before the browser has the answer.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hasNoBrowser } from '../../support/browser.js'
import { Device } from '../../support/device.js'
import { fillAndSend, newFilled, sendAll, statesOf } from '../../support/filling.js'
import { sheet } from '../../support/forms.js'
import { Line } from '../../support/line.js'
import { type ServerProcess, workplace } from '../../support/process.js'

const text = sheet('type,name,label\ntext,name,Name\nbegin repeat,photos,Photos\nimage,photo,Photo\nend repeat,,', {
  settings: { form_id: 'visit', version: '1' },
})
const ana = { username: 'ana', password: 'correct horse' }
const account = { authorization: `Basic ${Buffer.from(`${ana.username}:${ana.password}`).toString('base64')}` }

interface Stored {
  readonly name: string
  readonly _attachments: readonly { readonly name: string }[]
}

describe.skipIf(hasNoBrowser)('a server that is killed while it answers (needs Chromium on the PATH)', () => {
  let place: Awaited<ReturnType<typeof workplace>>
  let server: ServerProcess
  const line = new Line()
  let device: Device

  beforeAll(async () => {
    place = await workplace({ hasDatabase: true })
    server = await place.start().ready()
    await line.open(server.address)
    device = await new Device(line.address).open()
  })
  afterAll(async () => {
    await device.forget()
    await line.close()
    await place.clean()
  })

  it('202 when it runs again: one record with its pictures', async () => {
    await server.register('ana')
    const published = await server.call('/api/v1/forms', {
      method: 'POST',
      headers: { ...account, 'content-type': 'application/json' },
      body: JSON.stringify({ text_xls_form: text }),
    })
    const { formid } = (await published.json()) as { formid: number }
    const form = { door: '/ana', formId: formid, idString: 'visit', version: '1', whose: 'ana' }
    await device.signIn(ana)
    const page = await device.page('/f/outbox')
    const filled = newFilled(2)
    const killed = new Promise<unknown>((resolve) => line.loseAnswer(() => resolve(server.end('SIGKILL'))))
    expect(await fillAndSend(page, form, filled)).toMatchObject({ state: 'waiting', isUncertain: true })
    await killed
    server = await place.start().ready()
    line.lead(server.address)
    line.posts.length = 0
    await sendAll(page, 'ana')
    expect([await statesOf(page, 'ana'), line.posts]).toEqual([['sent'], ['202']])
    const stored = (await (await server.call(`/api/v1/data/${formid}`, { headers: account })).json()) as Stored[]
    expect(stored.map(({ name, _attachments }) => [name, _attachments.map((one) => one.name).sort()])).toEqual([
      [filled.name, [...filled.pictures].sort()],
    ])
  })
})
