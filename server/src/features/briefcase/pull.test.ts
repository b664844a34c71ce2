import { createHash } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { type Account, testApp } from '../../../test/support/app.js'
import { allIds, pullerOf, textsIn } from '../../../test/support/briefcase.js'
import { type PublishedForm, publish, sheet } from '../../../test/support/forms.js'
import { shareForm } from '../../../test/support/notes.js'
import { newProject } from '../../../test/support/projects.js'
import { instance, newId, send } from '../../../test/support/submissions.js'
import { budgets } from '../../budgets.js'
import { sql } from '../../platform/db/index.js'

const app = testApp()
let ana: Account
let form: PublishedForm
let project: number

const survey = (id: string) =>
  sheet('type,name,label\ntext,name,Name\nimage,photo,Photo', { settings: { form_id: id, version: '5' } })

beforeAll(async () => {
  ana = await app.account({ username: 'ana', password: 'secret words' })
  await app.as(ana)('PATCH', '/profiles/ana', { body: { require_auth: true } })
  project = await newProject(app, ana)
  form = await publish(app, ana, survey('visit'), { project })
})

const sent = async (
  of: PublishedForm,
  name: string,
  { by = ana, ...ids }: { by?: Account; id?: string; deprecated?: string } = {},
) => {
  const id = ids.id ?? newId()
  const answer = await send(app, by, '/ana', instance(of, `<name>${name}</name>`, { ...ids, id }))
  if (answer.statusCode !== 201) throw new Error(answer.body)
  return `uuid:${id}`
}

describe('GET …/view/submissionList', () => {
  it.each([
    ['the bare address', () => ''],
    ['an account', () => '/ana'],
    ['a project', () => `/projects/${project}`],
    ['a form', () => `/forms/${form.formid}`],
  ])('200 below %s: ids in the order of their changes, some at a time, until a list is empty', async (_, base) => {
    const expected = await allIds(pullerOf(app, ana, base()), 'visit', 1000)
    const fresh = [await sent(form, 'a'), await sent(form, 'b'), await sent(form, 'c')]
    for (const numEntries of [1, 2, 100]) {
      expect(await allIds(pullerOf(app, ana, base()), 'visit', numEntries)).toEqual([...expected, ...fresh])
    }
  })

  it('200 in the words of Aggregate, with the headers of devices', async () => {
    const own = await publish(app, ana, survey('words'))
    const id = await sent(own, 'a')
    const answer = await app.page('GET', '/ana/view/submissionList?formId=words&cursor=&numEntries=100', {
      headers: { authorization: `Token ${ana.apiToken}` },
    })
    expect([answer.headers['content-type'], answer.headers['x-openrosa-version']]).toEqual([
      'text/xml; charset=utf-8',
      '1.0',
    ])
    expect(answer.body).toMatch(
      new RegExp(
        `^<idChunk xmlns="http://opendatakit.org/submissions"><idList><id>${id}</id></idList><resumptionCursor>&lt;cursor xmlns=.*&lt;/cursor&gt;</resumptionCursor></idChunk>$`,
      ),
    )
  })

  it('200: what is edited comes again under its new id, what is new comes behind, what is deleted does not come', async () => {
    const own = await publish(app, ana, survey('changing'))
    const puller = pullerOf(app, ana, '/ana')
    const [first, second, third] = [await sent(own, 'a'), await sent(own, 'b'), await sent(own, 'c')]
    const { cursor, ids } = await puller.list('changing', '', 2)
    expect(ids).toEqual([first, second])
    const edit = await sent(own, 'a more', { deprecated: first.slice(5) })
    const fresh = await sent(own, 'd')
    const [{ _id }] = (await app.as(ana)('GET', `/data/${own.formid}?query={"name":"b"}`)).json()
    await app.as(ana)('DELETE', `/data/${own.formid}/${_id}`)
    const next = await puller.list('changing', cursor)
    expect(next.ids).toEqual([third, edit, fresh])
    const end = await puller.list('changing', next.cursor)
    expect([end.ids, end.cursor]).toEqual([[], next.cursor])
    const later = await sent(own, 'e')
    expect((await puller.list('changing', end.cursor)).ids).toEqual([later])
  })

  it('200 with no id missing and none twice, while others send', async () => {
    const own = await publish(app, ana, survey('busy'))
    const puller = pullerOf(app, ana, '/ana')
    const sending = Promise.all(Array.from({ length: 40 }, (_, at) => sent(own, `n${at}`)))
    const seen: string[] = []
    let cursor = ''
    let isOver = false
    const over = sending.then(() => {
      isOver = true
    })
    for (let isLast = false; !isLast; ) {
      isLast = isOver
      const chunk = await puller.list('busy', cursor, 3)
      seen.push(...chunk.ids)
      cursor = chunk.cursor
      if (chunk.ids.length > 0) isLast = false
    }
    await over
    expect([...seen].sort()).toEqual([...(await sending)].sort())
  })

  it('200 with budgets.pulls.mostEntries at most, and budgets.pulls.entries where none or no number is asked for', async () => {
    const own = await publish(app, ana, survey('many'))
    const { entries, mostEntries } = budgets.pulls
    await app.database.db.run(sql`
      insert into submissions (form_id, id, uuid, xml, answers, version, model_number, root_name, status, submitted_at,
        modified_at, change_no, media_total, media_count, attachments)
      select ${own.formid}, nextval('submission_ids'), 'many' || n, '<data/>', '{}', '5', 1, 'data', 'submitted_via_web',
        now(), now(), next_change(), 0, 0, '[]' from generate_series(1, ${mostEntries + 1}::int) n`)
    const puller = pullerOf(app, ana, '/ana')
    expect((await puller.list('many', '', 1_000_000)).ids).toHaveLength(mostEntries)
    for (const count of ['', 'x', '0', '-5']) {
      const { body } = await puller.get(`/ana/view/submissionList?formId=many&numEntries=${count}`)
      expect(textsIn(body, 'id')).toHaveLength(entries)
    }
  })

  it('400 without a form, with a cursor of another server, and where several forms are meant', async () => {
    const puller = pullerOf(app, ana)
    expect((await puller.list('')).status).toBe(400)
    expect((await puller.list('visit', '12345')).status).toBe(400)
    const [ben, cat] = [await app.account(), await app.account()]
    for (const other of [ben, cat]) {
      const theirs = await publish(app, other, survey('shared'))
      await shareForm(app, other, theirs, ana, 'editor')
    }
    expect((await puller.list('shared')).status).toBe(400)
    expect((await pullerOf(app, ana, `/${ben.username}`).list('shared')).status).toBe(200)
  })
})

