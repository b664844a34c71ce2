// Whoever asks for much and reads nothing of it takes nothing from others: neither connections, nor room, nor jobs.
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { budgets } from '../src/budgets.js'
import { startJobs } from '../src/platform/jobs/index.js'
import { type Account, testApp } from './support/app.js'
import { type PublishedForm, publish } from './support/forms.js'
import { instance, send } from './support/submissions.js'

const app = testApp({ REQUESTS_AT_ONCE: '24' })
let ana: Account
let ben: Account
let form: PublishedForm
let port: number

/** More than the buffers of a socket hold. */
const answer = randomBytes(950_000).toString('hex')

beforeAll(async () => {
  ana = await app.account({ username: 'ana' })
  ben = await app.account({ username: 'ben' })
  form = await publish(app, ana)
  const shared = await app.as(ana)('POST', `/forms/${form.formid}/share`, {
    body: { username: 'ben', role: 'readonly' },
  })
  expect(shared.statusCode).toBe(204)
  for (let n = 0; n < 12; n++) {
    const sent = await send(app, ana, '/ana', instance(form, `<name>${answer}</name>`))
    expect(sent.statusCode).toBe(201)
  }
  await app.http.app.listen({ port: 0, host: '127.0.0.1' })
  port = (app.http.app.server.address() as AddressInfo).port
})

const sockets: Socket[] = []
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy()
})

/** Asks, and never reads. */
const ask = async (path: string, { apiToken }: Account): Promise<Socket> => {
  const socket = connect(port, '127.0.0.1')
  sockets.push(socket)
  socket.pause()
  socket.on('error', () => undefined)
  socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Token ${apiToken}\r\n\r\n`)
  await once(socket, 'connect')
  return socket
}

const get = (path: string, { apiToken }: Account) =>
  fetch(`http://127.0.0.1:${port}${path}`, { headers: { authorization: `Token ${apiToken}` } })

const until = async (isSo: () => boolean | Promise<boolean>): Promise<void> => {
  while (!(await isSo())) await new Promise((resolve) => setTimeout(resolve, 20))
}

const streams = ['.json', '.csv', '.xlsx']

describe('slow readers', () => {
  it.each(streams)(
    'of /data/{pk}%s take no connection from statements, and give way to whoever reads',
    async (ending) => {
      const path = `/api/v1/data/${form.formid}${ending}`
      const { streamsNow, pool } = app.deps.db
      for (let n = 0; n < 10; n++) await ask(path, ana)
      await until(() => streamsNow() > 0)
      expect(streamsNow()).toBeLessThanOrEqual(Math.floor(pool.options.max * budgets.streams.shareOfPool))
      const small = await get('/api/v1/forms', ben)
      expect([small.status, (await small.json()).length]).toEqual([200, 1])
      // The places are all taken by people who do not read: after a while they lose them.
      const whole = await get(path, ben)
      expect([whole.status, (await whole.arrayBuffer()).byteLength > 10_000]).toEqual([200, true])
      for (const socket of sockets) socket.destroy()
      await until(() => streamsNow() === 0)
    },
  )

  it('take no room from other requests for long', async () => {
    for (let n = 0; n < 60; n++) await ask(`/api/v1/data/${form.formid}.json`, ana)
    await until(async () => (await get('/api/v1/forms', ben)).status === 200)
    for (const _ of [1, 2, 3]) expect((await get('/api/v1/forms', ben)).status).toBe(200)
  })

  it('do not keep jobs from running', async () => {
    const runner = await startJobs(app.deps.db, app.deps.jobs, app.deps.log, { concurrency: 2 })
    for (let n = 0; n < 10; n++) await ask(`/api/v1/data/${form.formid}.csv`, ana)
    await until(() => app.deps.db.streamsNow() > 0)
    const begun = await get(`/api/v1/forms/${form.formid}/export_async?format=csv`, ben)
    expect(begun.status).toBe(202)
    const { job_uuid: job } = (await begun.json()) as { job_uuid: string }
    const state = async () =>
      (
        (await (await get(`/api/v1/forms/${form.formid}/export_async?job_uuid=${job}`, ben)).json()) as {
          job_status: string
        }
      ).job_status
    await until(async () => (await state()) === 'SUCCESS')
    await runner.stop()
  })
})
