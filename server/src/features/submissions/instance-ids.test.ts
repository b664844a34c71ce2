// What counts as the same record: ids that stand elsewhere, and edits that come before what they replace.
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Account, testApp } from '../../../test/support/app.js'
import { type PublishedForm, publish, sheet } from '../../../test/support/forms.js'
import { instance, newId, type SentFile, send, submissionBody } from '../../../test/support/submissions.js'
import { differing } from '../../../test/support/verification.js'
import { buildApp } from '../../app.js'
import { openDeps } from '../../deps.js'
import { sql } from '../../platform/db/index.js'
import { openLog } from '../../platform/telemetry/index.js'

const app = testApp({ ENABLE_SUBMISSION_PERMANENT_DELETE: 'true' })
let ana: Account
let ben: Account
let form: PublishedForm

beforeAll(async () => {
  ana = await app.account({ username: 'ana' })
  ben = await app.account({ username: 'ben' })
})

beforeEach(async () => {
  form = await publish(app, ana, sheet('type,name,label\ntext,name,Name\nimage,photo,Photo'))
})

const post = async (as: Account | null, xml: string, files: SentFile[] = []) =>
  (await send(app, as, '/ana', xml, files)).statusCode

const xmlOf = (name: string, ids: { id?: string; deprecated?: string }, photo = '') =>
  instance(form, `<name>${name}</name><photo>${photo}</photo>`, ids)

const records = async () => (await app.as(ana)('GET', `/data/${form.formid}`)).json()
const names = async () => (await records()).map(({ name }: { name: string }) => name)
const photo = (name: string): SentFile => ({ name, content: name, type: 'image/jpeg' })

describe('an instance id as an attribute of the root', () => {
  const rooted = (id: string, meta = '') =>
    `<data id="${form.id_string}" instanceID="uuid:${id}"><name>Zoe</name>${meta}</data>`

  it('201, and 202 when it is sent again', async () => {
    const id = newId()
    expect([await post(ana, rooted(id)), await post(ana, rooted(id))]).toEqual([201, 202])
    expect(await records()).toMatchObject([{ _uuid: id }])
  })

  it('counts where meta/instanceID is missing or empty, and only there', async () => {
    const [root, meta] = [newId(), newId()]
    expect(await post(ana, rooted(root, `<meta><instanceID>uuid:${meta}</instanceID></meta>`))).toBe(201)
    expect(await records()).toMatchObject([{ _uuid: meta }])
    expect(await post(ana, rooted(root, '<meta><instanceID/></meta>'))).toBe(201)
    expect(await post(ana, rooted(root))).toBe(202)
    expect(await records()).toHaveLength(2)
  })
})

it.each(['uuid:', ' uuid: ', ' '])(
  'an instance id of «%s» alone is none: each record is one of its own, 201',
  async (id) => {
    const xml = (name: string) =>
      `<data id="${form.id_string}"><name>${name}</name><meta><instanceID>${id}</instanceID></meta></data>`
    expect([await post(ana, xml('one')), await post(ana, xml('two'))]).toEqual([201, 201])
    expect((await records()).map(({ _uuid }: { _uuid: string }) => _uuid.length)).toEqual([36, 36])
  },
)

