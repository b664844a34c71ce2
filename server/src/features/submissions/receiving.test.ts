import { createHash } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { type Account, testApp } from '../../../test/support/app.js'
import { type PublishedForm, publish, sheet, visitSheet } from '../../../test/support/forms.js'
import { newProject, share } from '../../../test/support/projects.js'
import { instance, newId, type SentFile, send } from '../../../test/support/submissions.js'
import { sql } from '../../platform/db/index.js'

const app = testApp()
let ana: Account
let project: number
let form: PublishedForm
let photos: PublishedForm

beforeAll(async () => {
  ana = await app.account({ username: 'ana' })
  project = await newProject(app, ana)
  form = await publish(app, ana, visitSheet({ form_id: 'visit', version: '1' }), { project })
  photos = await publish(
    app,
    ana,
    sheet(
      `type,name,label
       image,front,Front
       begin repeat,room,Room
       image,photo,Photo
       end repeat,,`,
      { settings: { form_id: 'photos', version: '1' } },
    ),
    { project },
  )
})

interface Row {
  id: number
  uuid: string
  xml: string
  answers: Record<string, unknown>
  version: string
  submitted_by: number | null
  submitted_at: Date
  edited_at: Date | null
  edited_by: number | null
  change_no: number
  media_total: number
  media_count: number
  attachments: { id: number; name: string; filename: string; instance: number; download_url: string }[]
}

const db = () => app.database.db
const rows = (formId: number) => db().rows<Row>(sql`select * from submissions where form_id = ${formId} order by id`)
const last = async (formId: number) => (await rows(formId)).at(-1) as Row
const history = (formId: number, id: number) =>
  db().rows<{ number: number; uuid: string; xml: string; made_by: number | null }>(sql`
    select number, uuid, xml, made_by from submission_versions where form_id = ${formId} and submission_id = ${id} order by number`)
const events = (formId: number) =>
  db().rows<{ verb: string; ids: number[]; user_id: number | null }>(sql`
    select verb, ids, user_id from form_events where form_id = ${formId} order by id`)
const counted = async (formId: number) =>
  (
    await db().one<{ n: number }>(
      sql`select coalesce(sum(submissions), 0) as n from form_counts where form_id = ${formId}`,
    )
  ).n
const pending = async () => (await db().one<{ n: number }>(sql`select count(*) as n from pending_files`)).n

const answers = '<name>Ana</name><age>30</age>'

