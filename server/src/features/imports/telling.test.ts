// What an import says of a file: where a fault is, and what of it was not used.
import { utils, write } from '@e965/xlsx'
import { describe, expect, it } from 'vitest'
import { testApp } from '../../../test/support/app.js'
import { householdOf, recordsOf } from '../../../test/support/imports.js'

const app = testApp()
const household = householdOf(app)
const { newForm, post } = household

const workbook = { field: 'xls_file', fileName: 'data.xlsx' }
const bookOf = (sheets: Record<string, Record<string, unknown>[]>): Buffer => {
  const book = utils.book_new()
  for (const [name, rows] of Object.entries(sheets)) utils.book_append_sheet(book, utils.json_to_sheet(rows), name)
  return write(book, { type: 'buffer', bookType: 'xlsx' })
}
/** A number in a cell that is to be shown as a date. */
const dayNumber = (v: number) => ({ t: 'n', v, z: 'yyyy-mm-dd' })

describe('faults', () => {
  it('400 with the column of each, also in the sheets of repeats', async () => {
    await newForm()
    expect((await post('name,born,seen\na,z,w\n')).error).toBe(
      "Invalid CSV data imported in row(s): {1: ['Unknown date format(s): z (column born), w (column seen)']}",
    )
    const file = bookOf({
      data: [{ name: 'a', age: 'x', _index: 1 }],
      kids: [
        { 'kids/kid': 'b', _index: 1, _parent_index: 1 },
        { 'kids/kid': 'y'.repeat(32_767), _index: 2, _parent_index: 1 },
      ],
    })
    const { error } = await post(file, workbook)
    expect(error).toContain('Unknown integer format(s): x (column age)')
    expect(error).toContain('… (column kids/kid, entry 2)')
  })

  it('400 for a cell whose day no calendar has, by row and column, beside all others', async () => {
    await newForm()
    const file = bookOf({
      data: [
        { name: 'a', born: dayNumber(-5), age: 'x' },
        { name: 'b', age: 'y' },
      ],
    })
    expect((await post(file, workbook)).error).toBe(
      "Invalid CSV data imported in row(s): {1: ['Unknown date format(s): -5 (column born)', 'Unknown integer format(s): x (column age)'], 2: ['Unknown integer format(s): y (column age)']}",
    )
  })

  it('400 for spaces in headers, by their names and that of the sheet', async () => {
    await newForm()
    expect((await post('name,first name,last name\na,b,c\n')).error).toBe(
      'CSV file fieldnames should not contain spaces: first name, last name',
    )
    expect((await post(bookOf({ data: [{ name: 'a', 'first name': 'b' }] }), workbook)).error).toBe(
      "Fieldnames should not contain spaces, in the sheet 'data': first name",
    )
    const kids = [{ 'kids/kid': 'b', 'pet name': 'c', _index: 1, _parent_index: 1 }]
    expect((await post(bookOf({ data: [{ name: 'a', _index: 1 }], kids }), workbook)).error).toBe(
      "Fieldnames should not contain spaces, in the sheet 'kids': pet name",
    )
  })
})

describe('info', () => {
  it('names rows of one record, of which the last one counts', async () => {
    const [id] = await newForm('<name>a</name>')
    const { info } = await post(`name,_uuid\nb,${id}\nc,${id}\nx,new\ny,new\nz,\n`)
    expect(info).toBe('Several rows of one record, of which the last one counts: row(s) 2, 4.')
    expect((await recordsOf(app, household.form.formid)).map(({ answers }) => answers.name)).toEqual(['c', 'y', 'z'])
  })

  it('names _id where nothing else says which record is meant', async () => {
    await newForm('<name>a</name>')
    const [record] = await recordsOf(app, household.form.formid)
    expect(await post(`name,_id\nb,${record?.id}\n`)).toEqual({
      additions: 1,
      duplicates: 0,
      updates: 0,
      info: '_id is not used; without _uuid every row is a new record.',
    })
    expect(await post('name,_id,_uuid\nb,7,new\n')).toMatchObject({ info: '' })
  })

  it('names columns that imports do not change, where they differ from what is stored', async () => {
    const [id] = await newForm('<name>a</name>')
    const [record] = await recordsOf(app, household.form.formid)
    await app.as(household.ana)('POST', `/data/${household.form.formid}/${record?.id}/labels`, {
      body: { tags: 'one, two' },
    })
    await app.as(household.ana)('POST', '/notes', { body: { note: '=first', instance: record?.id } })
    const review = { instance: record?.id, status: '3', note: 'why' }
    expect((await app.as(household.ana)('POST', '/submissionreview', { body: review })).statusCode).toBe(201)
    for (const ending of ['csv', 'xlsx']) {
      const file = await app.as(household.ana)('GET', `/data/${household.form.formid}.${ending}`, {
        query: { include_reviews: 'true' },
      })
      const how = ending === 'csv' ? {} : workbook
      expect(await post(file.rawPayload, how)).toMatchObject({ unchanged: 1, info: '' })
    }
    const header = 'name,_tags,_notes,_review_status,_review_comment,_submitted_by,_submission_time,_uuid'
    const row = `a,one,other,1,because,ben,2020-01-01T00:00:00,${id}`
    expect(await post(`${header}\n${row}\nb,,,,,,,\nc,x,y,1,,,,\n`)).toMatchObject({
      unchanged: 1,
      additions: 2,
      info: 'Imports do not change these columns, which differ from what is stored: _tags (row(s) 1, 3), _notes (row(s) 1, 3), _review_status (row(s) 1, 3), _review_comment (row(s) 1), _submitted_by (row(s) 1), _submission_time (row(s) 1).',
    })
  })

  it('says how many times had no zone and were taken as UTC; a changed one keeps the zone of the answer before', async () => {
    const [id] = await newForm(
      '<name>a</name><seen>2020-01-02T03:04:05.678+02:00</seen><meal>07:00:00.000+02:00</meal>',
    )
    const { info } = await post(
      `name,seen,meal,_uuid\na,2020-01-02 04:04:05,08:00,${id}\nb,2020-01-02 04:04:05,,\nc,2020-01-02 04:04:05Z,,\nd,2020-01-02,,\n`,
    )
    expect(info).toBe('Times without a zone are taken as UTC: 2 answer(s) of new records or of none before.')
    const answers = (await recordsOf(app, household.form.formid)).map(({ answers: { seen, meal } }) => [seen, meal])
    expect(answers).toEqual([
      ['2020-01-02T04:04:05+02:00', '08:00:00+02:00'],
      ['2020-01-02T04:04:05+00:00', undefined],
      ['2020-01-02T04:04:05Z', undefined],
      ['2020-01-02T00:00:00+00:00', undefined],
    ])
  })
})

describe('texts in workbooks', () => {
  it('keep an apostrophe before a formula: only CSV is guarded', async () => {
    await newForm()
    await post(bookOf({ data: [{ name: "'=1+1" }] }), workbook)
    await post("name\n'=1+1\n")
    expect((await recordsOf(app, household.form.formid)).map(({ answers }) => answers.name)).toEqual(["'=1+1", '=1+1'])
  })
})
