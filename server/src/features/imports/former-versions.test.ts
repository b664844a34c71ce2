// A file that was made before others changed its records: their changes stay, and nothing is taken back without a word.
import { read, utils, type WorkBook, write } from '@e965/xlsx'
import { describe, expect, it } from 'vitest'
import { testApp } from '../../../test/support/app.js'
import { householdOf, recordsOf } from '../../../test/support/imports.js'
import { instance, send } from '../../../test/support/submissions.js'
import { sql } from '../../platform/db/index.js'

const app = testApp()
const household = householdOf(app)
const { newForm, post } = household

/** By somebody else, in the meantime. */
const change = async (body: Record<string, unknown>, at = 0) => {
  const record = (await recordsOf(app, household.form.formid))[at]
  const answer = await app.as(household.ana)('PATCH', `/data/${household.form.formid}/${record?.id}`, { body })
  expect(answer.statusCode).toBe(200)
}

const answers = async () =>
  (await recordsOf(app, household.form.formid)).map(({ answers: { 'form/uuid': _form, ...all } }) =>
    Object.fromEntries(Object.entries(all).filter(([key]) => !key.startsWith('meta/'))),
  )

const exported = async (ending: string) =>
  (await app.as(household.ana)('GET', `/data/${household.form.formid}.${ending}`)).rawPayload

const conflict = (texts: string) =>
  `Changed by others since the file was made, so that the row would take theirs back; export again and make the change there: ${texts}`

describe('a row under a former instance id', () => {
  it('keeps what others have changed since: cells that are as they were then say nothing', async () => {
    await newForm()
    await post('name,age,height,_uuid\nlost,30,1.5,st-1\n')
    await change({ age: '99' })
    expect(await post('name,age,height,_uuid\nlost,30,2.5,st-1\n')).toMatchObject({ updates: 1, additions: 0 })
    expect(await answers()).toEqual([{ name: 'lost', age: '99', height: '2.5' }])
  })

  it('is unchanged when it says what was stored then: no version, no new instance id', async () => {
    await newForm()
    await post('name,age,_uuid\nlost,30,st-1\n')
    await change({ age: '99', name: 'found' })
    const before = await recordsOf(app, household.form.formid)
    expect(await post('name,age,_uuid\nlost,30,st-1\n')).toMatchObject({ updates: 0, unchanged: 1 })
    expect(await recordsOf(app, household.form.formid)).toEqual(before)
  })

  it('400 names the three values of every answer that both have changed, with all other faults; nothing is stored', async () => {
    await newForm()
    await post('name,age,height,born,_uuid\na,30,1,,st-1\nb,1,1,,st-2\nc,2,2,,st-3\n')
    await change({ age: '99', height: '7', born: '2020-01-02' })
    await change({ age: null }, 1)
    const before = await recordsOf(app, household.form.formid)
    const answer = await post(
      'name,age,height,born,_uuid\na,31,8,,st-1\nb,2,1,,st-2\nnew,x,1,,\nc,3,2,,st-3\na,99,7,2020-01-02,st-1\n',
    )
    expect(answer).toEqual({
      error: `Invalid CSV data imported in row(s): {1: ['${conflict("age was \\'30\\', is \\'99\\' now, and here \\'31\\', height was \\'1\\', is \\'7\\' now, and here \\'8\\'")}'], 2: ['${conflict("age was \\'1\\', is empty now, and here \\'2\\'")}'], 3: ['Unknown integer format(s): x (column age)']}`,
    })
    expect(await recordsOf(app, household.form.formid)).toEqual(before)
  })

  it('says the same as somebody else: that is no conflict', async () => {
    await newForm()
    await post('name,age,_uuid\na,30,st-1\n')
    await change({ age: '31' })
    expect(await post('name,age,_uuid\nb,31.0,st-1\n')).toMatchObject({ updates: 1 })
    expect(await answers()).toEqual([{ name: 'b', age: '31' }])
  })

  it('empties what nobody has changed, and is refused where somebody has', async () => {
    await newForm()
    await post('name,age,height,_uuid\na,30,1,st-1\n')
    await change({ age: '99' })
    expect(await post('name,age,height,_uuid\na,30,,st-1\n')).toMatchObject({ updates: 1 })
    expect(await answers()).toEqual([{ name: 'a', age: '99' }])
    expect((await post('name,age,_uuid\na,,st-1\n')).error).toContain(
      "age was \\'30\\', is \\'99\\' now, and here empty",
    )
  })

  it('choices and places are one answer each, whatever their columns', async () => {
    const [id] = await newForm('<name>a</name><colours>red</colours><home><gps>1 2 3 4</gps></home>')
    await change({ colours: 'red blue', 'home/gps': '5 6 7 8' })
    const header = 'name,colours/red,colours/blue,home/_gps_latitude,home/_gps_longitude,_uuid'
    expect(await post(`${header}\nb,1,0,1,2,${id}\n`)).toMatchObject({ updates: 1 })
    expect(await answers()).toMatchObject([{ name: 'b', colours: 'red blue', 'home/gps': '5 6 7 8' }])
    const { error } = await post(`${header}\nb,0,0,1,9,${id}\n`)
    expect(error).toContain("colours was \\'red\\', is \\'red blue\\' now, and here empty")
    expect(error).toContain("home/gps was \\'1 2 3 4\\', is \\'5 6 7 8\\' now, and here \\'1 9 3 4\\'")
  })

  it('400 where others have put there what nobody may choose, and the row would take a part of it', async () => {
    const [id = ''] = await newForm('<name>a</name><colours>red</colours>')
    const edit = instance(household.form, '<name>a</name><colours>zz blue</colours>', { deprecated: id })
    expect((await send(app, household.ana, '', edit)).statusCode).toBe(201)
    expect((await post(`name,colours,_uuid\na,zz,${id}\n`)).error).toContain('"zz" is not one of its choices.')
    expect(await answers()).toEqual([{ name: 'a', colours: 'zz blue' }])
  })

  it('of several versions, the one that it names counts', async () => {
    await newForm()
    await post('name,age,height,_uuid\na,1,1,st-1\n')
    await change({ age: '2' })
    const second = (await recordsOf(app, household.form.formid))[0]?.uuid
    await change({ height: '2' })
    expect(await post(`name,age,height,_uuid\na,3,1,${second}\n`)).toMatchObject({ updates: 1 })
    expect(await answers()).toEqual([{ name: 'a', age: '3', height: '2' }])
    expect((await post('name,age,height,_uuid\na,4,1,st-1\n')).error).toContain("age was \\'1\\', is \\'3\\' now")
  })

  it('several of one file: the last one counts, and what others have changed stays', async () => {
    await newForm()
    await post('name,age,height,_uuid\na,1,1,st-1\n')
    await change({ height: '2' })
    expect(await post('name,age,height,_uuid\nb,5,1,st-1\nc,1,1,st-1\n')).toMatchObject({ updates: 2 })
    expect(await answers()).toEqual([{ name: 'c', age: '1', height: '2' }])
  })
})

