import { randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import { parse } from 'csv-parse/sync'
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { type Account, testApp } from '../../../../test/support/app.js'
import { unzipped } from '../../../../test/support/data.js'
import { type PublishedForm, publish, sheet } from '../../../../test/support/forms.js'
import { shareForm } from '../../../../test/support/notes.js'
import { instance, newId, send } from '../../../../test/support/submissions.js'
import { budgets } from '../../../budgets.js'
import { sql } from '../../../platform/db/index.js'

const app = testApp()
let ana: Account
let form: PublishedForm

const survey = (settings: Record<string, string> = {}) =>
  sheet('type,name,label\naudit,audit,\ntext,name,Name', { settings })

const columns = [
  'instance ID',
  'event',
  'node',
  'start',
  'end',
  'latitude',
  'longitude',
  'accuracy',
  'old-value',
  'new-value',
  'user',
  'change-reason',
]

const answersOf = (name: string, file = 'audit.csv') => `<name>${name}</name><meta><audit>${file}</audit></meta>`

/** As Collect writes it: the log is named in the same group as the id. */
const record = (
  of: PublishedForm,
  name: string,
  { id = newId(), deprecated }: { id?: string; deprecated?: string } = {},
) =>
  instance(of, answersOf(name), { id, ...(deprecated !== undefined && { deprecated }) })
    .replace('</meta><orx:meta>', '')
    .replaceAll('orx:meta>', 'meta>')

const log = (content: string | Buffer) => [{ name: 'audit.csv', content, type: 'text/csv' }]

const sent = async (
  of: PublishedForm,
  name: string,
  content?: string | Buffer,
  ids: { id?: string; deprecated?: string } = {},
) => {
  const id = ids.id ?? newId()
  const answer = await send(
    app,
    ana,
    `/${ana.username}`,
    record(of, name, { ...ids, id }),
    content === undefined ? [] : log(content),
  )
  if (answer.statusCode !== 201) throw new Error(answer.body)
  return id
}

beforeAll(async () => {
  ana = await app.account()
  form = await publish(app, ana, survey())
})

const get = (path: string, as: Account = ana) => app.as(as)('GET', path)
const audits = async (of = form, query = '', as = ana) => {
  const answer = await get(`/data/${of.formid}/audits.csv${query}`, as)
  return { answer, rows: parse(answer.rawPayload, { columns: true }) as Record<string, string>[] }
}
const head = 'event,node,start,end'

describe('GET /data/{pk}/audits.csv', () => {
  it('200 with one table: instance ID, the eleven columns, unknown ones; in the order of the records, of those with a log', async () => {
    const own = await publish(app, ana, survey())
    const first = await sent(own, 'first', `\ufeff${head}\r\nform start,,1,\r\nquestion,/data/name,1,5\r\n`)
    await sent(own, 'late')
    const second = await sent(own, 'second', `${head},mood,new-value\nquestion,/data/name,1,5,good,"a, b"\nform exit`)
    const { answer, rows } = await audits(own)
    expect([answer.statusCode, answer.headers['content-type']]).toEqual([200, 'text/csv; charset=utf-8'])
    expect(answer.headers['content-disposition']).toContain(`${own.id_string} - audit.csv`)
    expect(parse(answer.rawPayload)[0]).toEqual([...columns, 'mood'])
    expect(rows.map((row) => [row['instance ID'], row.event, row.end, row['new-value'], row.mood])).toEqual([
      [`uuid:${first}`, 'form start', '', '', ''],
      [`uuid:${first}`, 'question', '5', '', ''],
      [`uuid:${second}`, 'question', '5', 'a, b', 'good'],
      [`uuid:${second}`, 'form exit', '', '', ''],
    ])
    expect(answer.trailers['x-row-count']).toBe('4')
  })

  it('200: filters of /data apply; what a spreadsheet would execute is guarded, unless raw', async () => {
    const own = await publish(app, ana, survey())
    await sent(own, 'one', `${head},new-value\nquestion,/data/name,1,5,=cmd|x`)
    await sent(own, 'two', `${head}\nquestion,/data/name,7,9`)
    const { rows } = await audits(own, '?query={"name":"one"}')
    expect(rows.map((row) => [row.start, row['new-value']])).toEqual([['1', "'=cmd|x"]])
    const raw = await audits(own, '?query={"name":"one"}&raw=true')
    expect(raw.rows[0]?.['new-value']).toBe('=cmd|x')
    expect((await get(`/data/${own.formid}/audits.csv?query={bad`)).statusCode).toBe(400)
  })

  it('200: an edit brings the log of its own; a deleted record has none', async () => {
    const own = await publish(app, ana, survey())
    const id = await sent(own, 'one', `${head}\nform start,,1,`)
    const later = await sent(own, 'one more', `${head}\nform start,,1,\nform resume,,2,`, { deprecated: id })
    expect((await audits(own)).rows.map((row) => [row['instance ID'], row.event])).toEqual([
      [`uuid:${later}`, 'form start'],
      [`uuid:${later}`, 'form resume'],
    ])
    const [{ _id }] = (await get(`/data/${own.formid}`)).json()
    expect((await app.as(ana)('DELETE', `/data/${own.formid}/${_id}`)).statusCode).toBe(204)
    expect((await audits(own)).rows).toEqual([])
  })

  it('200 without those that the store has lost, and with broken ones as far as they can be read', async () => {
    const own = await publish(app, ana, survey())
    const lost = await sent(own, 'lost', `${head}\nform start,,1,`)
    await sent(
      own,
      'broken',
      Buffer.concat([Buffer.from(`${head}\na,"b`), Buffer.from([0, 0xff]), Buffer.from('\nc,d')]),
    )
    await sent(own, 'empty', '')
    const { key } = await app.database.db.one<{ key: string }>(sql`
      select file_key as key from attachments join submissions
        on submissions.form_id = attachments.form_id and submissions.id = attachments.submission_id
      where submissions.form_id = ${own.formid} and uuid = ${lost}`)
    await app.deps.files.delete(key)
    expect((await audits(own)).rows.map(({ event }) => event)).toEqual(['a', 'c'])
  })

  it('200: no more than budgets.audits.ahead files are open at once, also large ones beyond budgets.audits.smallBytes', async () => {
    const own = await publish(app, ana, survey())
    const line = 'question,/data/name,1,2\n'
    const large = `${head}\n${line.repeat(Math.ceil((budgets.audits.smallBytes + 1) / line.length))}`
    const contents = [large, ...Array.from({ length: 20 }, () => `${head}\n${line}`), large]
    for (const content of contents) await sent(own, 'x', content)
    const { files } = app.deps
    const given = files.get
    let [open, most] = [0, 0]
    files.get = async (...args) => {
      const content = await given.apply(files, args)
      open += 1
      most = Math.max(most, open)
      content.stream.once('close', () => {
        open -= 1
      })
      return content
    }
    const { rows } = await audits(own).finally(() => {
      files.get = given
    })
    expect(rows.length).toBe(2 * Math.ceil((budgets.audits.smallBytes + 1) / line.length) + 20)
    expect(most).toBeLessThanOrEqual(budgets.audits.ahead + 1)
  })

  it('403 without export, own logs alone for dataentry-minor, 401 without a name', async () => {
    const [looker, minor] = [await app.account(), await app.account()]
    await shareForm(app, ana, form, looker, 'readonly-no-download')
    await shareForm(app, ana, form, minor, 'dataentry-minor')
    await sent(form, 'of ana', `${head}\nform start,,1,`)
    const id = newId()
    const answer = await send(
      app,
      minor,
      `/${ana.username}`,
      record(form, 'own', { id }),
      log(`${head}\nform exit,,1,`),
    )
    expect(answer.statusCode).toBe(201)
    expect((await get(`/data/${form.formid}/audits.csv`, looker)).statusCode).toBe(403)
    expect((await audits(form, '', minor)).rows.map((row) => row['instance ID'])).toEqual([`uuid:${id}`])
    expect((await app.call('GET', `/data/${form.formid}/audits.csv`)).statusCode).toBe(401)
  })

  it('404 for a stranger, exactly as for a missing form, and in another format', async () => {
    const stranger = await app.account()
    const hidden = await get(`/data/${form.formid}/audits.csv`, stranger)
    const missing = await get('/data/2147483647/audits.csv', stranger)
    expect([hidden.statusCode, hidden.body]).toEqual([404, missing.body])
    expect((await get(`/data/${form.formid}/audits.json`)).statusCode).toBe(404)
  })
})

describe('more logs than are looked at for their columns', () => {
  const most = budgets.audits.heads
  afterEach(() => Object.assign(budgets.audits, { heads: most }))

  it('beyond budgets.audits.heads, what has no column stands in one as JSON', async () => {
    const own = await publish(app, ana, survey())
    await sent(own, 'old', `${head},mood\nquestion,/a,1,2,good`)
    await sent(own, 'new', `${head},light\nquestion,/a,1,2,dim`)
    Object.assign(budgets.audits, { heads: 1 })
    const { rows } = await audits(own)
    expect(rows.map((row) => [row.light, row['other columns']])).toEqual([
      ['', '{"mood":"good"}'],
      ['dim', ''],
    ])
  })
})

describe('GET /data/{pk}.csvzip', () => {
  it('has the logs beside the tables, where the form keeps any and the question is asked for', async () => {
    const own = await publish(app, ana, survey())
    await sent(own, 'one', `${head}\nform start,,1,`)
    const zip = async (query = '') => unzipped((await get(`/data/${own.formid}.csvzip${query}`)).rawPayload)
    const file = (await zip()).get(`${own.id_string} - audit.csv`)
    expect(parse(file ?? '', { columns: true })).toMatchObject([{ event: 'form start', start: '1' }])
    expect([...(await zip('?fields=name')).keys()].filter((name) => name.includes('audit'))).toEqual([])
    const plain = await publish(app, ana)
    const names = [...(await unzipped((await get(`/data/${plain.formid}.csvzip`)).rawPayload)).keys()]
    expect(names.filter((name) => name.includes('audit'))).toEqual([])
  })
})

describe('GET /data/{pk}/{dataid}/audit', () => {
  it('200 with seconds, questions and edits, the time at each question, and the lines', async () => {
    const id = await sent(
      form,
      'one',
      `${head},user\nform start,,1000,\nquestion,/data/name,1000,5500,,bob\nquestion,/data/name,9000,7000`,
    )
    const answer = await get(`/data/${form.formid}/${id}/audit`)
    expect([answer.statusCode, answer.json()]).toEqual([
      200,
      {
        _id: expect.any(Number),
        _audit_seconds: 4.5,
        _audit_questions: 1,
        _audit_edits: null,
        is_whole: true,
        nodes: [{ event: 'question', node: '/data/name', seconds: 4.5, visits: 2 }],
        lines: [
          { event: 'form start', node: null, start: 1000, end: null },
          { event: 'question', node: '/data/name', start: 1000, end: 5500 },
          { event: 'question', node: '/data/name', start: 9000, end: 7000 },
        ],
      },
    ])
  })

  it('200 with nothing known where there is no log, also for a form that keeps none and for an encrypted record', async () => {
    const nothing = {
      _audit_seconds: null,
      _audit_questions: null,
      _audit_edits: null,
      is_whole: true,
      nodes: [],
      lines: [],
    }
    const late = await sent(form, 'late')
    expect((await get(`/data/${form.formid}/${late}/audit`)).json()).toMatchObject(nothing)
    const key = randomBytes(8).toString('hex')
    const stored = await app.deps.files.put(`test/${key}`, Readable.from([Buffer.from('not readable')]))
    await app.database.db.run(sql`
      insert into attachments (form_id, id, submission_id, name, stored_name, file_key, mimetype, bytes, sha256, md5,
        question, created_at)
      select form_id, nextval('attachment_ids'), id, 'audit.csv.enc', 'x', ${`test/${key}`}, 'application/octet-stream',
        ${stored.bytes}, ${stored.sha256}, ${stored.md5}, 'media/file', now()
      from submissions where form_id = ${form.formid} and uuid = ${late}`)
    expect((await get(`/data/${form.formid}/${late}/audit`)).json()).toMatchObject(nothing)
  })

  it('200 with a part of a log beyond budgets.audits.shownLines or budgets.audits.shownBytes, and says so', async () => {
    const { shownLines, shownBytes } = budgets.audits
    const long = await sent(form, 'long', `${head}\n${'question,/data/name,1,2\n'.repeat(shownLines + 1)}`)
    const ofLong = (await get(`/data/${form.formid}/${long}/audit`)).json()
    expect([ofLong.is_whole, ofLong.lines.length]).toEqual([false, shownLines])
    const large = await sent(form, 'large', `${head}\n${'x'.repeat(shownBytes)}\nlast`)
    const ofLarge = (await get(`/data/${form.formid}/${large}/audit`)).json()
    expect([ofLarge.is_whole, ofLarge.lines.length, ofLarge.lines[0].event.length]).toEqual([
      false,
      1,
      budgets.audits.cellCharacters,
    ])
    const wide = await sent(form, 'wide', `${head}\nquestion,/data/name,1,2${',x'.repeat(budgets.audits.columns)}\n`)
    expect((await get(`/data/${form.formid}/${wide}/audit`)).json()).toMatchObject({ is_whole: false })
  })

  it('404 for a stranger and for somebody else’s record, exactly as for a missing one', async () => {
    const id = await sent(form, 'one', `${head}\nform start,,1,`)
    const stranger = await app.account()
    const minor = await app.account()
    await shareForm(app, ana, form, minor, 'dataentry-minor')
    const missing = await get(`/data/2147483647/${id}/audit`, stranger)
    const hidden = await get(`/data/${form.formid}/${id}/audit`, stranger)
    expect([hidden.statusCode, hidden.body]).toEqual([404, missing.body])
    const others = await get(`/data/${form.formid}/${id}/audit`, minor)
    expect([others.statusCode, others.body]).toEqual([
      404,
      (await get(`/data/${form.formid}/${newId()}/audit`, minor)).body,
    ])
  })
})
