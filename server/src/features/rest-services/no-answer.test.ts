// A receiver that does not answer in time. These tests wait for that time; for all others it is long, since a machine that is busy
// takes it from receivers that answer.
import { describe, expect, it } from 'vitest'
import { testApp } from '../../../test/support/app.js'
import { answerWith } from '../../../test/support/receivers.js'
import { useForwarding } from '../../../test/support/rest-services.js'

const app = testApp({ REST_SERVICE_TIMEOUT_SECONDS: '1' })
const at = useForwarding(app)

describe('a delivery', () => {
  it('that gets no answer in time arrives at the next try, under the same id', async () => {
    at.receiver.answer = () => undefined
    const { id: service } = await at.forwarding.addService({ service_url: at.receiver.url })
    await at.forwarding.submit('Zoe')
    await app.forward()
    expect(await at.forwarding.deliveries(service)).toMatchObject([
      { state: 'pending', tries: 1, last_error: 'No answer within 1 seconds.', last_status: null },
    ])
    at.receiver.answer = answerWith(204)
    app.wait(2)
    await app.forward()
    expect(await at.forwarding.deliveries(service)).toMatchObject([{ state: 'delivered', tries: 2, last_status: 204 }])
    expect(new Set(at.receiver.calls.map(({ headers }) => headers['webhook-id'])).size).toBe(1)
  })

  it('is delivered when the receiver took it, however its answer ends', async () => {
    at.receiver.answer = (_call, response) => void response.writeHead(200).write('never ends')
    const { id: service } = await at.forwarding.addService({ service_url: at.receiver.url })
    await at.forwarding.submit('Zoe')
    await app.forward()
    expect(await at.forwarding.deliveries(service)).toMatchObject([{ state: 'delivered', tries: 1, last_status: 200 }])
  })
})

describe('a receiver that does not answer', () => {
  it('does not use up the time of other services: those that answer get everything in the same turn', async () => {
    at.receiver.answer = (call, response) => void (call.path === '/dead' || response.end())
    const { id: dead } = await at.forwarding.addService({ service_url: `${at.receiver.url}/dead` })
    await at.forwarding.addService({ service_url: `${at.receiver.url}/fine` })
    for (let n = 0; n < 10; n++) await at.forwarding.submit(`visit ${n}`)
    await app.forward()
    expect(at.receiver.calls.filter(({ path }) => path === '/fine')).toHaveLength(10)
    expect((await at.forwarding.deliveries(dead, '?state=delivered')).length).toBe(0)
  })
})
