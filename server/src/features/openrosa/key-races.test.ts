// What happens to a key while a body is under way, and what several senders may do with one record.
import { beforeAll, describe, expect, it } from 'vitest'
import { type Account, testApp } from '../../../test/support/app.js'
import { type PublishedForm, publish, sheet } from '../../../test/support/forms.js'
import { deadText, type KeyBody, messageIn, newKey, newLink, sendBy } from '../../../test/support/keys.js'
import { newProject } from '../../../test/support/projects.js'
import { instance, newId, send, submissionBody } from '../../../test/support/submissions.js'

const app = testApp()
let ana: Account
let project: number
let form: PublishedForm
let address: string

beforeAll(async () => {
  ana = await app.account({ username: 'ana' })
  project = await newProject(app, ana)
  const survey = 'type,name,label\ntext,name,Name\nimage,front,Front\nimage,back,Back'
  form = await publish(app, ana, sheet(survey, { settings: { client_editable: 'yes' } }), { project })
  address = await app.http.app.listen({ host: '127.0.0.1', port: 0 })
})

const xmlOf = (ids: { id?: string; deprecated?: string } = {}, of = form) =>
  instance(of, '<name>Amina</name><front>front.png</front><back>back.png</back>', { id: newId(), ...ids })
const file = (name: string) => [{ name, content: `${name} bytes`, type: 'image/png' }]

/** Sends the first half, lets something happen when the server has it, then sends the rest. */
const sendSlowly = async (key: KeyBody, meanwhile: () => Promise<unknown>) => {
  const { body, headers } = submissionBody(xmlOf())
  const half = Math.floor(body.length / 2)
  const pieces = new ReadableStream<Uint8Array>({
    async start(controller) {
      controller.enqueue(new Uint8Array(body.subarray(0, half)))
      // A probe on the same server is answered after the beginning has arrived.
      await fetch(`${address}/key/${key.token}/submission`, { method: 'HEAD' })
      await meanwhile()
      controller.enqueue(new Uint8Array(body.subarray(half)))
      controller.close()
    },
  })
  const init = { method: 'POST', headers, body: pieces, duplex: 'half' } as RequestInit
  const answer = await fetch(`${address}/key/${key.token}/submission`, init)
  return { status: answer.status, message: messageIn(await answer.text()) }
}

describe('while a body is under way', () => {
  it('403 where the key is revoked', async () => {
    const key = await newKey(app, ana, project)
    const answer = await sendSlowly(key, () => app.as(ana)('POST', `/keys/${key.id}/revoke`))
    expect(answer).toEqual({ status: 403, message: deadText })
  })

  it('403 where the key is renewed, for what came with the former token; the new one goes on', async () => {
    const key = await newKey(app, ana, project)
    let renewed = key
    const answer = await sendSlowly(key, async () => {
      renewed = (await app.as(ana)('POST', `/keys/${key.id}/renew`)).json()
    })
    expect(answer).toEqual({ status: 403, message: deadText })
    expect((await sendBy(app, renewed, xmlOf())).statusCode).toBe(201)
  })

  it('403 where the key is over', async () => {
    const key = await newKey(app, ana, project, { expires_at: new Date(Date.now() + 3_600_000).toISOString() })
    const answer = await sendSlowly(key, async () => app.wait(3601))
    expect(answer).toEqual({ status: 403, message: deadText })
  })

  it('403 where the project is deleted', async () => {
    const place = await newProject(app, ana)
    await publish(app, ana, undefined, { project: place })
    const key = await newKey(app, ana, place)
    const answer = await sendSlowly(key, () => app.as(ana)('DELETE', `/projects/${place}`))
    expect(answer).toEqual({ status: 403, message: deadText })
  })

  it('403 where others reach the limit of a link', async () => {
    const link = await newLink(app, ana, form.formid, { limit: 1 })
    const answer = await sendSlowly(link, () => sendBy(app, link, xmlOf()))
    expect(answer).toEqual({ status: 403, message: deadText })
  })

  it('many senders and one who revokes: what was answered with 201 is stored, and nothing else', async () => {
    const key = await newKey(app, ana, project)
    const ids = Array.from({ length: 40 }, newId)
    const sent = ids.map(async (id) => ({ id, status: (await sendBy(app, key, xmlOf({ id }))).statusCode }))
    await Promise.race(sent)
    await app.as(ana)('POST', `/keys/${key.id}/revoke`)
    const answers = await Promise.all(sent)
    expect(new Set(answers.map(({ status }) => status)).size).toBeLessThanOrEqual(2)
    for (const { id, status } of answers) {
      const found = (await app.as(ana)('GET', `/data/${form.formid}/${id}`)).statusCode
      expect([status, found]).toEqual(status === 201 ? [201, 200] : [403, 404])
    }
    const taken = answers.filter(({ status }) => status === 201).length
    expect((await app.as(ana)('GET', `/keys/${key.id}`)).json()).toMatchObject({ submissions: taken })
  })
})

