// A database that goes away: 503 for as long as it is away, and nothing that was acknowledged is lost.
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type TestDatabase, testDatabase } from '../support/database.js'
import { visitSheet } from '../support/forms.js'
import { type ServerProcess, workplace } from '../support/process.js'
import { instance, newId, submissionBody } from '../support/submissions.js'

/** Between the server and its database: lets everything through, or nobody. */
const startDoor = async (target: string) => {
  const open = new Set<Socket>()
  let isShut = false
  const door = createServer((client) => {
    if (isShut) return void client.destroy()
    const inside = connect(target)
    for (const [one, other] of [
      [client, inside],
      [inside, client],
    ] as const) {
      open.add(one)
      one.on('error', () => undefined)
      one.once('close', () => {
        open.delete(one)
        other.destroy()
      })
      one.pipe(other)
    }
  }).listen(0, '127.0.0.1')
  await once(door, 'listening')
  return {
    port: (door.address() as AddressInfo).port,
    shut: () => {
      isShut = true
      for (const socket of open) socket.destroy()
    },
    open: () => {
      isShut = false
    },
    close: async () => {
      for (const socket of open) socket.destroy()
      door.close()
      await once(door, 'close')
    },
  }
}

let place: Awaited<ReturnType<typeof workplace>>
let database: TestDatabase
let door: Awaited<ReturnType<typeof startDoor>>
let server: ServerProcess

const authorization = `Basic ${Buffer.from('ana:correct horse').toString('base64')}`

beforeAll(async () => {
  place = await workplace()
  database = await testDatabase()
  const { host, user, database: name } = database.connection
  door = await startDoor(`${host}/.s.PGSQL.5432`)
  server = await place.start({ DATABASE_URL: `postgres://${user}@127.0.0.1:${door.port}/${name}` }).ready()
  await server.register('ana')
  const body = JSON.stringify({ text_xls_form: visitSheet({ form_id: 'visit' }) })
  const headers = { authorization, 'content-type': 'application/json' }
  expect((await server.call('/api/v1/forms', { method: 'POST', headers, body })).status).toBe(201)
})
afterAll(async () => {
  await place.clean()
  await door.close()
  await database.drop()
})

const submit = (id: string) => {
  const { body, headers } = submissionBody(instance({ id_string: 'visit' }, '<name>Ana</name>', { id }))
  const init = { method: 'POST', body: new Uint8Array(body), headers: { ...headers, authorization } }
  return server.call('/ana/submission', init)
}

describe('a database that refuses', () => {
  it('503 with Retry-After to everybody, in their protocol; it recovers by itself, and has all that was acknowledged', async () => {
    const ids = Array.from({ length: 40 }, newId)
    const sending = ids.map(async (id, place) => {
      if (place === 20) door.shut()
      return (await submit(id)).status
    })
    const statuses = await Promise.all(sending)
    expect(new Set([...statuses, 201, 503])).toEqual(new Set([201, 503]))

    const refused = await submit(newId())
    expect([refused.status, refused.headers.get('retry-after'), refused.headers.get('content-type')]).toEqual([
      503,
      '5',
      'text/xml; charset=utf-8',
    ])
    const read = await server.call('/api/v1/data', { headers: { authorization } })
    expect([read.status, read.headers.get('retry-after')]).toEqual([503, '5'])
    expect((await server.call('/healthz')).status).toBe(200)
    expect((await server.call('/readyz')).status).toBe(503)

    door.open()
    while ((await submit(newId())).status !== 201) await server.call('/healthz')
    const again = await Promise.all(ids.map(async (id) => (await submit(id)).status))
    // What was acknowledged is there; of the rest nobody knew, and now it is there too.
    for (const [place, status] of again.entries()) expect([202, statuses[place] === 201 ? 202 : 201]).toContain(status)
    expect((await server.call('/readyz')).status).toBe(200)
  })
})
