// What a file changes in records that there are: what it says otherwise, and nothing else.
import { read, utils, type WorkBook, write } from '@e965/xlsx'
import { beforeAll, describe, expect, it } from 'vitest'
import { type Account, testApp } from '../../../test/support/app.js'
import { type PublishedForm, publish, sheet } from '../../../test/support/forms.js'
import { householdSheet, recordsOf, runJobs, type SendOptions, sendTable } from '../../../test/support/imports.js'
import { multipart } from '../../../test/support/multipart.js'
import { instance, newId, send } from '../../../test/support/submissions.js'
import { budgets } from '../../budgets.js'
import { sql } from '../../platform/db/index.js'

const app = testApp()
let ana: Account
let form: PublishedForm
beforeAll(async () => {
  ana = await app.account({ username: 'ana' })
})

const household =
  '<name>Tom</name><age>7</age><colours>red zz</colours><home><gps>-1.5 36 0 20</gps></home><kids note="a"><kid>Ann</kid><toys><toy>car</toy></toys><toys><toy>doll</toy></toys></kids><kids><kid>Bob</kid></kids><extra>kept</extra>'

const newForm = async (...records: string[]) => {
  form = await publish(app, ana, householdSheet({ version: '1' }))
  const ids = records.map(() => newId())
  for (const [at, xml] of records.entries()) await send(app, ana, '', instance(form, xml, { id: ids[at] as string }))
  return ids
}

const post = async (content: string | Buffer, options: SendOptions = {}) => {
  const answer = await sendTable(app, ana, form.formid, content, { path: 'import', ...options })
  return answer.json() as Record<string, unknown>
}

const answers = async () =>
  (await recordsOf(app, form.formid)).map(({ answers: { 'form/uuid': _form, ...all } }) =>
    Object.fromEntries(Object.entries(all).filter(([key]) => !key.startsWith('meta/'))),
  )

const exported = async (ending: string, query: Record<string, string> = {}) =>
  (await app.as(ana)('GET', `/data/${form.formid}.${ending}`, { query })).rawPayload

type Cells = Record<string, unknown>

const book = async (): Promise<WorkBook> => read(await exported('xlsx'))
const rowsOf = (workbook: WorkBook, name: string): Cells[] =>
  utils.sheet_to_json(workbook.Sheets[name] as never, { defval: '' })

const saved = (workbook: WorkBook, sheets: Record<string, Cells[]>): Buffer => {
  for (const [name, rows] of Object.entries(sheets)) workbook.Sheets[name] = utils.json_to_sheet(rows)
  return write(workbook, { type: 'buffer', bookType: 'xlsx', compression: true })
}
const workbook = { field: 'xls_file', fileName: 'data.xlsx' }

const versions = async () =>
  (
    await app.database.db.one<{ count: number }>(sql`
      select count(*) as count from submission_versions where form_id = ${form.formid}`)
  ).count

