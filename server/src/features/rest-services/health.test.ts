// How the answers to some records tell how their receiver does.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { testApp } from '../../../test/support/app.js'
import { answerWith, type Receiver, startReceiver } from '../../../test/support/receivers.js'
import { Forwarding } from '../../../test/support/rest-services.js'
import { sql } from '../../platform/db/index.js'

const app = testApp({ REST_SERVICE_PAUSE_HOURS: '0' })
let receiver: Receiver

beforeAll(async () => {
  receiver = await startReceiver()
})
afterAll(() => receiver.close())

const healthOf = (id: number) =>
  app.deps.db.one(sql`
    select failures, failing_since is not null as "isFailing", rests_until is not null as "isResting", is_active as "isActive"
    from rest_services where id = ${id}`)

it('what is refused for itself is no failure of the receiver, which goes on without a rest', async () => {
  receiver.answer = answerWith(422)
  const forwarding = await Forwarding.open(app, await app.account())
  const { id } = await forwarding.addService({ service_url: receiver.url })
  await forwarding.submit('Zoe')
  await app.forward()
  expect(await healthOf(id)).toEqual({ failures: 0, isFailing: true, isResting: false, isActive: true })
})

it('is never paused where REST_SERVICE_PAUSE_HOURS is 0', async () => {
  receiver.answer = answerWith(503)
  const forwarding = await Forwarding.open(app, await app.account())
  const { id } = await forwarding.addService({ service_url: receiver.url })
  await forwarding.submit('Zoe')
  await app.forward()
  app.wait(30 * 86_400)
  await app.forward()
  expect(await healthOf(id)).toMatchObject({ isFailing: true, isActive: true })
})