describe('receiving', () => {
  it('keeps the XML byte for byte, byte order mark, line ends, comments and all', async () => {
    const xml = `\ufeff${instance(form, '\r\n<!-- c --><name>  Zoë 😀 &amp; &#233; <![CDATA[<x>]]></name>\t<age>3</age>\r\n')}`
    expect((await send(app, ana, '', Buffer.from(xml))).statusCode).toBe(201)
    const row = await last(form.formid)
    expect(row.xml).toBe(xml)
    expect(row.answers).toMatchObject({ name: 'Zoë 😀 & é <x>', age: '3' })
  })

  it('50 equal posts at once give one row, one event, one 201 and 49 times 202', async () => {
    const xml = instance(form, answers)
    const before = { rows: (await rows(form.formid)).length, events: (await events(form.formid)).length }
    const results = await Promise.all(Array.from({ length: 50 }, () => send(app, ana, '', xml)))
    expect(results.filter(({ statusCode }) => statusCode === 201)).toHaveLength(1)
    expect(results.filter(({ statusCode }) => statusCode === 202)).toHaveLength(49)
    expect((await rows(form.formid)).length).toBe(before.rows + 1)
    expect((await events(form.formid)).length).toBe(before.events + 1)
    expect(await counted(form.formid)).toBe(before.rows + 1)
  })

  it('many different ones at once are all there, once, each with its event, and the counter is right', async () => {
    const ids = Array.from({ length: 200 }, newId)
    // Every one twice, in another order: batches hold the same ids from both ends.
    const posts = [...ids, ...[...ids].reverse()].map((id) => send(app, ana, '', instance(form, answers, { id })))
    const statuses = (await Promise.all(posts)).map(({ statusCode }) => statusCode)
    expect([statuses.filter((one) => one === 201).length, statuses.filter((one) => one === 202).length]).toEqual([
      200, 200,
    ])
    const stored = (await rows(form.formid)).filter(({ uuid }) => ids.includes(uuid))
    expect(new Set(stored.map(({ uuid }) => uuid)).size).toBe(200)
    const told = (await events(form.formid)).flatMap(({ verb, ids: about }) =>
      verb === 'submission_created' ? about.map(Number) : [],
    )
    for (const { id } of stored) expect(told.filter((one) => one === Number(id))).toHaveLength(1)
    expect(await counted(form.formid)).toBe((await rows(form.formid)).length)
  })

  it('the same instance id in two forms is two submissions; without one, each post is new', async () => {
    const other = await publish(app, ana, visitSheet({ form_id: 'other' }), { project })
    const id = newId()
    expect((await send(app, ana, '', instance(form, answers, { id }))).statusCode).toBe(201)
    expect((await send(app, ana, '', instance(other, answers, { id }))).statusCode).toBe(201)
    const bare = `<data id="other"><name>x</name></data>`
    for (const _ of [1, 2]) expect((await send(app, ana, '', bare)).statusCode).toBe(201)
    expect(await rows(other.formid)).toHaveLength(3)
  })

  it('an anonymous submission records an event without a user', async () => {
    await send(app, null, '/ana', instance(form, answers))
    expect((await events(form.formid)).at(-1)).toMatchObject({ verb: 'submission_created', user_id: null })
  })

  it('submissionDate of the root is when it was made, unless it lies ahead or is no day of the calendar', async () => {
    const dated = (date: string) => instance(form, answers).replace('<data ', `<data submissionDate="${date}" `)
    await send(app, ana, '', dated('2020-01-02T03:04:05.006+0100'))
    expect((await last(form.formid)).submitted_at.toISOString()).toBe('2020-01-02T02:04:05.006Z')
    for (const odd of ['2999-01-01T00:00:00Z', '-271821-04-20T00:00:00Z', '2020-02-30T00:00:00Z', 'yesterday']) {
      expect([odd, (await send(app, ana, '', dated(odd))).statusCode]).toEqual([odd, 201])
      expect(Math.abs((await last(form.formid)).submitted_at.getTime() - Date.now())).toBeLessThan(60_000)
    }
  })

  it('a submission of an earlier version is read by that version', async () => {
    const text = (type: string, version: string) =>
      sheet(`type,name,label\nbegin ${type},part,Part\ntext,word,Word\nend ${type},,`, {
        settings: { form_id: 'grown', version },
      })
    const old = await publish(app, ana, text('repeat', 'a'), { project, fileName: 'grown.csv' })
    const { multipart } = await import('../../../test/support/multipart.js')
    const upload = multipart([{ name: 'xls_file', filename: 'grown.csv', content: text('group', 'b') }])
    expect((await app.as(ana)('PATCH', `/forms/${old.formid}`, upload)).statusCode).toBe(200)
    const inner = '<part><word>x</word></part>'
    await send(app, ana, '', instance({ id_string: 'grown', version: 'a' }, inner))
    expect((await last(old.formid)).answers).toMatchObject({ part: [{ 'part/word': 'x' }] })
    await send(app, ana, '', instance({ id_string: 'grown', version: 'b' }, inner))
    expect((await last(old.formid)).answers).toMatchObject({ 'part/word': 'x' })
    await send(app, ana, '', instance({ id_string: 'grown', version: 'never heard of' }, inner))
    expect(await last(old.formid)).toMatchObject({ version: 'never heard of', answers: { 'part/word': 'x' } })
  })
})