describe('a row of a record that there is', () => {
  it('changes what it says otherwise; a column that is missing leaves its answers alone, and so the rest of the XML', async () => {
    const [id] = await newForm(household)
    expect(await post(`name,kids[2]/kid,kids[1]/toys[2]/toy,_uuid\nTim,Bob,,${id}\n`)).toEqual({
      additions: 0,
      duplicates: 0,
      updates: 1,
      info: '',
    })
    expect(await answers()).toEqual([
      {
        name: 'Tim',
        age: '7',
        colours: 'red zz',
        'home/gps': '-1.5 36 0 20',
        kids: [{ 'kids/kid': 'Ann', 'kids/toys': [{ 'kids/toys/toy': 'car' }] }, { 'kids/kid': 'Bob' }],
        extra: 'kept',
      },
    ])
    expect((await recordsOf(app, form.formid))[0]?.xml).toContain('<kids note="a"><kid>Ann</kid>')
  })

  it('is unchanged, not edited, when it says what is stored: no version, no event, no instance id', async () => {
    const [id] = await newForm(household)
    const before = await recordsOf(app, form.formid)
    const rows = `Tom,7.0,True,False,-1.5,${id}\n`
    expect(await post(`name,age,colours/red,colours/blue,home/_gps_latitude,_uuid\n${rows}${rows}`)).toMatchObject({
      updates: 0,
      unchanged: 2,
    })
    expect([await recordsOf(app, form.formid), await versions()]).toEqual([before, 0])
  })

  it('may hold what devices sent, however odd; a new record, and a change, may not', async () => {
    const [id] = await newForm('<name>Tom</name><age>seven</age><born>soon</born>')
    expect(await post(`name,age,born,_uuid\nTim,seven,soon,${id}\n`)).toMatchObject({ updates: 1 })
    expect(await post(`name,age,born,_uuid\nTim,eight,soon,${id}\nNew,seven,,\n`)).toEqual({
      error:
        "Invalid CSV data imported in row(s): {1: ['Unknown integer format(s): eight (column age)'], 2: ['Unknown integer format(s): seven (column age)']}",
    })
  })

  it('with a line that ends early says nothing of its last columns', async () => {
    const [id] = await newForm('<name>Tom</name><age>7</age>')
    expect(await post(`name,_uuid,age\nTim,${id}\n`)).toMatchObject({ updates: 1 })
    expect(await answers()).toEqual([{ name: 'Tim', age: '7' }])
  })

  it('changes choices and parts of places one by one; what has no column stays', async () => {
    const [id] = await newForm(household)
    await post(`name,colours/blue,home/_gps_altitude,_uuid\nTom,1,9,${id}\n`)
    expect(await answers()).toMatchObject([{ colours: 'red zz blue', 'home/gps': '-1.5 36 9 20' }])
    const whole = (await exported('csv')).toString()
    await post(whole.replace(',True,True,', ',False,True,'))
    expect(await answers()).toMatchObject([{ colours: 'zz blue' }])
  })

  it('keeps its version; it is of the newest only where that alone asks for what changes', async () => {
    form = await publish(
      app,
      ana,
      sheet('type,name,label\ntext,old,Old\ntext,both,Both', { settings: { version: '1' } }),
    )
    const [first, second] = [newId(), newId()]
    for (const id of [first, second]) {
      await send(app, ana, '', instance(form, '<old>o</old><both>b</both>', { id }))
    }
    const { body, headers } = multipart([
      {
        name: 'xls_file',
        filename: 'next.csv',
        content: sheet('type,name,label\ntext,both,Both\ntext,new,New', {
          settings: { form_id: form.id_string, version: '2' },
        }),
      },
    ])
    const replaced = await app.as(ana)('PATCH', `/forms/${form.formid}`, { body, headers })
    expect(replaced.statusCode).toBe(200)
    const whole = (await exported('csv')).toString()
    expect(await post(whole)).toMatchObject({ updates: 0, unchanged: 2, info: '' })
    await post(`both,old,new,_uuid\nc,o,,${first}\nb,o,n,${second}\n`)
    expect(
      (await recordsOf(app, form.formid)).map(({ version, answers: all }) => [version, all.both, all.old, all.new]),
    ).toEqual([
      ['1', 'c', 'o', undefined],
      ['2', 'b', 'o', 'n'],
    ])
    const { differences } = (await app.as(ana)('POST', `/forms/${form.formid}/rebuild`)).json()
    expect(differences).toEqual([])
  })
})