describe('an edit that comes before what it replaces', () => {
  it('is one record: 201, then 202 for the original, which adds the files that are missing', async () => {
    const [first, second] = [newId(), newId()]
    expect(await post(ana, xmlOf('after', { id: second, deprecated: first }, 'b.jpg'))).toBe(201)
    expect(await post(ana, xmlOf('before', { id: first }, 'a.jpg'), [photo('a.jpg'), photo('b.jpg')])).toBe(202)
    expect(await records()).toMatchObject([{ name: 'after', _uuid: second, _media_count: 1, _edited: false }])
    expect((await app.as(ana)('GET', `/data/${form.formid}/${first}`)).json()).toMatchObject({ _uuid: second })
    expect(await differing(app)).toEqual({})
  })

  it('202 for it and for the original however often they come, also for whoever may not edit or has not signed in', async () => {
    for (const sender of [ana, ben, null]) {
      const [first, second] = [newId(), newId()]
      const [edit, original] = [xmlOf('after', { id: second, deprecated: first }), xmlOf('before', { id: first })]
      const statuses = []
      for (const xml of [edit, edit, original, edit, original]) statuses.push(await post(sender, xml))
      expect(statuses).toEqual([201, 202, 202, 202, 202])
    }
    expect(await names()).toEqual(['after', 'after', 'after'])
  })

  it('201 for the next edit, and 409 for another one of the original', async () => {
    const [first, second, third] = [newId(), newId(), newId()]
    expect(await post(ana, xmlOf('second', { id: second, deprecated: first }))).toBe(201)
    expect(await post(ana, xmlOf('other', { deprecated: first }))).toBe(409)
    expect(await post(ana, xmlOf('third', { id: third, deprecated: second }))).toBe(201)
    expect(await post(ana, xmlOf('first', { id: first }))).toBe(202)
    expect(await records()).toMatchObject([{ name: 'third', _edited: true }])
    expect(await differing(app)).toEqual({})
  })

  it('is one record when the edit of an edit comes first, then the edit, then the original', async () => {
    const [first, second, third] = [newId(), newId(), newId()]
    const edits = [
      xmlOf('third', { id: third, deprecated: second }),
      xmlOf('second', { id: second, deprecated: first }),
    ]
    for (const [status, xml] of [
      [201, edits[0]],
      [202, edits[1]],
      [202, xmlOf('first', { id: first })],
    ] as const) {
      expect(await post(ana, xml ?? '')).toBe(status)
    }
    expect(await names()).toEqual(['third'])
    expect(await differing(app)).toEqual({})
  })

  it('is one record when both come at the same instant to several processes, in any order', async () => {
    const log = openLog('silent')
    const deps = { ...(await openDeps(app.deps.config, app.deps.db, log)), passwordCost: app.deps.passwordCost }
    const { app: other } = await buildApp(deps, log)
    const toOther = (xml: string) => {
      const { body, headers } = submissionBody(xml)
      const authorization = `Token ${ana.apiToken}`
      return other.inject({
        method: 'POST',
        url: '/ana/submission',
        payload: body,
        headers: { ...headers, authorization },
      })
    }
    for (let round = 0; round < 8; round++) {
      const [first, second] = [newId(), newId()]
      const sent = [xmlOf('after', { id: second, deprecated: first }), xmlOf('before', { id: first })]
      const [one, two] = (round % 2 === 0 ? sent : sent.toReversed()) as [string, string]
      const all = [toOther(one), send(app, ana, '/ana', two), send(app, ana, '/ana', one), toOther(two)]
      for (const { statusCode } of await Promise.all(all)) expect([201, 202]).toContain(statusCode)
      expect(await names()).toEqual(Array(round + 1).fill('after'))
    }
    await other.close()
    await deps.mail.close()
    await deps.outbound.close()
    expect(await differing(app)).toEqual({})
  })

  it('keeps nobody else out: 201 for an original, and for an edit, that somebody else has foretold', async () => {
    const [first, second] = [newId(), newId()]
    expect(await post(ben, xmlOf('squat', { deprecated: first }))).toBe(201)
    expect(await post(ana, xmlOf('mine', { id: second, deprecated: first }))).toBe(201)
    expect(await post(ana, xmlOf('before', { id: first }))).toBe(202)
    const [third] = [newId()]
    expect(await post(null, xmlOf('nobody', { deprecated: third }))).toBe(201)
    expect(await post(ana, xmlOf('original', { id: third }))).toBe(201)
    expect(await names()).toEqual(['squat', 'mine', 'nobody', 'original'])
    expect(await differing(app)).toEqual({})
  })

  it('201 for what names itself as what it replaces', async () => {
    const id = newId()
    const xml = xmlOf('one', { id, deprecated: id })
    expect([await post(ben, xml), await post(ben, xml)]).toEqual([201, 403])
    expect(await names()).toEqual(['one'])
    const ids = await app.database.db.rows(sql`
      select uuid, is_foretold as "isForetold" from instance_ids where form_id = ${form.formid}`)
    expect(ids).toEqual([{ uuid: id, isForetold: false }])
  })

  it('foretells nothing where its own id is that of a record of somebody else', async () => {
    const [taken, former] = [newId(), newId()]
    expect(await post(ben, xmlOf('theirs', { id: taken }))).toBe(201)
    expect(await post(ana, xmlOf('mine', { id: taken, deprecated: former }))).toBe(202)
    expect(await names()).toEqual(['theirs'])
    expect(await post(ana, xmlOf('original', { id: former }))).toBe(201)
    expect(await differing(app)).toEqual({})
  })

  it('takes the ids that it foretold with it when it is deleted for good; until then the original is 202', async () => {
    const [first, second] = [newId(), newId()]
    await post(ana, xmlOf('after', { id: second, deprecated: first }))
    const [{ _id: id }] = await records()
    await app.as(ana)('DELETE', `/data/${form.formid}/${id}`)
    expect(await post(ana, xmlOf('before', { id: first }))).toBe(202)
    expect(
      (await app.as(ana)('POST', `/data/${form.formid}/restore`, { body: { instance_ids: [id] } })).statusCode,
    ).toBe(200)
    expect(await names()).toEqual(['after'])
    const forGood = { body: { permanent_delete: true } }
    expect((await app.as(ana)('DELETE', `/data/${form.formid}/${id}`, forGood)).body).toBe('')
    const left = await app.database.db.rows(sql`select uuid from instance_ids where form_id = ${form.formid}`)
    expect(left).toEqual([])
    expect(await post(ana, xmlOf('before', { id: first }))).toBe(201)
    expect(await differing(app)).toEqual({})
  })
})
