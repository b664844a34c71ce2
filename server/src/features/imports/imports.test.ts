import { beforeAll, describe, expect, it } from 'vitest'
import { type Account, testApp } from '../../../test/support/app.js'
import { type PublishedForm, publish } from '../../../test/support/forms.js'
import {
  countOf,
  eventsOf,
  householdSheet,
  recordsOf,
  type SendOptions,
  sendTable,
} from '../../../test/support/imports.js'
import { multipart } from '../../../test/support/multipart.js'
import { instance, newId, send } from '../../../test/support/submissions.js'
import { sql } from '../../platform/db/index.js'

const app = testApp()
let ana: Account
let ben: Account
let form: PublishedForm
beforeAll(async () => {
  ana = await app.account({ username: 'ana' })
  ben = await app.account({ username: 'ben' })
})
const newForm = async () => {
  form = await publish(app, ana, householdSheet({ version: '1' }))
  return form
}
const post = (content: string | Buffer, options: SendOptions = {}) => sendTable(app, ana, form.formid, content, options)
const answersOf = async () =>
  (await recordsOf(app, form.formid)).map(({ answers }) => {
    const { 'meta/instanceID': _id, 'form/uuid': _uuid, ...rest } = answers
    return rest
  })

describe('POST /forms/{pk}/csv_import', () => {
  it('200 adds a record for each row, as a device would have sent it', async () => {
    await newForm()
    const answer = await post('name,age\nTom,12\nDick,5\n')
    expect([answer.statusCode, answer.json()]).toEqual([200, { additions: 2, duplicates: 0, updates: 0, info: '' }])
    const [tom, dick] = await recordsOf(app, form.formid)
    expect(tom?.xml).toBe(
      `<?xml version='1.0' ?><data id="${form.id_string}" version="1"><form><uuid>${form.uuid}</uuid></form><name>Tom</name><age>12</age><meta><instanceID>uuid:${tom?.uuid}</instanceID></meta></data>`,
    )
    expect(tom).toMatchObject({
      answers: { name: 'Tom', age: '12', 'form/uuid': form.uuid, 'meta/instanceID': `uuid:${tom?.uuid}` },
      status: 'imported_via_csv',
      username: 'ana',
      version: '1',
      root_name: 'data',
      edited_at: null,
    })
    expect(await eventsOf(app, form.formid)).toEqual([
      { verb: 'submission_created', ids: [tom?.id, dick?.id], userId: ana.id },
    ])
    expect(await countOf(app, form.formid)).toBe(2)
    const shown = (await app.as(ana)('GET', `/forms/${form.formid}`)).json()
    expect(shown.num_of_submissions).toBe(2)
    expect(shown.metadata).toMatchObject([{}, { data_type: 'imported_via_csv_by', data_value: 'ana' }])
  })

  it('200 reads split choices, parts of places, repeats within repeats, groups by slash or dot', async () => {
    await newForm()
    const header =
      'name,colours/red,colours/blue,home/gps,home/_gps_latitude,home/_gps_longitude,home/_gps_altitude,home/_gps_precision,kids[1]/kid,kids[1]/toys[1]/toy,kids[1]/toys[2]/toy,kids[2]/kid'
    const answer = await post(
      `${header}\nTom,True,False,n/a,-1.26,36.79,,20,Ann,car,doll,Bob\nDick,n/a,blue,1 2 3 4,9,9,9,9,n/a,n/a,n/a,Eve\n`,
    )
    expect(answer.json()).toMatchObject({ additions: 2 })
    const dotted = await post('name,home.gps.latitude,home.gps.longitude,kids[1].kid,colours\nJo,1.5,2.5,Al,red blue\n')
    expect(dotted.json()).toMatchObject({ additions: 1, info: '' })
    expect(await answersOf()).toEqual([
      {
        name: 'Tom',
        colours: 'red',
        'home/gps': '-1.26 36.79 0 20',
        kids: [
          { 'kids/kid': 'Ann', 'kids/toys': [{ 'kids/toys/toy': 'car' }, { 'kids/toys/toy': 'doll' }] },
          { 'kids/kid': 'Bob' },
        ],
      },
      { name: 'Dick', colours: 'blue', 'home/gps': '1 2 3 4', kids: [{ 'kids/kid': 'Eve' }] },
      { name: 'Jo', colours: 'red blue', 'home/gps': '1.5 2.5 0 0', kids: [{ 'kids/kid': 'Al' }] },
    ])
    expect((await recordsOf(app, form.formid)).map(({ latitude }) => latitude)).toEqual([-1.26, 1, 1.5])
  })

  it('200 brings dates and times to ISO 8601, and takes numbers as they are', async () => {
    await newForm()
    await post(
      [
        'name;born;seen;meal;age;height;start;end',
        'A;2013-01-31;2013-01-31T10:00:00.000+03:00;7:05;21.0;1.50;2020-01-01T10:00:00.000+03:00;2020-01-01T10:00:24.000+03:00',
        'B;1/31/2013;31.01.2013 9:30 pm;19:00:00;-3;1e2;;',
        'C;31 Jan 2013;2013-01-31;n/a;;.5;;',
      ].join('\n'),
    )
    expect(await answersOf()).toEqual([
      {
        name: 'A',
        born: '2013-01-31',
        seen: '2013-01-31T10:00:00.000+03:00',
        meal: '07:05:00',
        age: '21',
        height: '1.50',
        start: '2020-01-01T10:00:00.000+03:00',
        end: '2020-01-01T10:00:24.000+03:00',
      },
      { name: 'B', born: '2013-01-31', seen: '2013-01-31T21:30:00+00:00', meal: '19:00:00', age: '-3', height: '1e2' },
      { name: 'C', born: '2013-01-31', seen: '2013-01-31T00:00:00+00:00', height: '.5' },
    ])
    expect((await recordsOf(app, form.formid))[0]?.duration).toBe(24)
  })

  it('200 edits the record of a uuid, present or former: the old content is history, the last row of a file counts', async () => {
    await newForm()
    const [first, second] = [newId(), newId()]
    await send(app, ben, '/ana', instance(form, '<name>Tom</name><age>1</age>', { id: first }))
    const [before] = await recordsOf(app, form.formid)
    const answer = await post(
      `name,age,meta/instanceID,_uuid\nTom,2,uuid:${first},\nTom,3,,${first}\nNew,4,,${second}\nNew,5,uuid:${second},\n`,
    )
    expect(answer.json()).toEqual({
      additions: 1,
      duplicates: 0,
      updates: 3,
      info: 'Several rows of one record, of which the last one counts: row(s) 2, 4.',
    })
    const [tom, fresh] = await recordsOf(app, form.formid)
    expect(tom).toMatchObject({ id: before?.id, submitted_at: before?.submitted_at, username: 'ben' })
    expect(tom?.answers).toMatchObject({ name: 'Tom', age: '3' })
    expect(tom).toMatchObject({ edited_by: ana.id, status: 'imported_via_csv' })
    expect([first, before?.uuid]).not.toContain(tom?.uuid)
    expect(fresh?.answers).toMatchObject({ age: '5' })
    const history = await app.database.db.rows<{ uuid: string; age: string }>(sql`
      select uuid, answers ->> 'age' as age from submission_versions
      where form_id = ${form.formid} and submission_id = ${tom?.id} order by number`)
    expect(history.map(({ age }) => age)).toEqual(['1', '2'])
    expect(tom?.answers['meta/deprecatedID']).toBe(`uuid:${history[1]?.uuid}`)
    expect(await eventsOf(app, form.formid)).toMatchObject([
      { verb: 'submission_created', ids: [tom?.id] },
      { verb: 'submission_created', ids: [fresh?.id] },
      { verb: 'submission_edited', ids: [tom?.id, tom?.id, fresh?.id] },
    ])
    expect(await countOf(app, form.formid)).toBe(2)
  })

  it('200 keeps the files that answers name, by name or by their address in an export, and hides those that none names any more', async () => {
    await newForm()
    const ids = [newId(), newId()]
    for (const id of ids) {
      const xml = instance(form, '<name>Tom</name><home><photo>a.jpg</photo></home>', { id })
      const sent = await send(app, ana, '', xml, [{ name: 'a.jpg', content: 'x', type: 'image/jpeg' }])
      expect(sent.statusCode).toBe(201)
    }
    const [record] = await recordsOf(app, form.formid)
    const files = record?.attachments as { download_url: string }[] | undefined
    const answer = await post(
      `name,home/photo,_uuid\nTom,http://127.0.0.1:8080${files?.[0]?.download_url},${ids[0]}\nTom,,${ids[1]}\n`,
    )
    expect(answer.json()).toMatchObject({ updates: 1, unchanged: 1 })
    expect(await recordsOf(app, form.formid)).toMatchObject([
      { media_total: 1, media_count: 1, attachments: record?.attachments, answers: { 'home/photo': 'a.jpg' } },
      { media_total: 0, media_count: 0, attachments: [] },
    ])
    const hidden = await app.database.db.rows<{ hidden: boolean }>(sql`
      select deleted_at is not null as hidden from attachments where form_id = ${form.formid} order by id`)
    expect(hidden).toEqual([{ hidden: false }, { hidden: true }])
  })

  it('200 takes the submitter, who has a role on the form, and the time that a row names; without them the importer and now', async () => {
    await newForm()
    await app.as(ana)('POST', `/forms/${form.formid}/share`, { body: { username: 'ben', role: 'dataentry-only' } })
    await post('name,_submitted_by,_submission_time,_id\nA,Ben,2020-02-03T04:05:06,9\nB,,2999-01-01T00:00:00,9\nC,,,\n')
    const records = await recordsOf(app, form.formid)
    expect(records.map(({ username }) => username)).toEqual(['ben', 'ana', 'ana'])
    expect(records[0]?.submitted_at).toEqual(new Date('2020-02-03T04:05:06Z'))
    expect(Number(records[1]?.submitted_at)).toBeLessThanOrEqual(Date.now())
  })

  it.each([{}, { overwrite: 'true' }])(
    '400 for rows in the name of somebody without a role, known or not; none is written: %j',
    async (query) => {
      await newForm()
      await post('name\nBefore\n')
      const answer = await post('name,_submitted_by\nA,ben\nB,ana\nC,nobody-at-all\n', { query })
      const fault = (name: string) =>
        `'_submitted_by has no role on the form: ${name}. Share the form with them, or leave it empty'`
      expect([answer.statusCode, answer.json()]).toEqual([
        400,
        { error: `Invalid CSV data imported in row(s): {1: [${fault('ben')}], 3: [${fault('nobody-at-all')}]}` },
      ])
      expect((await recordsOf(app, form.formid)).map(({ answers }) => answers)).toMatchObject([{ name: 'Before' }])
      expect((await recordsOf(app, form.formid))[0]?.deleted_at).toBeNull()
    },
  )

  it('200 corrects records of people who have left: their sender stays, whoever a row names', async () => {
    await newForm()
    const share = (role: object) =>
      app.as(ana)('PUT', `/projects/${String(form.project).split('/').at(-1)}/share`, {
        body: { username: 'ben', role: 'dataentry', ...role },
      })
    await share({})
    const id = newId()
    await send(app, ben, '/ana', instance(form, '<name>Typo</name>', { id }))
    await share({ remove: true })
    expect((await post(`name,_uuid,_submitted_by\nMended,${id},ben\n`)).json()).toMatchObject({ updates: 1 })
    expect(await recordsOf(app, form.formid)).toMatchObject([{ username: 'ben', answers: { name: 'Mended' } }])
  })

  it('200 with overwrite deletes what there is and adds every row under an id of its own', async () => {
    await newForm()
    const id = newId()
    const xml = instance(form, '<name>Tom</name><home><photo>a.jpg</photo></home>', { id })
    await send(app, ana, '', xml, [{ name: 'a.jpg', content: 'x', type: 'image/jpeg' }])
    const answer = await post(`name,_uuid\nNew,${id}\nMore,\n`, { query: { overwrite: 'true' } })
    expect(answer.json()).toEqual({ additions: 2, duplicates: 0, updates: 0, info: '' })
    const [old, ...added] = await recordsOf(app, form.formid)
    expect(old).toMatchObject({ uuid: id, deleted_by: ana.id, deleted_at: expect.any(Date) })
    expect(added.map(({ deleted_at, uuid }) => [deleted_at, uuid === id])).toEqual([
      [null, false],
      [null, false],
    ])
    expect((await eventsOf(app, form.formid)).slice(1)).toEqual([
      { verb: 'submission_deleted', ids: [old?.id], userId: ana.id },
      { verb: 'submission_created', ids: added.map((one) => one.id), userId: ana.id },
    ])
    const shown = await app.database.db.rows(sql`
      select from attachments where form_id = ${form.formid} and deleted_at is null`)
    expect([shown.length, await countOf(app, form.formid)]).toEqual([0, 2])
    const again = await post(`name,_uuid\nTom,${id}\nNewer,${added[0]?.uuid}\n`)
    expect(again.json()).toEqual({
      additions: 0,
      duplicates: 1,
      updates: 1,
      info: 'Rows of deleted records were left out: 1.',
    })
    const empty = await post('name\n', { fields: { overwrite: 'True' } })
    expect([empty.statusCode, await countOf(app, form.formid)]).toEqual([400, 2])
  })

  it('200 names the columns that mean nothing to the form', async () => {
    await newForm()
    const answer = await post('name,shoe,_tags,hat,kids/nope,colours/green\nTom,1,2,3,4,5\n')
    expect(answer.json()).toMatchObject({
      additions: 1,
      info: "Additional column(s) excluded from the upload: 'shoe, hat, kids/nope, colours/green'. Imports do not change these columns, which differ from what is stored: _tags (row(s) 1).",
    })
  })

  it('200 records deliveries for additions, and for edits where they are asked for', async () => {
    await newForm()
    const { id: service } = await app.database.db.one<{ id: number }>(sql`
      insert into rest_services (form_id, kind, service_url, secret, forwards_edits, created_at, modified_at)
      values (${form.formid}, 'generic_json', 'http://127.0.0.1:1/', '', true, now(), now()) returning id`)
    await post('name,_uuid\nA,one\nB,two\n')
    await post('name,_uuid\nA,one\nBeta,two\n')
    const causes = await app.database.db.rows<{ cause: string }>(sql`
      select cause from deliveries where service_id = ${service} order by id`)
    expect(causes.map(({ cause }) => cause)).toEqual(['created', 'created', 'edited'])
  })

  it('400 with every faulty row at once, and nothing is stored', async () => {
    await newForm()
    const answer = await post(
      "name,born,age,height,home/_gps_latitude,home/_gps_longitude,colours/red\nok,2013-01-31,1,1,,,\nA,2014-13-01,21.53,,,,\n\nB,,7x,1.2.3,95,,it's\nok,,,,1,2,1,more\n",
    )
    expect([answer.statusCode, answer.json()]).toEqual([
      400,
      {
        error:
          "Invalid CSV data imported in row(s): {2: ['Unknown date format(s): 2014-13-01 (column born)', 'Unknown integer format(s): 21.53 (column age)'], 4: ['Unknown integer format(s): 7x (column age)', 'Unknown decimal format(s): 1.2.3 (column height)', 'Unknown location format(s): 95 (column home/_gps_latitude)', 'Neither True nor False in the column of the choice \\'red\\': it\\'s (column colours/red)'], 5: ['More cells than the header has columns (7): 8']}",
      },
    ])
    expect(await recordsOf(app, form.formid)).toEqual([])
    expect(await eventsOf(app, form.formid)).toEqual([])
  })

  it.each([
    ['no file', 'nothing', 'csv_file field empty', { field: 'other' }],
    ['an empty file', '', 'csv_file field empty', {}],
    ['another name', 'name\nTom\n', 'csv_file not a csv file', { fileName: 'data.txt' }],
    ['a workbook', Buffer.from([0x50, 0x4b, 3, 4, 0, 0]), 'csv_file not a csv file', {}],
    ['zero bytes', 'na\u0000me\n1\n', 'csv_file not a csv file', {}],
    [
      'a zero byte in a cell',
      'name\na\u0000b\n',
      "Invalid CSV data imported in row(s): {1: ['Null characters are not allowed: a\ufffdb']}",
      {},
    ],
    [
      'spaces in the header',
      'name,first name\nTom,1\n',
      'CSV file fieldnames should not contain spaces: first name',
      {},
    ],
    [
      'a missing column',
      'age\n1\n',
      'Sorry uploaded file does not match the form. The file is missing the column(s): name.',
      {},
    ],
    ['latin-1', Buffer.from('name\nJos\xe9\n', 'latin1'), 'CSV file must be utf-8 encoded', {}],
    ['a column twice', 'name,name\n1,2\n', 'Several columns say the same. Remove one of each: name.', {}],
    ['an open quote', 'name\nTom\n"Dick\nHarry\n', 'A quote that is opened in row 3 of the file is never closed.', {}],
    [
      '10,000 columns',
      `${'x,'.repeat(10_000)}name\n`,
      'Row 1 of the file has more than 5000 columns. Split the file.',
      {},
    ],
    [
      '10,000 cells in a row',
      `name\n${'x,'.repeat(10_000)}\n`,
      'Row 2 of the file has more than 5000 columns. Split the file.',
      {},
    ],
  ])('400 for %s', async (_what, content, error, options) => {
    const answer = await post(content as string, options)
    expect([answer.statusCode, answer.json()]).toEqual([400, { error }])
  })

  it('400 for a body that is cut short, small or large, and nothing of it is kept', async () => {
    await newForm()
    for (const rows of [1, 20_000]) {
      const { body, headers } = multipart([
        { name: 'csv_file', filename: 'a.csv', content: `name\n${'Tom Tom\n'.repeat(rows)}` },
      ])
      const cut = body.subarray(0, body.length - 20)
      const answer = await app.as(ana)('POST', `/forms/${form.formid}/import`, { body: cut, headers })
      expect([answer.statusCode, answer.json().detail]).toEqual([400, expect.stringContaining('cut short')])
    }
    const { kept } = await app.database.db.one<{ kept: number }>(sql`select count(*) as kept from pending_files`)
    expect(kept).toBe(0)
  })

  it('400 for an inactive form and for an encrypted one', async () => {
    await newForm()
    await app.as(ana)('PATCH', `/forms/${form.formid}`, { body: { downloadable: false } })
    const inactive = await post('name\nTom\n')
    expect([inactive.statusCode, inactive.json().error]).toMatchObject([400, expect.stringContaining('inactive')])
    await app.database.db.run(sql`update forms set public_key = 'key', state = 'open' where id = ${form.formid}`)
    const encrypted = await post('name\nTom\n')
    expect([encrypted.statusCode, encrypted.json().error]).toMatchObject([400, expect.stringContaining('encrypted')])
  })

  it('401 without credentials, 404 for a hidden form exactly as for a missing one, 403 for editors', async () => {
    await newForm()
    const file = 'name\nTom\n'
    expect((await sendTable(app, null, form.formid, file)).statusCode).toBe(401)
    const hidden = await sendTable(app, ben, form.formid, file)
    const missing = await sendTable(app, ben, 2_147_483_647, file)
    expect([hidden.statusCode, hidden.body]).toEqual([404, missing.body])
    const share = (role: string) =>
      app.as(ana)('POST', `/forms/${form.formid}/share`, { body: { username: 'ben', role } })
    await share('editor')
    expect((await sendTable(app, ben, form.formid, file)).statusCode).toBe(403)
    await share('manager')
    expect((await sendTable(app, ben, form.formid, file)).json()).toMatchObject({ additions: 1 })
  })
})
