// A test form as a phone sees it, and what becomes of what the phone sends.
import { createHash, generateKeyPairSync } from 'node:crypto'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Account, testApp } from '../../../test/support/app.js'
import { addToDraft, type DraftBody, draftDeadText, newDraft, sendForm } from '../../../test/support/drafts.js'
import { type PublishedForm, publish, sheet } from '../../../test/support/forms.js'
import { deadText, fetchBy, messageIn, newKey, sendBy } from '../../../test/support/keys.js'
import { meanwhile } from '../../../test/support/meanwhile.js'
import { newProject } from '../../../test/support/projects.js'
import { instance, newId } from '../../../test/support/submissions.js'
import { differing } from '../../../test/support/verification.js'
import { budgets } from '../../budgets.js'
import { sql } from '../../platform/db/index.js'

const app = testApp()
let ana: Account
let project: number
let form: PublishedForm
let draft: DraftBody

const survey = (settings: Record<string, string> = {}, more = '') =>
  sheet(
    `type,name,label
     text,name,Name
     image,photo,Photo
     begin repeat,kids,Kids
     text,kid,Kid
     end repeat,,${more}`,
    { settings: { form_id: `visit${project}`, form_title: 'Visit', ...settings } },
  )
const next = (settings: Record<string, string> = {}) =>
  survey({ form_title: 'Next', ...settings }, '\ntext,village,Village')

beforeAll(async () => {
  ana = await app.account({ username: 'ana' })
})

beforeEach(async () => {
  project = await newProject(app, ana)
  form = await publish(app, ana, survey(), { project })
  draft = await newDraft(app, ana, form.formid, next())
})

const answers =
  '<name>=Ana</name><village>V</village><photo>a.png</photo><kids><kid>Tim</kid></kids><kids><kid>Tom</kid></kids>'
const record = (id = newId(), more = answers) =>
  instance({ id_string: form.id_string, version: draft.version }, more, { id })
const picture = [{ name: 'a.png', content: Buffer.from('a picture'), type: 'image/png' }]
const tried = async () => (await app.as(ana)('GET', `/forms/${form.formid}/draft/data`)).json()
const replaceIt = async (text = next()): Promise<DraftBody> =>
  (await sendForm(app, ana, 'PUT', `/forms/${form.formid}/draft`, text)).json()
const publishIt = () => app.as(ana)('POST', `/forms/${form.formid}/draft/publish`)
const forget = () => app.as(ana)('DELETE', `/forms/${form.formid}/draft/data`)
const purge = () => app.deps.jobs.run('drafts.purge', {})