describe('who may pull', () => {
  it('200 with their own records for dataentry-minor, 403 without export, 404 without sight of data', async () => {
    const own = await publish(app, ana, survey('rights'))
    const others = await sent(own, 'of ana')
    const people = { minor: await app.account(), looker: await app.account(), sender: await app.account() }
    await shareForm(app, ana, own, people.minor, 'dataentry-minor')
    await shareForm(app, ana, own, people.looker, 'readonly-no-download')
    await shareForm(app, ana, own, people.sender, 'dataentry-only')
    const mine = await sent(own, 'own', { by: people.minor })
    const minor = pullerOf(app, people.minor, '/ana')
    expect((await minor.list('rights')).ids).toEqual([mine])
    expect((await minor.record('rights', mine)).status).toBe(200)
    expect((await minor.record('rights', others)).status).toBe(404)
    expect((await pullerOf(app, people.looker, '/ana').list('rights')).status).toBe(403)
    expect((await pullerOf(app, people.looker, '/ana').record('rights', others)).status).toBe(403)
    expect((await pullerOf(app, people.sender, '/ana').list('rights')).status).toBe(404)
  })

  it('404 for a stranger, exactly as for a missing form, in every call; 401 without a name', async () => {
    const id = await sent(form, 'a')
    const stranger = pullerOf(app, await app.account(), '/ana')
    const pairs = [
      [await stranger.list('visit'), await stranger.list('missing')],
      [await stranger.record('visit', id), await stranger.record('missing', id)],
      [await stranger.get('/ana/formXml?formId=visit'), await stranger.get('/ana/formXml?formId=missing')],
    ] as const
    for (const [hidden, missing] of pairs) expect([hidden.status, hidden.body]).toEqual([404, missing.body])
    for (const base of ['', '/ana', `/projects/${project}`, `/forms/${form.formid}`]) {
      const answer = await app.page('GET', `${base}/view/submissionList?formId=visit`)
      expect([answer.statusCode, answer.headers['www-authenticate']]).toEqual([401, expect.stringContaining('Basic')])
    }
  })

  it('200 for everybody where the data are public, and with a password as Basic', async () => {
    const basic = { authorization: `Basic ${Buffer.from('ana:secret words').toString('base64')}` }
    const answer = await app.page('GET', '/ana/view/submissionList?formId=visit', { headers: basic })
    expect(answer.statusCode).toBe(200)
    const open = await publish(app, ana, survey('open'))
    await app.as(ana)('PATCH', `/forms/${open.formid}`, { body: { public_data: true } })
    const id = await sent(open, 'a')
    expect((await pullerOf(app, await app.account(), '/ana').list('open')).ids).toEqual([id])
  })

  it('200 for closed forms: their data stay readable, and so does what was asked', async () => {
    const closed = await publish(app, ana, survey('closed'))
    const id = await sent(closed, 'a')
    await app.as(ana)('PATCH', `/forms/${closed.formid}`, { body: { downloadable: false } })
    const puller = pullerOf(app, ana, '/ana')
    expect((await puller.list('closed')).ids).toEqual([id])
    expect((await puller.get('/ana/formXml?formId=closed')).body).toContain('id="closed"')
  })
})

