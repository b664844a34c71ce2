// What arrives at a receiver: a real one, over HTTP.
import { Webhook } from 'standardwebhooks'
import { describe, expect, it } from 'vitest'
import { testApp } from '../../../test/support/app.js'
import type { ReceivedCall } from '../../../test/support/receivers.js'
import { Forwarding, useForwarding } from '../../../test/support/rest-services.js'
import { newId } from '../../../test/support/submissions.js'
import { sql } from '../../platform/db/index.js'

const app = testApp()
const at = useForwarding(app)

const recordOf = (call: ReceivedCall | undefined) => JSON.parse(call?.body ?? '')
const namesOf = (calls: readonly ReceivedCall[]) => calls.map((call) => recordOf(call).name)

const verify = (secret: string, { body, headers }: ReceivedCall) =>
  new Webhook(secret).verify(body, headers as Record<string, string>, { jsonParse: false })

describe('a new submission', () => {
  it('is sent once to each service of its form, as the record that the data endpoint shows, and to no other form’s', async () => {
    await at.forwarding.addService({ service_url: `${at.receiver.url}/a` })
    await at.forwarding.addService({ service_url: `${at.receiver.url}/b` })
    const other = await Forwarding.open(app, at.ana)
    await other.addService({ service_url: `${at.receiver.url}/other` })
    const id = await at.forwarding.submit('Zoe')
    expect(at.receiver.calls).toHaveLength(0)
    await app.forward()
    await app.forward()
    expect(at.receiver.calls.map(({ method, path }) => `${method} ${path}`).sort()).toEqual(['POST /a', 'POST /b'])
    const [call] = at.receiver.calls
    expect(call?.headers['content-type']).toBe('application/json')
    expect(recordOf(call)).toMatchObject({
      name: 'Zoe',
      _id: id,
      _xform_id: at.forwarding.form.formid,
      _submitted_by: 'ana',
      _deleted_at: null,
    })
  })

  it('that arrived is in hand until that is written down, which is tried again', async () => {
    await at.forwarding.addService({ service_url: at.receiver.url })
    await at.forwarding.submit('Zoe')
    await app.deps.db.run(sql`
      create function no_outcome() returns trigger language plpgsql as $$ begin raise 'no outcome'; end $$`)
    await app.deps.db.run(sql`
      create trigger no_outcome before update on deliveries for each row when (new.state = 'delivered')
      execute function no_outcome()`)
    await expect(app.forward()).rejects.toThrow('no outcome')
    await app.deps.db.run(sql`drop trigger no_outcome on deliveries`)
    expect(at.receiver.calls).toHaveLength(1)
  })

  it('is sent once, however often it is posted', async () => {
    await at.forwarding.addService({ service_url: at.receiver.url })
    const id = newId()
    await at.forwarding.submit('Zoe', { id })
    await expect(at.forwarding.submit('Zoe', { id })).rejects.toThrow(/not taken/)
    await app.forward()
    expect(at.receiver.calls).toHaveLength(1)
  })

  it('is signed, and the signature is verified by the library of Standard Webhooks; another secret’s is not', async () => {
    const { secret } = await at.forwarding.addService({ service_url: at.receiver.url })
    const { secret: otherSecret } = await at.forwarding.addService({ service_url: `${at.receiver.url}/other` })
    await at.forwarding.submit('Zoë — 日本')
    await app.forward()
    const call = at.receiver.calls.find(({ path }) => path === '/') as ReceivedCall
    expect(() => verify(secret, call)).not.toThrow()
    expect(() => verify(otherSecret, call)).toThrow()
    expect(() => verify(secret, { ...call, body: call.body.replace('Zo', 'Zu') })).toThrow()
  })

  it('that is deleted before its turn is never sent, and its delivery says why', async () => {
    const { id: service } = await at.forwarding.addService({ service_url: at.receiver.url })
    const id = await at.forwarding.submit('Zoe')
    await at.forwarding.deleteSubmission(id)
    await app.forward()
    expect(at.receiver.calls).toHaveLength(0)
    expect(await at.forwarding.deliveries(service)).toMatchObject([
      { submission: id, state: 'skipped', last_error: 'The submission was deleted.', next_try: null },
    ])
  })

  it('is not sent to a service that was deleted, nor for a form that was', async () => {
    const { id } = await at.forwarding.addService({ service_url: at.receiver.url })
    await at.forwarding.submit('Zoe')
    await at.forwarding.call('DELETE', `/restservices/${id}`)
    const other = await Forwarding.open(app, at.ana)
    await other.addService({ service_url: at.receiver.url })
    await other.submit('Yan')
    expect((await other.call('DELETE', `/forms/${other.form.formid}`)).statusCode).toBeLessThan(300)
    await app.forward()
    expect(at.receiver.calls).toHaveLength(0)
  })

  it('waits while its service is switched off, and is sent when it is on again', async () => {
    const { id } = await at.forwarding.addService({ service_url: at.receiver.url })
    const off = await at.forwarding.call('PATCH', `/restservices/${id}`, { active: false })
    expect(off.json()).toMatchObject({ active: false, inactive_reason: 'Switched off by ana.' })
    await at.forwarding.submit('Zoe')
    await app.forward()
    expect(at.receiver.calls).toHaveLength(0)
    const on = await at.forwarding.call('PATCH', `/restservices/${id}`, { active: true })
    expect(on.json()).toMatchObject({ active: true, inactive_reason: '' })
    await app.forward()
    expect(at.receiver.calls).toHaveLength(1)
  })
})