describe('editing by deprecatedID', () => {
  const submit = async (as = ana) => {
    const id = newId()
    await send(app, as, '/ana', instance(form, answers, { id }))
    return id
  }
  const edit = (as: Account | null, deprecated: string, text: string, id = newId()) =>
    send(app, as, '/ana', instance(form, `<name>${text}</name>`, { id, deprecated }))
  const byUuid = async (uuid: string) => (await rows(form.formid)).find((row) => row.uuid === uuid)

  it('201: the record keeps its id, submitter and time, gets the new answers, and its past is kept', async () => {
    const first = await submit()
    const before = (await byUuid(first)) as Row
    const second = newId()
    const answer = await edit(ana, first, 'Edited', second)
    expect(answer.statusCode).toBe(201)
    const after = (await byUuid(second)) as Row
    expect(after).toMatchObject({ id: before.id, submitted_by: ana.id, edited_by: ana.id, answers: { name: 'Edited' } })
    expect(after.submitted_at).toEqual(before.submitted_at)
    expect(Number(after.change_no)).toBeGreaterThan(Number(before.change_no))
    expect(await history(form.formid, after.id)).toMatchObject([
      { number: 1, uuid: first, xml: before.xml, made_by: ana.id },
    ])
    expect((await events(form.formid)).at(-1)).toMatchObject({ verb: 'submission_edited', ids: [String(after.id)] })
    await edit(ana, second, 'Again')
    expect(await history(form.formid, after.id)).toMatchObject([{ uuid: first }, { uuid: second }])
  })

  it('409 for the one who edits what somebody has edited before, and nothing of theirs is half-stored', async () => {
    const first = await submit()
    await edit(ana, first, 'Winner')
    const late = await edit(ana, first, 'Loser')
    expect(late.statusCode).toBe(409)
    expect(late.body).toContain('Submission has been modified since it was last fetched.')
    expect((await rows(form.formid)).filter(({ answers: { name } }) => name === 'Loser')).toEqual([])
  })

  it('of twenty edits at once one wins, nineteen get 409, and the history has one entry', async () => {
    const first = await submit()
    const { id } = (await byUuid(first)) as Row
    const results = await Promise.all(Array.from({ length: 20 }, (_, n) => edit(ana, first, `Editor ${n}`)))
    expect(results.filter(({ statusCode }) => statusCode === 201)).toHaveLength(1)
    expect(results.filter(({ statusCode }) => statusCode === 409)).toHaveLength(19)
    expect(await history(form.formid, id)).toHaveLength(1)
    expect(await counted(form.formid)).toBe((await rows(form.formid)).length)
  })

  it('202 for an edit that is sent again, also twenty times at once', async () => {
    const first = await submit()
    const second = newId()
    const results = await Promise.all(Array.from({ length: 20 }, () => edit(ana, first, 'Same', second)))
    expect(results.filter(({ statusCode }) => statusCode === 201)).toHaveLength(1)
    expect(results.filter(({ statusCode }) => statusCode === 202)).toHaveLength(19)
    // What was edited is known by its old id too.
    expect((await send(app, ana, '', instance(form, answers, { id: first }))).statusCode).toBe(202)
  })

  it('edits between versions at once, in both directions, are all taken, and the counter is right', async () => {
    const records = Array.from({ length: 12 }, (_, n) => ({ id: newId(), version: n % 2 === 0 ? '1' : '2' }))
    const at = (version: string, ids: { id?: string; deprecated?: string }) =>
      send(app, ana, '/ana', instance({ ...form, version }, answers, ids))
    await Promise.all(records.map(({ id, version }) => at(version, { id })))
    const edits = await Promise.all(
      records.map(({ id, version }) => at(version === '1' ? '2' : '1', { deprecated: id })),
    )
    expect(new Set(edits.map(({ statusCode }) => statusCode))).toEqual(new Set([201]))
    const counts = await db().rows(sql`
      select version, sum(submissions)::int as n from form_counts where form_id = ${form.formid} group by version order by version`)
    const recounted = await db().rows(sql`
      select version, count(*)::int as n from submissions where form_id = ${form.formid} group by version order by version`)
    expect(counts).toEqual(recounted)
  })

  it('201 as a new submission when the form never had what it replaces', async () => {
    const before = (await rows(form.formid)).length
    expect((await edit(ana, newId(), 'Orphan')).statusCode).toBe(201)
    expect((await rows(form.formid)).length).toBe(before + 1)
  })

  it('409 for an edit of a deleted record; 202 for a deleted one that is sent again, and it stays deleted', async () => {
    const id = await submit()
    await db().run(sql`update submissions set deleted_at = now() where form_id = ${form.formid} and uuid = ${id}`)
    expect((await edit(ana, id, 'Too late')).statusCode).toBe(409)
    expect((await send(app, ana, '', instance(form, answers, { id }))).statusCode).toBe(202)
    await db().run(sql`update submissions set deleted_at = null where form_id = ${form.formid} and uuid = ${id}`)
  })

  it('401 for anonymous, 403 for those who may not, own records only for editor-minor; editing is never open', async () => {
    const stranger = await app.account()
    const minor = await app.account()
    const entry = await app.account()
    const editor = await app.account()
    for (const [person, role] of [
      [minor, 'editor-minor'],
      [entry, 'dataentry'],
      [editor, 'editor'],
    ] as const) {
      await share(app, ana, project, person.username, role)
    }
    const id = await submit()
    expect((await edit(null, id, 'Nobody')).statusCode).toBe(401)
    for (const person of [stranger, entry, minor]) {
      const refused = await edit(person, id, 'No')
      expect(refused.statusCode).toBe(403)
      expect(refused.body).toContain(
        `${person.username} is not allowed to make edit submissions to ana&#39;s`.replace('&#39;', "'"),
      )
    }
    expect((await byUuid(id))?.answers).toMatchObject({ name: 'Ana' })
    const own = await submit(minor)
    expect((await edit(minor, own, 'Mine')).statusCode).toBe(201)
    expect((await edit(editor, id, 'Editor')).statusCode).toBe(201)
  })
})