describe('an edit of what has not come yet', () => {
  const nameOf = async (id: string) => (await app.as(ana)('GET', `/data/${form.formid}/${id}`)).json().name
  const named = (name: string, ids: { id: string; deprecated?: string }) => instance(form, `<name>${name}</name>`, ids)

  it('keeps no other phone out: 201 for the original, and it is stored', async () => {
    const [phone, other, link] = [
      await newKey(app, ana, project),
      await newKey(app, ana, project),
      await newLink(app, ana, form.formid),
    ]
    for (const strange of [other, link]) {
      const original = newId()
      expect((await sendBy(app, strange, named('Eve', { id: newId(), deprecated: original }))).statusCode).toBe(201)
      expect((await sendBy(app, phone, named('Amina', { id: original }))).statusCode).toBe(201)
      expect(await nameOf(original)).toBe('Amina')
    }
  })

  it('nor another device without a key', async () => {
    const original = newId()
    const post = (device: string, xml: string) => {
      const { body, headers } = submissionBody(xml)
      return app.page('POST', `/ana/submission?deviceID=${device}`, { body, headers })
    }
    expect((await post('collect:eve', named('Eve', { id: newId(), deprecated: original }))).statusCode).toBe(201)
    expect((await post('collect:amina', named('Amina', { id: original }))).statusCode).toBe(201)
    expect(await nameOf(original)).toBe('Amina')
  })

  it('is one record with the original that the same phone sends', async () => {
    const phone = await newKey(app, ana, project)
    const [original, edited] = [newId(), newId()]
    expect((await sendBy(app, phone, named('Achieng', { id: edited, deprecated: original }))).statusCode).toBe(201)
    expect((await sendBy(app, phone, named('Amina', { id: original }))).statusCode).toBe(202)
    expect(await nameOf(edited)).toBe('Achieng')
  })

  it('original and edit at once through a link: both are stored, and nobody waits for the other', async () => {
    const link = await newLink(app, ana, form.formid)
    const pairs = Array.from({ length: 10 }, () => [newId(), newId()] as const)
    const answers = await Promise.all(
      pairs.flatMap(([original, edited]) => [
        sendBy(app, link, named('Amina', { id: original })),
        sendBy(app, link, named('Achieng', { id: edited, deprecated: original })),
      ]),
    )
    expect(answers.every(({ statusCode }) => [201, 403].includes(statusCode))).toBe(true)
    for (const [original] of pairs) expect(await nameOf(original)).toBe('Amina')
  })
})

describe('files of a record that came before', () => {
  const place = async () => {
    const here = await newProject(app, ana)
    const one = await publish(app, ana, sheet('type,name,label\ntext,name,Name\nimage,front,Front\nimage,back,Back'), {
      project: here,
    })
    return { here, one }
  }
  const media = async (id: string, of: PublishedForm) =>
    (await app.as(ana)('GET', `/data/${of.formid}/${id}`)).json()._media_count

  it('202 and added by another key of the same project, since a phone is set up anew', async () => {
    const { here, one } = await place()
    const [first, second] = [await newKey(app, ana, here), await newKey(app, ana, here)]
    const id = newId()
    await sendBy(app, first, xmlOf({ id }, one), { files: file('front.png') })
    await app.as(ana)('POST', `/keys/${first.id}/revoke`)
    expect((await sendBy(app, second, xmlOf({ id }, one), { files: file('back.png') })).statusCode).toBe(202)
    expect(await media(id, one)).toBe(2)
  })

  it('202 and added by a key of the project that the form has moved to', async () => {
    const { here, one } = await place()
    const there = await newProject(app, ana)
    const [former, present] = [await newKey(app, ana, here), await newKey(app, ana, there)]
    const id = newId()
    await sendBy(app, former, xmlOf({ id }, one), { files: file('front.png') })
    await app.as(ana)('POST', `/projects/${there}/forms`, { body: { formid: one.formid } })
    expect((await sendBy(app, former, xmlOf({ id }, one), { files: file('back.png') })).statusCode).toBe(404)
    expect((await sendBy(app, present, xmlOf({ id }, one), { files: file('back.png') })).statusCode).toBe(202)
    expect(await media(id, one)).toBe(2)
  })

  it('401 or 403 from whoever came without the key, and from keys for what people sent; nothing is dropped in silence', async () => {
    const { here, one } = await place()
    const key = await newKey(app, ana, here)
    const [byKey, byAna, byNobody] = [newId(), newId(), newId()]
    await sendBy(app, key, xmlOf({ id: byKey }, one))
    await send(app, ana, '/ana', xmlOf({ id: byAna }, one))
    await send(app, null, '/ana', xmlOf({ id: byNobody }, one))
    const files = file('front.png')
    expect((await send(app, null, '/ana', xmlOf({ id: byKey }, one), files)).statusCode).toBe(401)
    expect((await send(app, ana, '/ana', xmlOf({ id: byKey }, one), files)).statusCode).toBe(403)
    for (const id of [byAna, byNobody]) {
      expect((await sendBy(app, key, xmlOf({ id }, one), { files })).statusCode).toBe(403)
      expect((await sendBy(app, key, xmlOf({ id }, one))).statusCode).toBe(202)
    }
    for (const id of [byKey, byAna, byNobody]) expect(await media(id, one)).toBe(0)
  })
})

describe('an edit by a key', () => {
  it('403 for what came through another key, by an account, or where the version named lets no phone edit', async () => {
    const [one, other] = [await newKey(app, ana, project), await newKey(app, ana, project)]
    const [byKey, byAna] = [newId(), newId()]
    await sendBy(app, one, xmlOf({ id: byKey }))
    await send(app, ana, '/ana', xmlOf({ id: byAna }))
    expect((await sendBy(app, other, xmlOf({ deprecated: byKey }))).statusCode).toBe(403)
    expect((await sendBy(app, one, xmlOf({ deprecated: byAna }))).statusCode).toBe(403)
    expect((await sendBy(app, one, xmlOf({ deprecated: byKey }))).statusCode).toBe(201)
    const closed = await publish(app, ana, undefined, { project })
    const first = newId()
    const xml = (ids: { id?: string; deprecated?: string }) => instance(closed, '<name>x</name>', ids)
    await sendBy(app, one, xml({ id: first }))
    const refused = await sendBy(app, one, xml({ deprecated: first }))
    expect([refused.statusCode, messageIn(refused.body)]).toEqual([
      403,
      'This phone is not allowed to change this record. Show this to your supervisor.',
    ])
  })
})
