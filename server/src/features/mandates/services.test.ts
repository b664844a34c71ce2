// A rest service acts for whoever made it, and stops with their right.
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Account, testApp } from '../../../test/support/app.js'
import { sql } from '../../platform/db/index.js'
import { type Receiver, startReceiver } from '../../platform/outbound/testing.js'
import { ends, look, Place } from './testing.js'

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
    expect(await place.service(id)).toMatchObject({ active: false, inactive_reason: expect.stringMatching(/^Paused: /) })
    const resumed = await place.call('PATCH', `/restservices/${id}`, { active: true })
    expect(resumed.json()).toMatchObject({ active: true, inactive_reason: '' })
    await app.forward()
    expect(names()).toEqual(['before', 'after'])
    await look(app)
    expect(await place.service(id)).toMatchObject({ active: true })
  })
})