const family = '<name>Tom</name><kids><kid>Ann</kid><toys><toy>car</toy></toys></kids><kids><kid>Bob</kid></kids>'
const entries = (...kids: string[]) => kids.map((kid) => ({ 'kids/kid': kid }))

describe('entries of repeats under a former instance id', () => {
  it('stay as others have left them where the row says what they were', async () => {
    const [id] = await newForm(family)
    await change({ kids: entries('Ann', 'Bob', 'Eve') })
    const file = `name,kids[1]/kid,kids[1]/toys[1]/toy,kids[2]/kid,_uuid\nTim,Ann,car,Bob,${id}\n`
    expect(await post(file)).toMatchObject({ updates: 1 })
    expect(await answers()).toEqual([{ name: 'Tim', kids: entries('Ann', 'Bob', 'Eve') }])
  })

  it('400 where both have changed them, as a whole', async () => {
    const [id] = await newForm(family)
    await change({ kids: entries('Ann', 'Bob', 'Eve') })
    const { error } = await post(`name,kids[2]/kid,_uuid\nTim,Rob,${id}\n`)
    expect(error).toContain('kids was')
    expect(error).toContain('Rob')
    expect(await answers()).toEqual([{ name: 'Tom', kids: entries('Ann', 'Bob', 'Eve') }])
  })

  it('are changed where nobody else has', async () => {
    const [id] = await newForm(family)
    await change({ name: 'Tim' })
    await post(`name,kids[2]/kid,_uuid\nTom,Rob,${id}\n`)
    expect(await answers()).toMatchObject([{ name: 'Tim', kids: [{ 'kids/kid': 'Ann' }, { 'kids/kid': 'Rob' }] }])
  })

  it('in sheets of a workbook: added by others they are not missing', async () => {
    await newForm(family)
    const book = read(await exported('xlsx')) as WorkBook
    const rows = utils.sheet_to_json(book.Sheets.data as never, { defval: '' }) as object[]
    book.Sheets.data = utils.json_to_sheet(rows.map((row) => ({ ...row, name: 'Tim' })))
    await change({ kids: entries('Ann', 'Bob', 'Eve') })
    const file = write(book, { type: 'buffer', bookType: 'xlsx' })
    expect(await post(file, { field: 'xls_file', fileName: 'data.xlsx' })).toMatchObject({ updates: 1 })
    expect(await answers()).toEqual([{ name: 'Tim', kids: entries('Ann', 'Bob', 'Eve') }])
  })
})

describe('an edit while a file is imported', () => {
  it('400 under the lock, where the first look at the file has seen nothing; nothing of either is lost', async () => {
    await newForm()
    await post('name,age,_uuid\na,30,st-1\nb,1,st-2\n')
    const [record] = await recordsOf(app, household.form.formid)
    let sent: Promise<Record<string, unknown>> | undefined
    // The record is locked by an edit that is about to be stored: the import gets past its first look and waits for it.
    await app.database.db.transaction(async (tx) => {
      await tx.run(
        sql`select from submissions where form_id = ${household.form.formid} and id = ${record?.id} for update`,
      )
      sent = post('name,age,_uuid\na,31,st-1\nb,2,st-2\n')
      for (let waiting = 0; waiting === 0; ) {
        const found = await tx.one<{ count: number }>(sql`
          select count(*) as count from pg_stat_activity
          where datname = current_database() and wait_event_type = 'Lock'`)
        waiting = found.count
      }
      await tx.run(sql`
        insert into submission_versions (form_id, submission_id, number, uuid, xml, answers, version, model_number, made_at, archived_at)
        select form_id, id, 1, uuid, xml, answers, version, model_number, submitted_at, now() from submissions
        where form_id = ${household.form.formid} and id = ${record?.id}`)
      await tx.run(sql`
        insert into instance_ids (form_id, uuid, submission_id) values (${household.form.formid}, 'st-1b', ${record?.id})`)
      await tx.run(sql`
        update submissions set uuid = 'st-1b', answers = jsonb_set(answers, '{age}', '"99"'),
          xml = replace(xml, '<age>30<', '<age>99<')
        where form_id = ${household.form.formid} and id = ${record?.id}`)
    })
    expect((await sent)?.error).toContain("age was \\'30\\', is \\'99\\' now, and here \\'31\\'")
    expect(await answers()).toEqual([
      { name: 'a', age: '99' },
      { name: 'b', age: '1' },
    ])
  })
})