describe('by the key of a draft', () => {
  it('the list has the draft alone, marked as a test, with its own version and the hash of its own bytes', async () => {
    await publish(app, ana, sheet('type,name,label\ntext,a,A'), { project })
    const list = await fetchBy(app, draft, '/formList')
    expect([list.statusCode, list.body.match(/<xform>/g)]).toEqual([200, ['<xform>']])
    expect(list.body).toContain('<name>[test] Next</name>')
    expect(list.body).toContain(`<version>${draft.version}</version>`)
    const xml = await fetchBy(app, draft, `/forms/${form.formid}/form.xml`)
    expect(xml.body).toContain('village')
    const md5 = createHash('md5').update(xml.body).digest('hex')
    expect([`md5:${md5}`, list.body.includes(`<hash>md5:${md5}</hash>`)]).toEqual([draft.hash, true])
    expect(list.body).toContain(`${draft.address}/forms/${form.formid}/form.xml`)
    expect((await fetchBy(app, draft, '/formList?formID=other')).body).not.toContain('<xform>')
    expect((await fetchBy(app, draft, `/forms/${form.formid + 1}/form.xml`)).statusCode).toBe(404)
    const key = await newKey(app, ana, project)
    expect((await fetchBy(app, key, '/formList')).body).not.toContain('[test]')
    expect((await fetchBy(app, key, `/forms/${form.formid}/form.xml`)).body).not.toContain('village')
  })

  it('its files are its own copy: what is added to it no other phone gets, and what the form loses it keeps', async () => {
    const media = async (by: { token: string }) =>
      [...(await fetchBy(app, by, `/xformsManifest/${form.formid}`)).body.matchAll(/<filename>([^<]*)</g)].map(
        ([, name]) => name,
      )
    const upload = await app.as(ana)('POST', '/metadata', {
      body: { xform: form.formid, data_type: 'media', data_value: `xform ${form.formid} people` },
    })
    expect(upload.statusCode).toBe(201)
    draft = await replaceIt()
    const fresh = await (async () => {
      await app.as(ana)('DELETE', `/forms/${form.formid}/draft`)
      return newDraft(app, ana, form.formid, next())
    })()
    expect((await addToDraft(app, ana, form.formid, 'villages.csv', 'name\nV\n')).statusCode).toBe(201)
    expect((await media(fresh)).sort()).toEqual(['people.csv', 'villages.csv'])
    expect(await media(await newKey(app, ana, project))).toEqual(['people.csv'])
    const manifest = (await fetchBy(app, fresh, `/xformsManifest/${form.formid}`)).body
    for (const [, address = ''] of manifest.matchAll(/<downloadUrl>([^<]*)</g)) {
      const { pathname, search } = new URL(address.replaceAll('&amp;', '&'))
      expect(pathname.startsWith(`/key/${fresh.token}/`)).toBe(true)
      expect((await app.page('GET', pathname + search)).statusCode).toBe(200)
    }
  })

  it('201, and 202 when it is sent again; files come in several posts and are read at their addresses', async () => {
    const id = newId()
    expect((await sendBy(app, draft, record(id))).statusCode).toBe(201)
    expect((await sendBy(app, draft, record(id), { files: picture })).statusCode).toBe(202)
    expect((await sendBy(app, draft, record(id), { files: picture })).statusCode).toBe(202)
    const [one, ...more] = await tried()
    expect([one.name, one.village, one._uuid, one._version, more]).toEqual(['=Ana', 'V', id, draft.version, []])
    expect(one._attachments).toMatchObject([{ name: 'a.png' }])
    const file = await app.as(ana)('GET', new URL(one._attachments[0].download_url).pathname.replace('/api/v1', ''))
    expect([file.statusCode, file.body]).toEqual([200, 'a picture'])
    const csv = (await app.as(ana)('GET', `/forms/${form.formid}/draft/data.csv`)).body
    expect(csv.split('\n')[0]).toMatch(/^name,village,photo,kids\[1\]\/kid,kids\[2\]\/kid.*_uuid/)
    expect(csv).toContain("'=Ana")
  })

  it('twenty at once with one id are one', async () => {
    const xml = record()
    const codes = (
      await Promise.all(Array.from({ length: 20 }, () => sendBy(app, draft, xml, { files: picture })))
    ).map(({ statusCode }) => statusCode)
    expect(codes.sort()).toEqual([201, ...Array.from({ length: 19 }, () => 202)])
    expect(await tried()).toMatchObject([{ _attachments: [{ name: 'a.png' }] }])
  })

  it('what is sent to it is nowhere among the data: not in records, counts, files, charts, events, exports or activity', async () => {
    expect((await sendBy(app, draft, record(), { files: picture })).statusCode).toBe(201)
    const get = async (path: string) => (await app.as(ana)('GET', path)).json()
    expect(await get(`/data/${form.formid}`)).toEqual([])
    expect(await get(`/forms/${form.formid}`)).toMatchObject({
      num_of_submissions: 0,
      last_submission_time: null,
      form_versions: [],
    })
    expect(await get(`/media?xform=${form.formid}`)).toEqual([])
    expect(await get(`/messaging?target_type=xform&target_id=${form.formid}`)).toEqual([])
    expect((await get(`/projects/${project}`)).last_submission_date).toBeNull()
    expect((await get(`/stats/submissions/${form.formid}?group=name`)) ?? []).toEqual([])
    const { rows } = await app.database.db.one<{ rows: number }>(sql`
      select (select count(*) from submissions where form_id = ${form.formid})
        + (select count(*) from instance_ids where form_id = ${form.formid})
        + (select count(*) from form_counts where form_id = ${form.formid})
        + (select count(*) from deliveries where form_id = ${form.formid}) as rows`)
    expect(rows).toBe(0)
  })

  it('404 for a record of another form', async () => {
    const other = instance({ id_string: 'other' }, '<name>Ana</name>')
    expect((await sendBy(app, draft, other)).statusCode).toBe(404)
    expect(await tried()).toEqual([])
  })

  it('400 for plain records of a draft that encrypts, 201 for encrypted ones', async () => {
    const { publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
    const key = publicKey.export({ type: 'spki', format: 'der' }).toString('base64')
    draft = await replaceIt(next({ public_key: key }))
    expect((await sendBy(app, draft, record())).statusCode).toBe(400)
    const envelope = record(
      newId(),
      '<base64EncryptedKey>a</base64EncryptedKey><encryptedXmlFile>submission.xml.enc</encryptedXmlFile>',
    ).replace('<data ', '<data encrypted="yes" ')
    const sent = await sendBy(app, draft, envelope, { files: [{ name: 'submission.xml.enc', content: 'x' }] })
    expect([sent.statusCode, sent.body.includes('encrypted="yes"')]).toEqual([201, true])
  })

  it('409 when it is full, and nothing of what was sent is kept', async () => {
    await app.database.db.run(sql`
      insert into draft_records (draft_id, uuid, xml, answers, version, media_total, received_at)
      select id, n::text, '<data/>', '{}', '1', 0, now() from form_drafts, generate_series(1, ${budgets.drafts.records}) as n
      where form_id = ${form.formid}`)
    const sent = await sendBy(app, draft, record(), { files: picture })
    expect([sent.statusCode, messageIn(sent.body)]).toEqual([409, expect.stringContaining('full')])
    const { pending } = await app.database.db.one<{ pending: number }>(sql`
      select count(*) as pending from pending_files where file_key like 'attachments/%'`)
    expect([(await tried()).length, pending]).toEqual([budgets.drafts.records, 0])
  })

  it('409 when its records or its files are too much together, and for one more file that goes with it', async () => {
    const fill = (xmlBytes: number, fileBytes: number) =>
      app.database.db.run(sql`
        with own as (select id from form_drafts where form_id = ${form.formid}),
        records as (
          insert into draft_records (draft_id, uuid, xml, answers, version, media_total, received_at)
          select id, 'large', repeat('x', ${xmlBytes}), '{}', '1', 0, now() from own returning draft_id)
        insert into draft_files (draft_id, uuid, name, file_key, mimetype, bytes, sha256, md5)
        select draft_id, 'large', 'a.mp4', 'nowhere', 'video/mp4', ${fileBytes}::bigint, '', '' from records`)
    await fill(budgets.drafts.xmlBytes, 1)
    expect((await sendBy(app, draft, record())).statusCode).toBe(409)
    await forget()
    await fill(1, budgets.drafts.fileBytes)
    expect((await sendBy(app, draft, record())).statusCode).toBe(201)
    expect((await sendBy(app, draft, record(), { files: picture })).statusCode).toBe(409)
    await forget()
    expect(await tried()).toEqual([])
    await app.database.db.run(sql`
      insert into draft_media (draft_id, name, change, file_type, file_hash)
      select id, n::text, 'removed', '', '' from form_drafts, generate_series(1, ${budgets.drafts.media}) as n
      where form_id = ${form.formid}`)
    expect((await addToDraft(app, ana, form.formid, 'more.csv', 'a')).statusCode).toBe(409)
  })
})

describe('a draft that is saved again', () => {
  const listed = async () => (await fetchBy(app, draft, '/formList')).body

  it('is on the phone by the code that it has, with another hash; what was sent stays, each with its version', async () => {
    const first = draft
    expect((await sendBy(app, draft, record(), { files: picture })).statusCode).toBe(201)
    draft = await replaceIt(survey({ form_title: 'Third', version: 'three' }, '\ntext,street,Street'))
    expect(draft.token).toBe(first.token)
    expect(await listed()).toContain('<name>[test] Third</name>')
    expect([(await listed()).includes(draft.hash), (await listed()).includes(first.hash)]).toEqual([true, false])
    expect((await fetchBy(app, first, `/forms/${form.formid}/form.xml`)).body).toContain('street')
    expect((await sendBy(app, draft, record(newId(), '<name>Ben</name><street>S</street>'))).statusCode).toBe(201)
    expect(await tried()).toMatchObject([
      { name: '=Ana', village: 'V', _version: first.version, _attachments: [{ name: 'a.png' }] },
      { name: 'Ben', street: 'S', _version: 'three' },
    ])
    expect(await differing(app, true)).toEqual({})
  })

  it('201 for what a phone filled in before it was saved, also while it is saved', async () => {
    const filled = record()
    const saved = sql`update form_drafts set revision = default, version = 'later' where form_id = ${form.formid}`
    const uploads = sql`lock table pending_files in exclusive mode`
    const post = () => sendBy(app, draft, filled, { files: picture })
    expect((await meanwhile(app, uploads, post, (tx) => tx.run(saved))).statusCode).toBe(201)
    const former = draft.version
    await replaceIt()
    expect((await sendBy(app, draft, record())).statusCode).toBe(201)
    expect(await tried()).toMatchObject([{ _version: former }, { _version: former }])
  })

  it('holds by the right of whoever saved last; a key that was revoked is followed by another', async () => {
    const ben = await app.account()
    const share = (role: string) =>
      app.as(ana)('POST', `/forms/${form.formid}/share`, { body: { username: ben.username, role } })
    await share('manager')
    expect((await sendForm(app, ben, 'PUT', `/forms/${form.formid}/draft`, next())).statusCode).toBe(200)
    await share('readonly')
    expect((await fetchBy(app, draft, '/formList')).statusCode).toBe(403)
    expect((await replaceIt()).token).toBe(draft.token)
    expect((await fetchBy(app, draft, '/formList')).statusCode).toBe(200)
    expect((await app.as(ana)('POST', `/keys/${draft.key}/revoke`)).statusCode).toBeLessThan(300)
    const fresh = await replaceIt()
    expect(fresh.token).not.toBe(draft.token)
    expect([
      (await fetchBy(app, draft, '/formList')).statusCode,
      (await fetchBy(app, fresh, '/formList')).statusCode,
    ]).toEqual([403, 200])
  })

  it('204 deletes what was sent to it, and nothing else', async () => {
    await sendBy(app, draft, record(), { files: picture })
    await addToDraft(app, ana, form.formid, 'villages.csv', 'name\nV\n')
    expect((await forget()).statusCode).toBe(204)
    expect(await tried()).toEqual([])
    const { media, token } = (await app.as(ana)('GET', `/forms/${form.formid}/draft`)).json()
    expect([media.length, token]).toEqual([1, draft.token])
    expect(await differing(app, true)).toEqual({})
  })
})

const ways = [
  ['published', () => publishIt()],
  ['thrown away', () => app.as(ana)('DELETE', `/forms/${form.formid}/draft`)],
  ['gone with its form', () => app.as(ana)('DELETE', `/forms/${form.formid}`)],
] as const

describe('a draft that is no longer there', () => {
  it.each(ways)('403 in words of its own for its former key: %s', async (_how, end) => {
    const former = draft
    expect((await sendBy(app, former, record(), { files: picture })).statusCode).toBe(201)
    await end()
    const answers = [
      await fetchBy(app, former, '/formList'),
      await fetchBy(app, former, `/forms/${form.formid}/form.xml`),
      await sendBy(app, former, record()),
    ]
    expect(answers.map(({ statusCode, body }) => [statusCode, messageIn(body)])).toEqual(
      answers.map(() => [403, draftDeadText]),
    )
    expect(draftDeadText).not.toBe(deadText)
  })

  it('403 for what is sent while it is thrown away and another one is made: nothing of it is kept, its file neither', async () => {
    const former = draft
    const uploads = sql`lock table pending_files in exclusive mode`
    const replaced = sql`update form_drafts set id = default where form_id = ${form.formid}`
    const answer = await meanwhile(
      app,
      uploads,
      () => sendBy(app, former, record(), { files: picture }),
      (tx) => tx.run(replaced),
    )
    expect([answer.statusCode, messageIn(answer.body)]).toEqual([403, draftDeadText])
    expect(await tried()).toEqual([])
  })

  it('403 when whoever made it no longer manages the form', async () => {
    const ben = await app.account()
    await app.as(ana)('POST', `/forms/${form.formid}/share`, { body: { username: ben.username, role: 'manager' } })
    await app.as(ana)('DELETE', `/forms/${form.formid}/draft`)
    const own = await newDraft(app, ben, form.formid, next())
    expect((await fetchBy(app, own, '/formList')).statusCode).toBe(200)
    await app.as(ana)('POST', `/forms/${form.formid}/share`, { body: { username: ben.username, role: 'readonly' } })
    expect((await fetchBy(app, own, '/formList')).statusCode).toBe(403)
  })

  it('what was sent to it is gone, with its files: nothing stays in the store, and everything that is stored agrees', async () => {
    expect((await sendBy(app, draft, record(), { files: picture })).statusCode).toBe(201)
    await addToDraft(app, ana, form.formid, 'villages.csv', 'name\nV\n')
    expect(await differing(app, true)).toEqual({})
    const { keys } = await app.database.db.one<{ keys: string[] }>(sql`
      with own as (select id from form_drafts where form_id = ${form.formid})
      select array(
        select file_key from draft_files where draft_id in (select id from own)
        union all select file_key from draft_media where change = 'added' and draft_id in (select id from own)) as keys`)
    await app.as(ana)('DELETE', `/forms/${form.formid}/draft`)
    await app.deps.jobs.run('uploads.purge', {})
    expect(keys).toHaveLength(2)
    for (const key of keys) expect([key, await app.deps.files.exists(key)]).toEqual([key, false])
    expect(await differing(app, true)).toEqual({})
  })

  it('records go after thirty days, the draft stays; those of deleted forms go with it', async () => {
    await sendBy(app, draft, record(), { files: picture })
    await purge()
    expect(await tried()).toHaveLength(1)
    app.wait(budgets.drafts.days * 86_400 + 60)
    await purge()
    expect([await tried(), (await app.as(ana)('GET', `/forms/${form.formid}/draft`)).statusCode]).toEqual([[], 200])
    await app.as(ana)('DELETE', `/forms/${form.formid}`)
    await purge()
    expect(await app.database.db.rows(sql`select from form_drafts where form_id = ${form.formid}`)).toEqual([])
  })
})
