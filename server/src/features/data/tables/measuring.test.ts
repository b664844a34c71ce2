import { expect, it } from 'vitest'
import { testApp } from '../../../../test/support/app.js'
import { newForm, put, useForm } from '../../../../test/support/data.js'
import { sql } from '../../../platform/db/index.js'
import { measureChanged } from './measuring.js'

const app = testApp()
const place = useForm(app)

const blocks = () =>
  app.deps.db.rows<{ live: number; names: number; isMeasured: boolean }>(sql`
    select live, jsonb_array_length(shape -> 'others') as names, shape is not null as "isMeasured"
    from submission_blocks where form_id = ${place.form.id}`)

const header = async () => (await app.as(place.ana)('GET', `/data/${place.form.id}.csv`)).body.split('\n', 1)[0] ?? ''

it('what has changed in a form is measured before a file is asked for, and only there', async () => {
  await put(app, place.form, { answers: { name: 'A' } }, { answers: { name: 'B' } })
  await measureChanged(app.deps.db, 3)
  expect(await blocks()).toEqual([])
  await measureChanged(app.deps.db, 2)
  expect(await blocks()).toEqual([{ live: 2, names: 0, isMeasured: true }])
  await put(app, place.form, { answers: { name: 'C', nobody_knows: 'it' } })
  await measureChanged(app.deps.db, 2)
  expect(await blocks()).toEqual([{ live: 3, names: 1, isMeasured: true }])
  expect(await header()).toContain('nobody_knows')
})

it('a record that is deleted for good is measured away', async () => {
  await app.deps.db.run(sql`
    with gone as (delete from submissions where form_id = ${place.form.id} and answers ? 'nobody_knows' returning *)
    insert into submission_tombstones (form_id, id, uuid, change_no, deleted_at)
    select form_id, id, uuid, next_change(), now() from gone`)
  await measureChanged(app.deps.db, 2)
  expect(await blocks()).toMatchObject([{ live: 2, names: 0, isMeasured: true }])
  expect(await header()).not.toContain('nobody_knows')
})

it('a repeat has as many columns as its longest, also behind one that holds another', async () => {
  const nested = `
| survey |
|        | type         | name  | label    |
|        | begin repeat | kids  | Children |
|        | text         | kname | Child    |
|        | begin repeat | toys  | Toys     |
|        | text         | toy   | Toy      |
|        | end repeat   |       |          |
|        | end repeat   |       |          |
|        | begin repeat | pets  | Pets     |
|        | text         | pet   | Pet      |
|        | end repeat   |       |          |`
  const { ana, form } = await newForm(app, { versions: [nested] })
  await put(app, form, {
    answers: {
      kids: [{ 'kids/kname': 'A', 'kids/toys': [{ 'kids/toys/toy': 'car' }] }],
      pets: [{ 'pets/pet': 'cat' }, { 'pets/pet': 'dog' }],
    },
  })
  const columns = (await app.as(ana)('GET', `/data/${form.id}.csv`)).body.split('\n', 1)[0]?.split(',')
  expect(columns?.filter((name) => /^(kids|pets)/.test(name))).toEqual([
    'kids[1]/kname',
    'kids[1]/toys[1]/toy',
    'pets[1]/pet',
    'pets[2]/pet',
  ])
})
