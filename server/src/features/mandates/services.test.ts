// A rest service acts for whoever made it, and stops with their right.
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Account, testApp } from '../../../test/support/app.js'
import { ends, look, Place } from '../../../test/support/mandates.js'
import { answerWith, type Receiver, startReceiver } from '../../../test/support/receivers.js'
import { sql } from '../../platform/db/index.js'

const app = testApp()
let ana: Account
let receiver: Receiver

beforeAll(async () => {
  ana = await app.account({ username: 'ana' })
})
beforeEach(async () => {
  receiver = await startReceiver()
})
afterEach(async () => {
  await app.deps.db.run(sql`delete from rest_services`)
  await receiver.close()
})

const names = () => receiver.calls.map(({ body }) => JSON.parse(body).name)

describe('a rest service whose maker', () => {
  it.each(ends)('%s sends nothing more, and keeps what comes', async (_words, begin) => {
    const place = await Place.open(app, ana)
    const end = await begin(place)
    const { id } = await place.addService(receiver.url)
    await place.submit('before')
    await app.forward()
    expect(names()).toEqual(['before'])
    await end(place)
    await place.submit('after')
    await app.forward()
    expect(names()).toEqual(['before'])
    expect(await place.service(id)).toMatchObject({
      active: false,
      inactive_reason: expect.stringMatching(/^Paused: .*"active" to true/),
    })
    await look(app)
    await app.forward()
    expect(names()).toEqual(['before'])
    expect(await place.service(id)).toMatchObject({
      active: false,
      inactive_reason: expect.stringMatching(/^Paused: /),
    })
    expect(await place.events()).toEqual([expect.stringContaining(`Rest service ${id} `)])
    const resumed = await place.call('PATCH', `/restservices/${id}`, { active: true })
    expect(resumed.json()).toMatchObject({ active: true, inactive_reason: '' })
    await app.forward()
    expect(names()).toEqual(['before', 'after'])
    await look(app)
    expect(await place.service(id)).toMatchObject({ active: true })
  })
})

/** Somebody who manages a form, and a service of theirs. */
const managed = async () => {
  const place = await Place.open(app, ana)
  await place.share('manager')
  return { place, service: await place.addService(receiver.url) }
}

describe('a rest service', () => {
  it('acts for whoever changed it last: not the maker, who is still there, but who gave it its address', async () => {
    const place = await Place.open(app, ana)
    await place.share('manager')
    const body = { xform: place.form.formid, name: 'generic_json', service_url: 'https://example.org/' }
    const { id } = (await place.call('POST', '/restservices', body)).json()
    await place.call('PATCH', `/restservices/${id}`, { service_url: receiver.url }, place.person)
    await place.remove()
    await place.submit('after')
    await app.forward()
    expect(names()).toEqual([])
    expect(await place.service(id)).toMatchObject({ active: false })
  })

  it('that has lost its maker goes on when somebody says so, not by a change of something else', async () => {
    const { place, service } = await managed()
    await place.remove()
    await place.submit('after')
    await place.call('PATCH', `/restservices/${service.id}`, { service_url: `${receiver.url}/new` })
    await app.forward()
    expect([names(), (await place.service(service.id)).active]).toEqual([[], false])
    await place.call('PATCH', `/restservices/${service.id}`, { active: true })
    await app.forward()
    expect(names()).toEqual(['after'])
  })

  it('keeps what waits for another try, and sends it when it is resumed', async () => {
    const { place, service } = await managed()
    receiver.answer = answerWith(503)
    await place.submit('once')
    await app.forward()
    expect(receiver.calls).toHaveLength(1)
    await place.remove()
    receiver.answer = answerWith(200)
    app.wait(60)
    await app.forward()
    expect(receiver.calls).toHaveLength(1)
    const [waiting] = (await place.call('GET', `/restservices/${service.id}/deliveries`)).json()
    await place.call('POST', `/restservices/${service.id}/deliveries/${waiting.id}/retry`, {})
    await app.forward()
    expect(receiver.calls).toHaveLength(1)
    await place.call('PATCH', `/restservices/${service.id}`, { active: true })
    await app.forward()
    expect(receiver.calls).toHaveLength(2)
  })

  it('pushes no existing data for somebody who is gone; the push goes on when it is resumed', async () => {
    const place = await Place.open(app, ana)
    await place.share('manager')
    await place.submit('old')
    const sheet = { name: 'sheet_sync', sheet_title: 'S', send_existing_data: true }
    const { id } = await place.addService(receiver.url, sheet)
    await place.remove()
    app.wait(5)
    await app.forward()
    expect(names()).toEqual([])
    expect(await app.deps.db.rows(sql`select from deliveries where service_id = ${id}`)).toEqual([])
    await place.call('PATCH', `/restservices/${id}`, { active: true })
    await app.forward()
    expect(names()).toEqual(['old'])
  })

  it('that was switched off by hand is not told about, and is of whoever switches it on', async () => {
    const { place, service } = await managed()
    await place.call('PATCH', `/restservices/${service.id}`, { active: false }, place.person)
    await place.remove()
    await look(app)
    expect(await place.events()).toEqual([])
    expect((await place.service(service.id)).inactive_reason).toBe(`Switched off by ${place.person.username}.`)
    await place.call('PATCH', `/restservices/${service.id}`, { active: true })
    await place.submit('after')
    await app.forward()
    expect(names()).toEqual(['after'])
  })

  it('of a former maker who comes back stays paused once the owners were told', async () => {
    const { place, service } = await managed()
    await place.remove()
    await look(app)
    await place.share('manager')
    await place.submit('after')
    await app.forward()
    expect([names(), (await place.service(service.id)).active]).toEqual([[], false])
  })

  it('that fails for long mails nobody who may not know of it any more', async () => {
    const { place, service } = await managed()
    receiver.answer = answerWith(503)
    await place.submit('once')
    await app.forward()
    app.wait(25 * 3600)
    receiver.answer = (_call, response) => void place.remove().then(() => response.writeHead(503).end())
    await app.forward()
    expect(await place.service(service.id)).toMatchObject({ active: false })
    expect(await app.mailsTo(place.person.email)).toEqual([])
  })
})

describe('owners of the form', () => {
  it('are told once, by a mail and an event: who lost which right, what has stopped, what to do', async () => {
    const { place, service } = await managed()
    const { username } = place.person
    await place.addService(`${receiver.url}/second`)
    await place.remove()
    for (const _ of [1, 2]) await look(app)
    const mails = (await app.mailsTo(ana.email)).filter(({ text }) => text.includes(`${username} no longer`))
    expect(mails).toHaveLength(1)
    expect(mails[0]?.subject).toBe(`Something of "${place.form.title}" has stopped`)
    expect(mails[0]?.text).toContain(`${username} no longer manages the form.`)
    expect(mails[0]?.text).toContain(`- Rest service ${service.id} (generic_json, to 127.0.0.1:`)
    expect(mails[0]?.text.match(/is paused\. Submissions are kept for it\. Set "active" to true/g)).toHaveLength(2)
    const events = await place.events()
    expect([events.length, events[0]]).toEqual([1, expect.stringContaining(`Rest service ${service.id} `)])
    expect(await app.mailsTo(place.person.email)).toEqual([])
  })

  it('are told by two processes at once no more than once', async () => {
    const { place } = await managed()
    await place.remove()
    await Promise.all([look(app), look(app), look(app)])
    expect(await place.events()).toHaveLength(1)
  })
})