describe('a workbook with sheets of repeats', () => {
  it('200 changes, fills and adds entries, wherever their rows stand', async () => {
    await newForm(household, '<name>Ben</name><kids><kid>Cid</kid></kids>')
    const file = await book()
    const [kids, toys] = [rowsOf(file, 'kids'), rowsOf(file, 'kids_toys')]
    const [ann, bob, cid] = kids as [Cells, Cells, Cells]
    const changed = saved(file, {
      data: rowsOf(file, 'data').reverse(),
      kids: [cid, { ...ann, 'kids/kid': 'Anna' }, bob, { ...cid, 'kids/kid': 'Dan', _index: 99 }],
      kids_toys: [...toys, { ...toys[0], 'kids/toys/toy': 'ball', _index: 7, _parent_index: 99 }],
    })
    // A key that no version knows has no place in a file, and stays where it is.
    expect(await post(changed, workbook)).toMatchObject({
      updates: 2,
      additions: 0,
      info: expect.stringContaining("'extra'"),
    })
    expect(await answers()).toMatchObject([
      {
        kids: [
          { 'kids/kid': 'Anna', 'kids/toys': [{ 'kids/toys/toy': 'car' }, { 'kids/toys/toy': 'doll' }] },
          { 'kids/kid': 'Bob' },
        ],
        extra: 'kept',
      },
      { kids: [{ 'kids/kid': 'Cid' }, { 'kids/kid': 'Dan', 'kids/toys': [{ 'kids/toys/toy': 'ball' }] }] },
    ])
  })

  it('200 without them leaves the entries alone; an entry at the end whose cells are emptied is gone', async () => {
    await newForm(household)
    const file = await book()
    const rows = rowsOf(file, 'data').map((row) => ({ ...row, name: 'Tim' }))
    const alone = saved({ SheetNames: ['data'], Sheets: {} }, { data: rows })
    expect(await post(alone, workbook)).toMatchObject({ updates: 1 })
    expect((await answers())[0]?.kids).toHaveLength(2)
    const again = await book()
    const [ann, bob] = rowsOf(again, 'kids') as [Cells, Cells]
    await post(saved(again, { kids: [ann, { ...bob, 'kids/kid': '' }] }), workbook)
    expect((await answers())[0]?.kids).toMatchObject([{ 'kids/kid': 'Ann' }])
  })

  it.each<[string, string, (file: WorkBook) => Record<string, Cells[]>]>([
    [
      'rows of entries that were taken out: nothing is erased',
      "{1: ['Rows of entries are missing; empty their cells instead: kids (1 of 2)']}",
      (file) => ({ kids: rowsOf(file, 'kids').slice(0, 1) }),
    ],
    [
      'rows that belong to none',
      "In the sheet 'kids', _parent_index leads to no row, or to several, from row(s): 3.",
      (file) => ({ kids: rowsOf(file, 'kids').map((row, at) => ({ ...row, _parent_index: at === 1 ? 50 : 1 })) }),
    ],
    [
      'a sheet of a repeat that the form does not have',
      "The sheet 'pets' holds rows of a repeat that the form does not have.",
      () => ({ pets: [{ 'pets/pet': 'x', _parent_index: 1 }] }),
    ],
    [
      'two sheets of one repeat',
      "The sheet 'more' is a second one for the entries of 'kids'.",
      (file) => ({ more: rowsOf(file, 'kids') }),
    ],
  ])('400 for %s', async (_what, message, sheets) => {
    await newForm(household)
    const before = await recordsOf(app, form.formid)
    const file = await book()
    const changed = sheets(file)
    for (const name of Object.keys(changed)) if (!file.SheetNames.includes(name)) file.SheetNames.push(name)
    expect((await post(saved(file, changed), workbook)).error).toContain(message)
    expect(await recordsOf(app, form.formid)).toEqual(before)
  })

  it('400 for sheets within a repeat whose own is missing, and for the table of a repeat alone', async () => {
    await newForm(household)
    const file = await book()
    file.SheetNames.splice(file.SheetNames.indexOf('kids'), 1)
    expect((await post(saved(file, {}), workbook)).error).toContain(
      "entries within 'kids', for which there is no sheet",
    )
    const table = utils.sheet_to_csv(utils.json_to_sheet(rowsOf(await book(), 'kids')))
    expect((await post(table)).error).toContain("the table of the entries of 'kids' alone")
  })
})

