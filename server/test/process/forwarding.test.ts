// Forwarding survives whatever is killed: what was acknowledged arrives, and always under the same id.
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { visitSheet } from '../support/forms.js'
import { type ServerProcess, workplace } from '../support/process.js'
import { answerWith, type ReceivedCall, type Receiver, startReceiver } from '../support/receivers.js'
import { instance, newId } from '../support/submissions.js'

let place: Awaited<ReturnType<typeof workplace>>
let receiver: Receiver

beforeEach(async () => {
  place = await workplace({ hasDatabase: true })
  receiver = await startReceiver()
})
afterEach(async () => {
  await place.clean()
  await receiver.close()
})

const authorization = `Basic ${Buffer.from('ana:correct horse').toString('base64')}`

const post = async (server: ServerProcess, path: string, body: FormData | object): Promise<Response> =>
  server.call(path, {
    method: 'POST',
    headers: { authorization, ...(!(body instanceof FormData) && { 'content-type': 'application/json' }) },
    body: body instanceof FormData ? body : JSON.stringify(body),
  })

const publish = async (server: ServerProcess) => {
  const body = new FormData()
  body.set('xls_file', new File([visitSheet()], 'visit.csv', { type: 'text/csv' }))
  return (await (await post(server, '/api/v1/forms', body)).json()) as { formid: number; id_string: string }
}

/** Answers the instance id once the server has acknowledged it. */
const submit = async (server: ServerProcess, form: { id_string: string }): Promise<string> => {
  const id = newId()
  const body = new FormData()
  const xml = instance(form, '<name>Zoe</name>', { id })
  body.set('xml_submission_file', new File([xml], 'submission.xml', { type: 'text/xml' }))
  const response = await post(server, '/submission', body)
  if (response.status !== 201) throw new Error(await response.text())
  return id
}

const uuidsOf = (calls: readonly ReceivedCall[]) => calls.map(({ body }) => JSON.parse(body)._uuid as string)

describe('kill -9 with deliveries pending', () => {
  it('the next start delivers everything that was acknowledged, nothing under two ids', async () => {
    // A claim of the dead process runs out after twice this time and five seconds.
    const env = { REST_SERVICE_TIMEOUT_SECONDS: '1' }
    const server = await place.start(env).ready()
    await server.register('ana')
    const form = await publish(server)
    const made = await post(server, '/api/v1/restservices', {
      xform: form.formid,
      name: 'generic_json',
      service_url: receiver.url,
    })
    expect(made.status).toBe(201)

    // Some arrive, some are in hand, some wait when it is killed.
    receiver.answer = (call, response, request) => {
      if (receiver.calls.length <= 5) answerWith(200)(call, response, request)
    }
    const acknowledged: string[] = []
    const sending = Array.from({ length: 60 }, () =>
      submit(server, form).then(
        (id) => void acknowledged.push(id),
        () => undefined,
      ),
    )
    await receiver.until((calls) => calls.length > 5)
    await server.end('SIGKILL')
    await Promise.all(sending)
    expect(acknowledged.length).toBeGreaterThan(0)
    expect(new Set(uuidsOf(receiver.calls)).size).toBeLessThan(acknowledged.length)

    receiver.answer = answerWith(200)
    await place.start(env).ready()
    await receiver.until((calls) => {
      const arrived = new Set(uuidsOf(calls))
      return acknowledged.every((id) => arrived.has(id))
    })
    const ids = new Map<string, Set<unknown>>()
    for (const { body, headers } of receiver.calls) {
      const uuid = JSON.parse(body)._uuid
      ids.set(uuid, (ids.get(uuid) ?? new Set()).add(headers['webhook-id']))
    }
    expect([...ids.values()].every((set) => set.size === 1)).toBe(true)
    expect(new Set([...ids.values()].flatMap((set) => [...set])).size).toBe(ids.size)
  })

  it('SIGTERM does not wait for a receiver that never answers', { timeout: 25_000 }, async () => {
    const server = await place.start().ready()
    await server.register('ana')
    const form = await publish(server)
    const service = { xform: form.formid, name: 'generic_json', service_url: receiver.url }
    await post(server, '/api/v1/restservices', service)
    receiver.answer = () => undefined
    await submit(server, form)
    await receiver.until((calls) => calls.length === 1)
    expect(await server.end('SIGTERM')).toBe(0)
  })
})
