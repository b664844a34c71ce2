// 03/04/2020 is a day of March or of April: the whole column decides, not each cell by itself.
import { read, utils, write } from '@e965/xlsx'
import { beforeAll, expect, it } from 'vitest'
import { type Account, testApp } from '../../../test/support/app.js'
import { type PublishedForm, publish, sheet } from '../../../test/support/forms.js'
import { recordsOf, type SendOptions, sendTable } from '../../../test/support/imports.js'

const app = testApp()
let ana: Account
let form: PublishedForm
beforeAll(async () => {
  ana = await app.account({ username: 'ana' })
})

const newForm = async () => {
  const questions = `type,name,label
    text,name,Name
    date,born,Born
    dateTime,seen,Seen
    begin repeat,kids,Kids
    date,day,Day
    end repeat,,`
  form = await publish(app, ana, sheet(questions, { settings: { version: '1' } }))
}

const post = async (content: string | Buffer, options: SendOptions = {}) =>
  (await sendTable(app, ana, form.formid, content, { path: 'import', ...options })).json() as Record<string, unknown>

const of = async (key: string) => (await recordsOf(app, form.formid)).map(({ answers }) => answers[key])

it('a column with one date that can only be day first is so throughout, and says nothing of other columns', async () => {
  await newForm()
  const rows = ['03/04/2020,03/04/2020 10:00', '13/02/2020,01/02/2020 10:00Z', '5-6-2020,2020-02-01T00:00:00Z']
  expect(await post(`born,seen\n${rows.join('\n')}\n`)).toMatchObject({ additions: 3 })
  expect(await of('born')).toEqual(['2020-04-03', '2020-02-13', '2020-06-05'])
  expect(await of('seen')).toEqual(['2020-03-04T10:00:00+00:00', '2020-01-02T10:00:00Z', '2020-02-01T00:00:00Z'])
})

it('a column that leaves it open, or has dates that can only be month first, is month first', async () => {
  await newForm()
  expect(await post('born,seen\n03/04/2020,02/13/2020 1:00Z\n05/06/2020,03/04/2020 1:00Z\n')).toMatchObject({
    additions: 2,
  })
  expect(await of('born')).toEqual(['2020-03-04', '2020-05-06'])
  expect(await of('seen')).toEqual(['2020-02-13T01:00:00Z', '2020-03-04T01:00:00Z'])
})

it('400 for a column with both, naming two such rows, with all other faults', async () => {
  await newForm()
  const { error } = await post('born,seen\n13/02/2020,x\n03/04/2020,\n02/13/2020,\n')
  expect(error).toBe(
    "Invalid CSV data imported in row(s): {1: ['Only the day can come first here, and only the month in row 3; write dates as 2020-02-13: 13/02/2020 (column born)', 'Unknown date format(s): x (column seen)'], 3: ['Only the month can come first here, and only the day in row 1; write dates as 2020-02-13: 02/13/2020 (column born)']}",
  )
  expect(await recordsOf(app, form.formid)).toEqual([])
})

it('the columns of all entries of a repeat, and the rows of its sheet, are one column', async () => {
  await newForm()
  await post('name,kids[1]/day,kids[2]/day\na,03/04/2020,13/02/2020\n')
  const book = utils.book_new()
  utils.book_append_sheet(book, utils.json_to_sheet([{ name: 'b', _index: 1 }]), 'data')
  const kids = ['03/04/2020', '13/02/2020'].map((day) => ({ 'kids/day': day, _parent_index: 1 }))
  utils.book_append_sheet(book, utils.json_to_sheet(kids), 'kids')
  const file = write(book, { type: 'buffer', bookType: 'xlsx' }) as Buffer
  expect(read(file).SheetNames).toEqual(['data', 'kids'])
  expect(await post(file, { field: 'xls_file', fileName: 'a.xlsx' })).toMatchObject({ additions: 1 })
  const days = [{ 'kids/day': '2020-04-03' }, { 'kids/day': '2020-02-13' }]
  expect(await of('kids')).toEqual([days, days])
})

it('holds for the time of submission, and for what is compared with what is stored', async () => {
  await newForm()
  const rows = '03/04/2020,a,03/04/2020 10:00\n13/02/2020,b,13/02/2020 10:00\n'
  const file = `born,_uuid,_submission_time\n${rows}`
  expect(await post(file)).toMatchObject({ additions: 2 })
  expect((await recordsOf(app, form.formid)).map(({ submitted_at }) => submitted_at)).toEqual([
    new Date('2020-04-03T10:00:00Z'),
    new Date('2020-02-13T10:00:00Z'),
  ])
  expect(await post(file)).toMatchObject({ updates: 0, unchanged: 2 })
})