describe('the kinds', () => {
  it('generic_xml posts the XML as it was received', async () => {
    const { secret } = await at.forwarding.addService({ name: 'generic_xml', service_url: at.receiver.url })
    await at.forwarding.submit('Zoe')
    await app.forward()
    const [call] = at.receiver.calls as [ReceivedCall]
    expect([call.method, call.headers['content-type']]).toEqual(['POST', 'application/xml'])
    expect(call.body).toMatch(/^<\?xml version='1\.0' \?><data .*<name>Zoe<\/name>/)
    expect(() => verify(secret, call)).not.toThrow()
  })

  it('health_info_sync gets its address with the placeholders filled in, or posts the record when it has none', async () => {
    const service_url = `${at.receiver.url}/%(id_string)s?instance=%(uuid)s`
    const { secret } = await at.forwarding.addService({ name: 'health_info_sync', service_url })
    await at.forwarding.addService({ name: 'health_info_sync', service_url: `${at.receiver.url}/plain` })
    const id = newId()
    await at.forwarding.submit('Zoe', { id })
    await app.forward()
    const call = at.receiver.calls.find(({ method }) => method === 'GET') as ReceivedCall
    expect([call.path, call.body]).toEqual([`/${at.forwarding.form.id_string}?instance=${id}`, ''])
    expect(() => verify(secret, call)).not.toThrow()
    expect(recordOf(at.receiver.calls.find(({ path }) => path === '/plain'))).toMatchObject({ name: 'Zoe' })
  })

  it('flow_messaging posts texts under plain names, its flow and its contacts, with its token', async () => {
    const { secret } = await at.forwarding.addService({
      name: 'flow_messaging',
      service_url: at.receiver.url,
      auth_token: 'tok-1',
      flow_uuid: 'flow-1',
      contacts: '+1, +2,',
    })
    const id = await at.forwarding.submit('Zoe')
    await app.forward()
    const [call] = at.receiver.calls as [ReceivedCall]
    expect(call.headers.authorization).toBe('Token tok-1')
    const { extra, flow, contacts } = recordOf(call)
    expect([flow, contacts]).toEqual(['flow-1', ['+1', '+2']])
    expect(extra).toMatchObject({
      name: 'Zoe',
      _id: String(id),
      _edited: 'False',
      _media_count: '0',
      form_uuid: at.forwarding.form.uuid,
    })
    expect(Object.values(extra).every((value) => typeof value === 'string' && value !== '')).toBe(true)
    expect([extra._tags, extra._last_edited, extra['form/uuid']]).toEqual([undefined, undefined, undefined])
    expect(() => verify(secret, call)).not.toThrow()
  })

  it('dataset_sync and sheet_sync post the record', async () => {
    await at.forwarding.addService({ name: 'dataset_sync', service_url: `${at.receiver.url}/dataset` })
    await at.forwarding.addService({ name: 'sheet_sync', service_url: `${at.receiver.url}/sheet`, sheet_title: 'S' })
    await at.forwarding.submit('Zoe')
    await app.forward()
    expect(at.receiver.calls.map((call) => [call.path, recordOf(call).name]).sort()).toEqual([
      ['/dataset', 'Zoe'],
      ['/sheet', 'Zoe'],
    ])
  })

  it('sheet_sync without an address is kept, and sends nothing', async () => {
    const body = { xform: at.forwarding.form.formid, name: 'sheet_sync', sheet_title: 'S' }
    const { id } = (await at.forwarding.call('POST', '/restservices', body)).json()
    await at.forwarding.submit('Zoe')
    expect(await at.forwarding.deliveries(id)).toEqual([])
    expect((await at.forwarding.call('POST', `/restservices/${id}/test`, {})).statusCode).toBe(400)
    const all = { from: '2020-01-01T00:00:00Z', to: '2100-01-01T00:00:00Z' }
    expect((await at.forwarding.call('POST', `/restservices/${id}/replay`, all)).statusCode).toBe(400)
  })
})