describe('files of a submission', () => {
  const png = Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    'base64',
  )
  const xmlWith = (front: string, rooms: readonly string[] = [], ids: { id?: string; deprecated?: string } = {}) =>
    instance(
      photos,
      `<front>${front}</front>${rooms.map((room) => `<room><photo>${room}</photo></room>`).join('')}`,
      ids,
    )
  const file = (name: string, content: string | Buffer = png, type = 'image/png'): SentFile => ({ name, content, type })
  const attachmentRows = (id: number) =>
    db().rows<{
      name: string
      shown: boolean
      mimetype: string
      sha256: string
      file_key: string
      question: string | null
    }>(sql`
      select name, deleted_at is null as shown, mimetype, sha256, file_key, question from attachments
      where form_id = ${photos.formid} and submission_id = ${id} order by id`)
  const state = async () => {
    const { media_total: total, media_count: count, attachments } = await last(photos.formid)
    return { total, count, shown: attachments.map(({ name }) => name).sort() }
  }

  it('posts that complete each other, in any order: counts are right at every moment', async () => {
    const id = newId()
    const xml = xmlWith('a.png', ['b.png', 'c.png'], { id })
    expect((await send(app, ana, '', xml, [file('b.png')])).statusCode).toBe(201)
    expect(await state()).toEqual({ total: 3, count: 1, shown: ['b.png'] })
    expect((await send(app, ana, '', xml, [file('c.png'), file('b.png')])).statusCode).toBe(202)
    expect(await state()).toEqual({ total: 3, count: 2, shown: ['b.png', 'c.png'] })
    expect((await send(app, ana, '', xml, [file('a.png')])).statusCode).toBe(202)
    expect(await state()).toEqual({ total: 3, count: 3, shown: ['a.png', 'b.png', 'c.png'] })
    const { id: recordId } = await last(photos.formid)
    expect((await attachmentRows(recordId)).length).toBe(3)
    expect(await pending()).toBe(0)
  })

  it('ten posts at once, each with another file, are all there; the same file twice is kept once', async () => {
    const id = newId()
    const names = Array.from({ length: 10 }, (_, n) => `p${n}.png`)
    const xml = xmlWith(names[0] as string, names.slice(1), { id })
    await Promise.all([...names, ...names].map((name) => send(app, ana, '', xml, [file(name)])))
    expect(await state()).toEqual({ total: 10, count: 10, shown: names })
    expect((await attachmentRows((await last(photos.formid)).id)).filter(({ shown }) => shown)).toHaveLength(10)
    expect(await pending()).toBe(0)
  })

  it('a file that no answer names is kept, but not shown; folders in a name are cut off', async () => {
    await send(app, ana, '', xmlWith('front.png'), [
      { name: '../../etc/front.png', content: png, type: 'image/png' },
      { name: 'C:\\\\photos\\\\stray.png', content: png, type: 'image/png' },
    ])
    expect(await state()).toEqual({ total: 1, count: 1, shown: ['front.png'] })
    const { id, attachments } = await last(photos.formid)
    expect(await attachmentRows(id)).toMatchObject([
      { name: 'front.png', shown: true, question: 'front' },
      { name: 'stray.png', shown: false },
    ])
    expect(attachments[0]).toMatchObject({
      filename: `ana/attachments/${photos.formid}_photos/front.png`,
      instance: Number(id),
    })
  })

  it('a large body is streamed to the store; its bytes are the same', async () => {
    const large = Buffer.alloc(3_000_000, 'abcdefg')
    expect((await send(app, ana, '', xmlWith('large.bin'), [file('large.bin', large, 'video/mp4')])).statusCode).toBe(
      201,
    )
    const [row] = await attachmentRows((await last(photos.formid)).id)
    expect(row?.sha256).toBe(createHash('sha256').update(large).digest('hex'))
    const { stream } = await app.deps.files.get(row?.file_key ?? '')
    expect(Buffer.concat(await stream.toArray()).equals(large)).toBe(true)
  })

  it('a refused submission leaves no file behind, streamed or not', async () => {
    const before = await db().rows(sql`select 1 from attachments`)
    for (const content of [png, Buffer.alloc(1_000_000)]) {
      const refused = await send(app, ana, '/ana', instance({ id_string: 'nothing' }, '<a>b</a>'), [
        file('a.png', content),
      ])
      expect(refused.statusCode).toBe(404)
    }
    expect(await db().rows(sql`select 1 from attachments`)).toHaveLength(before.length)
    expect(await pending()).toBe(0)
  })

  it('an edit keeps files that it still names, hides the others, and takes new content under an old name', async () => {
    const id = newId()
    await send(app, ana, '', xmlWith('keep.png', ['drop.png', 'change.png'], { id }), [
      file('keep.png'),
      file('drop.png'),
      file('change.png'),
    ])
    const before = await last(photos.formid)
    const newer = Buffer.concat([png, Buffer.from('newer')])
    const edited = xmlWith('keep.png', ['change.png', 'later.png'], { deprecated: id })
    expect((await send(app, ana, '', edited, [file('change.png', newer)])).statusCode).toBe(201)
    expect(await state()).toEqual({ total: 3, count: 2, shown: ['change.png', 'keep.png'] })
    const found = await attachmentRows(before.id)
    expect(found.filter(({ shown }) => shown).find(({ name }) => name === 'change.png')?.sha256).toBe(
      createHash('sha256').update(newer).digest('hex'),
    )
    expect((await send(app, ana, '', edited, [file('later.png')])).statusCode).toBe(202)
    expect(await state()).toEqual({ total: 3, count: 3, shown: ['change.png', 'keep.png', 'later.png'] })
    expect(await pending()).toBe(0)
  })

  it('files of an edit that was edited since belong to the record that names them', async () => {
    const [first, second] = [newId(), newId()]
    await send(app, ana, '', xmlWith('a.png', [], { id: first }), [file('a.png')])
    const edit = xmlWith('a.png', ['b.png'], { id: second, deprecated: first })
    expect((await send(app, ana, '', edit)).statusCode).toBe(201)
    expect((await send(app, ana, '', xmlWith('a.png', ['b.png'], { deprecated: second }))).statusCode).toBe(201)
    expect((await send(app, ana, '', edit, [file('b.png'), file('stray.png')])).statusCode).toBe(202)
    expect(await state()).toEqual({ total: 2, count: 2, shown: ['a.png', 'b.png'] })
    expect((await send(app, ana, '', edit, [file('b.png')])).statusCode).toBe(202)
    expect(await pending()).toBe(0)
  })
})