describe('GET …/view/downloadSubmission', () => {
  it('200 with the record: no xmlns of its own, its id and time on the root, its files by the md5 of their bytes', async () => {
    const id = newId()
    const content = Buffer.from([0xff, 0xd8, 1, 2, 3])
    const xml = instance(form, '<name>A &amp; B</name><photo>a b.jpg</photo>', { id }).replace(
      '<data ',
      '<data xmlns="http://x" ',
    )
    await send(app, ana, '/ana', xml, [{ name: 'a b.jpg', content, type: 'image/jpeg' }])
    const puller = pullerOf(app, ana, '/ana')
    const { status, body } = await puller.record('visit', `uuid:${id}`)
    expect(status).toBe(200)
    expect(body).toMatch(
      new RegExp(
        `^<submission xmlns="http://opendatakit.org/submissions" xmlns:orx="http://openrosa.org/xforms"><data><data xmlns:orx="http://openrosa.org/xforms" id="visit" version="5" instanceID="uuid:${id}" submissionDate="[0-9-]{10}T[0-9:]{8}\\.[0-9]{3}\\+00:00"><form><uuid>${form.uuid}</uuid></form><name>A &amp; B</name><photo>a b.jpg</photo><orx:meta><orx:instanceID>uuid:${id}</orx:instanceID></orx:meta></data></data><mediaFile>`,
      ),
    )
    expect(textsIn(body, 'filename')).toEqual(['a b.jpg'])
    expect(textsIn(body, 'hash')).toEqual([`md5:${createHash('md5').update(content).digest('hex')}`])
    const address = new URL(textsIn(body, 'downloadUrl')[0] ?? '')
    expect((await puller.get(address.pathname)).bytes).toEqual(content)
  })

  it('200 whatever Briefcase writes for the version, and by a former id', async () => {
    const first = await sent(form, 'a')
    const edit = await sent(form, 'b', { deprecated: first.slice(5) })
    const puller = pullerOf(app, ana, '/ana')
    for (const version of ['5', 'Optional[5]', 'Optional.empty', 'null']) {
      const { status, body } = await puller.record('visit', first, version)
      expect([status, body.includes(`instanceID="${edit}"`)]).toEqual([200, true])
    }
  })

  it('400 for what names no record, 404 for one that is not there or deleted', async () => {
    const puller = pullerOf(app, ana, '/ana')
    expect((await puller.get('/ana/view/downloadSubmission?formId=visit')).status).toBe(400)
    expect((await puller.get('/ana/view/downloadSubmission')).status).toBe(400)
    expect((await puller.record('visit', `uuid:${newId()}`)).status).toBe(404)
  })
})

describe('GET /view/files/{form}/{file}', () => {
  it('404 for a stranger, exactly as for a missing one; 401 with a challenge for whoever has not signed in', async () => {
    const id = newId()
    await send(app, ana, '/ana', instance(form, '<photo>x.jpg</photo>', { id }), [{ name: 'x.jpg', content: 'x' }])
    const { body } = await pullerOf(app, ana, '/ana').record('visit', `uuid:${id}`)
    const { pathname } = new URL(textsIn(body, 'downloadUrl')[0] ?? '')
    const stranger = pullerOf(app, await app.account())
    const [hidden, missing] = [await stranger.get(pathname), await stranger.get('/view/files/2147483647/1')]
    expect([hidden.status, hidden.body]).toEqual([404, missing.body])
    const minor = await app.account()
    await shareForm(app, ana, form, minor, 'dataentry-minor')
    expect((await pullerOf(app, minor).get(pathname)).status).toBe(404)
    const anonymous = await app.page('GET', pathname)
    expect([anonymous.statusCode, anonymous.headers['www-authenticate']]).toEqual([
      401,
      expect.stringContaining('Basic'),
    ])
  })
})

describe('encrypted forms', () => {
  it('200 with the records alone whose files have all arrived, each when its last file has', async () => {
    const own = await publish(app, ana, survey('secret'))
    await app.database.db.run(sql`update forms set public_key = 'MIIB' where id = ${own.formid}`)
    const envelope = (id: string) =>
      `<data xmlns="http://www.opendatakit.org/xforms/encrypted" id="secret" version="5" encrypted="yes"><base64EncryptedKey>k</base64EncryptedKey><encryptedXmlFile>submission.xml.enc</encryptedXmlFile><meta><instanceID>uuid:${id}</instanceID></meta></data>`
    const [late, whole] = [newId(), newId()]
    const file = [{ name: 'submission.xml.enc', content: 'sealed' }]
    expect((await send(app, ana, '/ana', envelope(late))).statusCode).toBe(201)
    expect((await send(app, ana, '/ana', envelope(whole), file)).statusCode).toBe(201)
    const puller = pullerOf(app, ana, '/ana')
    const { ids, cursor } = await puller.list('secret')
    expect(ids).toEqual([`uuid:${whole}`])
    expect((await send(app, ana, '/ana', envelope(late), file)).statusCode).toBeLessThan(300)
    expect((await puller.list('secret', cursor)).ids).toEqual([`uuid:${late}`])
    expect((await puller.record('secret', `uuid:${late}`)).body).toContain('encrypted="yes"')
  })
})