describe('an edit', () => {
  it('is sent to sheet_sync with sync_updates alone, after the submission itself, under an id of its own', async () => {
    const sheet = { name: 'sheet_sync', sheet_title: 'S', send_existing_data: false }
    await at.forwarding.addService({ service_url: `${at.receiver.url}/json` })
    await at.forwarding.addService({ ...sheet, service_url: `${at.receiver.url}/still`, sync_updates: false })
    const { id: service } = await at.forwarding.addService({
      ...sheet,
      service_url: `${at.receiver.url}/sync`,
      sync_updates: true,
    })
    const first = newId()
    await at.forwarding.submit('before', { id: first })
    await app.forward()
    expect(at.receiver.calls).toHaveLength(3)
    const id = await at.forwarding.submit('after', { deprecated: first })
    await app.forward()
    expect(at.receiver.calls.slice(3).map((call) => [call.path, recordOf(call).name, recordOf(call)._id])).toEqual([
      ['/sync', 'after', id],
    ])
    const [edit, created] = await at.forwarding.deliveries(service)
    expect([created?.message_id, edit?.message_id.startsWith(`msg_${service}_${id}_`)]).toEqual([
      `msg_${service}_${id}`,
      true,
    ])
    expect(at.receiver.calls.at(-1)?.headers['webhook-id']).toBe(edit?.message_id)
  })

  it('never overtakes the submission that it changes', async () => {
    at.receiver.answer = (_call, response) => void response.writeHead(503).end()
    const { id: service } = await at.forwarding.addService({
      name: 'sheet_sync',
      sheet_title: 'S',
      service_url: at.receiver.url,
      send_existing_data: false,
      sync_updates: true,
    })
    const first = newId()
    await at.forwarding.submit('before', { id: first })
    await app.forward()
    const id = await at.forwarding.submit('after', { deprecated: first })
    await app.forward()
    expect((await at.forwarding.deliveries(service)).map(({ cause, tries }) => [cause, tries])).toEqual([
      ['edited', 0],
      ['created', 1],
    ])
    at.receiver.answer = (_call, response) => void response.end()
    app.wait(10)
    await app.forward()
    expect(at.receiver.calls.slice(1).map(({ headers }) => headers['webhook-id'])).toEqual([
      `msg_${service}_${id}`,
      expect.stringMatching(`^msg_${service}_${id}_\\d+$`),
    ])
  })
})

describe('existing data', () => {
  const sheet = { name: 'sheet_sync', sheet_title: 'S' }

  it('is not promised where it cannot be: the service stays as it was', async () => {
    const sheet = { name: 'sheet_sync', sheet_title: 'S', service_url: at.receiver.url, send_existing_data: false }
    const { id } = await at.forwarding.addService(sheet)
    await app.deps.db.run(sql`alter table delivery_pushes add constraint none check (false) not valid`)
    const body = { sheet_title: 'T', send_existing_data: true }
    const { statusCode } = await at.forwarding.call('PATCH', `/restservices/${id}`, body)
    await app.deps.db.run(sql`alter table delivery_pushes drop constraint none`)
    expect([statusCode, await at.forwarding.service(id)]).toMatchObject([500, { sheet_title: 'S' }])
  })

  it('is sent when send_existing_data is true, in the order of _id, with its progress on the service', async () => {
    const ids: number[] = []
    for (let n = 0; n < 7; n++) ids.push(await at.forwarding.submit(`visit ${n}`))
    await at.forwarding.deleteSubmission(ids[3] as number)
    const { id, existing_data } = await at.forwarding.addService({
      ...sheet,
      service_url: at.receiver.url,
      send_existing_data: true,
    })
    expect(existing_data).toMatchObject({ state: 'running', total: 6, sent: 0, finished: null })
    app.wait(5)
    await app.forward()
    expect(at.receiver.calls.map((call) => recordOf(call)._id)).toEqual(ids.filter((one) => one !== ids[3]))
    await app.forward()
    expect((await at.forwarding.service(id)).existing_data).toMatchObject({ state: 'done', total: 6, sent: 6 })
    expect(at.receiver.calls).toHaveLength(6)
  })

  it('is not sent when it is false; a PATCH to true sends what has not arrived, each once', async () => {
    await at.forwarding.submit('old')
    const { id } = await at.forwarding.addService({ ...sheet, service_url: at.receiver.url, send_existing_data: false })
    await at.forwarding.submit('new')
    app.wait(5)
    await app.forward()
    expect(namesOf(at.receiver.calls)).toEqual(['new'])
    for (const _ of [1, 2]) {
      expect((await at.forwarding.call('PATCH', `/restservices/${id}`, { send_existing_data: true })).statusCode).toBe(
        200,
      )
      app.wait(5)
      await app.forward()
    }
    expect(namesOf(at.receiver.calls)).toEqual(['new', 'old'])
  })

  it('is not sent by a change of something else', async () => {
    await at.forwarding.submit('old')
    const { id } = await at.forwarding.addService({ ...sheet, service_url: at.receiver.url, send_existing_data: false })
    await at.forwarding.call('PATCH', `/restservices/${id}`, { sheet_title: 'T' })
    app.wait(5)
    await app.forward()
    expect(at.receiver.calls).toHaveLength(0)
  })
})
