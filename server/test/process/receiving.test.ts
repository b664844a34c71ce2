import { createHash, randomUUID } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { sheet } from '../support/forms.js'
import { type ServerProcess, workplace } from '../support/process.js'
import { instance, submissionBody } from '../support/submissions.js'

let place: Awaited<ReturnType<typeof workplace>>
beforeEach(async () => {
  place = await workplace({ hasDatabase: true })
})
afterEach(() => place.clean())

const form = { id_string: 'visit', version: '1' }
const text = sheet('type,name,label\ntext,name,Name\nfile,scan,Scan', { settings: { form_id: 'visit', version: '1' } })
const account = `Basic ${Buffer.from('ana:correct').toString('base64')}`

const prepare = async (server: ServerProcess): Promise<number> => {
  const profile = { username: 'ana', email: 'ana@example.org', first_name: 'Ana', password: 'correct' }
  await server.call('/api/v1/profiles', { method: 'POST', body: new URLSearchParams(profile) })
  const published = await server.call('/api/v1/forms', {
    method: 'POST',
    headers: { authorization: account, 'content-type': 'application/json' },
    body: JSON.stringify({ text_xls_form: text }),
  })
  return ((await published.json()) as { formid: number }).formid
}

const sendOne = (server: ServerProcess, id: string): Promise<number> => {
  const scan = Buffer.from(`scan of ${id}`)
  const { body, headers } = submissionBody(instance(form, `<name>n</name><scan>${id}.txt</scan>`, { id }), [
    { name: `${id}.txt`, content: scan, type: 'text/plain' },
  ])
  const init = { method: 'POST', body: new Uint8Array(body), headers: { ...headers, authorization: account } }
  return server.call('/ana/submission', init).then(
    async (answer) => {
      await answer.text()
      return answer.status
    },
    () => 0,
  )
}

interface Stored {
  _uuid: string
  _media_all_received: boolean
  _attachments: { download_url: string }[]
}

describe('kill -9 while submissions arrive', () => {
  it('every one that was acknowledged is there, once, with its file and its event; the rest can be sent again', async () => {
    let server = await place.start().ready()
    const formId = await prepare(server)
    const acknowledged: string[] = []
    const unknown: string[] = []
    let isOver = false
    const senders = Array.from({ length: 8 }, async () => {
      while (!isOver) {
        const id = randomUUID()
        const status = await sendOne(server, id)
        if (status === 201) acknowledged.push(id)
        else unknown.push(id)
        if (acknowledged.length >= 60 && !isOver) {
          isOver = true
          await server.end('SIGKILL')
        }
      }
    })
    await Promise.all(senders)
    expect(acknowledged.length).toBeGreaterThanOrEqual(60)

    server = await place.start().ready()
    // What the sender knows nothing of is sent again: new, or there already, but never twice.
    for (const id of unknown) expect([201, 202]).toContain(await sendOne(server, id))
    const list = await server.call(`/api/v1/data/${formId}`, { headers: { authorization: account } })
    const stored = (await list.json()) as Stored[]
    expect(stored.map(({ _uuid }) => _uuid).sort()).toEqual([...acknowledged, ...unknown].sort())
    for (const { _uuid, _media_all_received: isWhole, _attachments } of stored) {
      expect(isWhole).toBe(true)
      const file = await server.call(_attachments[0]?.download_url ?? '', { headers: { authorization: account } })
      const sha = createHash('sha256')
        .update(Buffer.from(await file.arrayBuffer()))
        .digest('hex')
      expect(sha).toBe(createHash('sha256').update(`scan of ${_uuid}`).digest('hex'))
    }
    const events = await server.call(
      `/api/v1/messaging?target_type=xform&target_id=${formId}&verb=submission_created`,
      {
        headers: { authorization: account },
      },
    )
    const told = ((await events.json()) as { message: string }[]).flatMap(
      ({ message }) => JSON.parse(message).id as number[],
    )
    expect([told.length, new Set(told).size]).toEqual([stored.length, stored.length])
    const counted = await server.call(`/api/v1/forms/${formId}`, { headers: { authorization: account } })
    expect(((await counted.json()) as { num_of_submissions: number }).num_of_submissions).toBe(stored.length)
  })
})