describe('what import cannot carry', () => {
  it('400 for a zip of CSV files, by its name', async () => {
    await newForm(household)
    for (const field of ['csv_file', 'xls_file']) {
      const answer = await post(await exported('csvzip'), {
        field,
        fileName: 'visits.zip',
      })
      expect(answer.error).toContain('visits.zip: a zip of CSV files is not imported.')
    }
  })

  it('400 for labels in place of names, in the header, below it and in answers', async () => {
    const [id] = await newForm('<name>Tom</name><sex>f</sex>')
    expect((await post('name,Age\nTom,7\n')).error).toContain('Labels in place of the names of questions: Age.')
    expect((await post('name,age\nName,Age\nTom,7\n')).error).toContain('The first row below the header holds labels.')
    expect((await post(`name,sex,_uuid\nTom,Female,${id}\nNew,Male,\n`)).error).toBe(
      "Invalid CSV data imported in row(s): {2: ['Labels in place of the names of choices in sex: Male']}",
    )
    expect((await post(`name,sex,_uuid\nTom,Male,${id}\n`)).error).toContain('Labels in place of the names of choices')
  })

  it('400 for a name without its group that several questions have; 200 where it is clear', async () => {
    form = await publish(
      app,
      ana,
      sheet(
        'type,name,label\nbegin group,a,A\ntext,x,X\ntext,y,Y\nend group,,\nbegin group,b,B\ntext,x,X\nend group,,\nbegin repeat,r,R\ntext,z,Z\nend repeat,,',
        { settings: { version: '1' } },
      ),
    )
    expect((await post('x,y,z\n1,2,3\n')).error).toContain('x (a/x, b/x), z (r/z)')
    expect(await post('y\n2\n')).toMatchObject({ additions: 1, info: '' })
    expect(await answers()).toEqual([{ 'a/y': '2' }])
  })

  it('400 with strict, and with overwrite, for columns that mean nothing to the form; else they are named', async () => {
    await newForm('<name>Tom</name>')
    for (const option of ['strict', 'overwrite']) {
      expect((await post('name,shoe\nTim,1\n', { query: { [option]: 'true' } })).error).toContain(
        'The form has no such question(s): shoe.',
      )
    }
    expect(await post('name,shoe\nTim,1\n')).toMatchObject({ additions: 1, info: expect.stringContaining("'shoe'") })
  })

  it('400 for overwrite where answers name files, which would be deleted; 200 names them for new records', async () => {
    await newForm('<name>Tom</name>')
    expect((await post('name,home/photo\nTim,a.jpg\n', { query: { overwrite: 'true' } })).error).toContain(
      'Files are not imported, and overwrite would delete those that there are: home/photo names a.jpg',
    )
    expect(await post('name,home/photo\nTim,a.jpg\n')).toMatchObject({
      additions: 1,
      info: 'Files are not imported; answers of new records that name one: 1.',
    })
  })
})

describe('what is said of a file', () => {
  const rows = "name,age,_uuid\n'=1,NA,\n"

  it('na and raw hold in the request and in the background', async () => {
    for (const filler of ['', `,,\n`.repeat(40_000)]) {
      for (const [raw, name] of [
        ['false', '=1'],
        ['true', "'=1"],
      ] as const) {
        await newForm()
        const options = { query: { na: 'NA', raw } }
        const answer = await post(rows + filler, options)
        if (filler !== '') {
          expect(answer.task_id).toEqual(expect.any(String))
          await runJobs(app)
        }
        expect(await answers()).toEqual([{ name }])
      }
    }
  })

  it('400 for na beyond budgets.imports.unansweredCharacters, 200 at them', async () => {
    await newForm()
    const most = budgets.imports.unansweredCharacters
    const file = (na: string) => `name,age\nTom,${na}\n`
    const sent = (na: string) => post(file(na), { fields: { na } })
    expect(await sent('x'.repeat(most))).toMatchObject({ additions: 1 })
    expect(await sent('x'.repeat(most + 1))).toEqual({ na: [`At most ${most} characters.`] })
    expect(await answers()).toEqual([{ name: 'Tom' }])
  })
})
