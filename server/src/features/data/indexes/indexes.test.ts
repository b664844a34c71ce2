import { beforeEach, describe, expect, it } from 'vitest'
import { testApp } from '../../../../test/support/app.js'
import { giveRole, newForm, type Place, put } from '../../../../test/support/data.js'
import { publish } from '../../../../test/support/forms.js'
import { askOften, definitionsOf, indexesOf, makeLarge, tend } from '../../../../test/support/indexes.js'
import { formLock, meanwhile } from '../../../../test/support/meanwhile.js'
import { budgets } from '../../../budgets.js'
import { sql } from '../../../platform/db/index.js'
import { runPendingJobs } from '../../../platform/jobs/index.js'
import { tendIndexes } from './tending.js'

const app = testApp()
let place: Place

beforeEach(async () => {
  place = await newForm(app)
  await put(app, place.form, ...['a', 'b', 'c'].map((name) => ({ answers: { name, age: '7' } })))
})

const indexes = (account = place.ana) => app.as(account)('GET', `/forms/${place.form.id}/indexes`)
const want = (body: unknown, account = place.ana) =>
  app.as(account)('POST', `/forms/${place.form.id}/indexes`, { body: body as object })
const giveUp = (id: number | string, account = place.ana) =>
  app.as(account)('DELETE', `/forms/${place.form.id}/indexes/${id}`)
const work = () => runPendingJobs(app.deps.db, app.deps.jobs, app.deps.log)

describe('/forms/{pk}/indexes', () => {
  it('200 tells what is asked, how often and when, and what an index costs once it is there', async () => {
    expect((await indexes()).json()).toEqual([])
    await makeLarge(app, place.form)
    await askOften(app, place.ana, place.form, { query: '{"name":"a"}', sort: 'age' })
    expect((await indexes()).json()).toMatchObject([
      { question: 'age', kind: 'number', state: 'asked', bytes: null, filtered: 0, sorted: 3, wanted_by: null },
      { question: 'name', kind: 'text', state: 'asked', bytes: null, filtered: 3, sorted: 0, wanted_by: null },
    ])
    await tend(app)
    const [age] = (await indexes()).json()
    expect(age).toMatchObject({ question: 'age', state: 'made', bytes: 16_384 })
    expect(Date.now() - Date.parse(age.last_asked)).toBeLessThan(60_000)
  })

  it('403 for whoever ceased to manage the form while their wish waited', async () => {
    const manager = await app.account()
    await giveRole(app, place.form, manager, 'manager')
    const { id } = place.form
    const answer = await meanwhile(
      app,
      formLock(id),
      () => want({ question: 'name' }, manager),
      (tx) => tx.run(sql`update form_roles set role = 'editor' where form_id = ${id} and user_id = ${manager.id}`),
    )
    expect(answer.statusCode).toBe(403)
    expect(await indexesOf(app, place.form)).toEqual([])
  })

  it('small forms are not counted', async () => {
    await askOften(app, place.ana, place.form, { query: '{"name":"a"}' })
    expect((await indexes()).json()).toEqual([])
  })

  it('202 for one that a manager asks for: it is made in the background, also in a small form', async () => {
    const response = await want({ question: 'name' })
    expect(response.statusCode).toBe(202)
    expect(response.json()).toMatchObject({
      question: 'name',
      kind: 'text',
      state: 'waiting',
      wanted_by: place.ana.username,
    })
    await work()
    expect((await indexes()).json()).toMatchObject([{ state: 'made', bytes: 16_384, wanted_by: place.ana.username }])
    expect(await definitionsOf(app, place.form)).toHaveLength(1)
  })

  it('202 for the same again, and for another kind of the same question', async () => {
    for (const body of [{ question: 'age' }, { question: 'age' }, { question: 'age', kind: 'part' }])
      expect((await want(body)).statusCode).toBe(202)
    expect((await indexes()).json().map(({ kind }: { kind: string }) => kind)).toEqual(['number', 'part'])
  })

  it('204 for one that is given up: it is dropped, does not make itself again, and may be asked for again', async () => {
    await makeLarge(app, place.form)
    await askOften(app, place.ana, place.form, { sort: 'name' })
    await tend(app)
    const [{ id }] = (await indexes()).json()
    expect((await giveUp(id)).statusCode).toBe(204)
    await work()
    await askOften(app, place.ana, place.form, { sort: 'name' })
    await tend(app)
    expect((await indexes()).json()).toMatchObject([{ id, state: 'forbidden', bytes: null }])
    expect(await definitionsOf(app, place.form)).toEqual([])
    expect((await want({ question: 'name' })).json()).toMatchObject({ id, state: 'waiting' })
  })

  it('400 for what is no question, is in a repeat, or has no such kind', async () => {
    for (const [body, field] of [
      [{}, 'question'],
      [{ question: 'nobody' }, 'question'],
      [{ question: 'kids/kname' }, 'question'],
      [{ question: '_submission_time' }, 'question'],
      [{ question: 'name', kind: 'number' }, 'kind'],
      [{ question: 'age', kind: 'x' }, 'kind'],
    ] as const) {
      const response = await want(body)
      expect([response.statusCode, Object.keys(response.json())]).toEqual([400, [field]])
    }
  })

  it('409 for more than a form may have; what makes itself gives way before', async () => {
    const questions = ['name', 'age', 'sex', 'fruits', 'visit/day', 'visit/height']
    await makeLarge(app, place.form)
    await askOften(app, place.ana, place.form, { sort: 'visit/height' })
    await tend(app)
    for (const question of questions.slice(0, budgets.indexes.perForm))
      expect((await want({ question })).statusCode).toBe(202)
    const refused = await want({ question: 'visit/height' })
    expect([refused.statusCode, refused.json().detail]).toEqual([409, expect.stringContaining('5 indexes')])
    await work()
    expect(await definitionsOf(app, place.form)).toHaveLength(budgets.indexes.perForm)
    expect((await indexes()).json().at(-1)).toMatchObject({ question: 'visit/height', state: 'asked', sorted: 0 })
  })

  it('409 for more than an account may have, also where its forms are asked for at the same moment', async () => {
    const form = () => publish(app, place.ana, undefined, { project: place.projectId })
    const forms = [await form(), await form(), await form(), await form(), await form()]
    // Of its other forms.
    await app.deps.db.run(sql`
      insert into answer_indexes (form_id, key, kind, state, state_at, wanted_by)
      select ${place.form.id}, 'q' || number, 'text', 'waiting', now(), ${place.ana.id}::int
      from generate_series(1, ${budgets.indexes.inAll - 2}::int) number`)
    const ask = (formid: number) =>
      app.as(place.ana)('POST', `/forms/${formid}/indexes`, { body: { question: 'name' } })
    const answers = await Promise.all(forms.map(({ formid }) => ask(formid)))
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([202, 202, 409, 409, 409])
  })

  it('202 and postponed in a small form while those in use take all places; made when there is room', async () => {
    const bounds = { ...budgets.indexes, inAll: 1 }
    const tendOne = () => tendIndexes(app.deps, app.deps.clock.now(), new AbortController().signal, bounds)
    await app.deps.db.run(sql`delete from answer_indexes`)
    await want({ question: 'name' })
    await tendOne()
    expect(await definitionsOf(app, place.form)).toHaveLength(1)
    const large = await newForm(app)
    await makeLarge(app, large.form)
    await askOften(app, large.ana, large.form, { sort: 'name' })
    await tendOne()
    expect([await definitionsOf(app, place.form), await indexesOf(app, place.form)]).toEqual([
      [],
      [expect.objectContaining({ key: 'name', state: 'waiting' })],
    ])
    expect(await definitionsOf(app, large.form)).toHaveLength(1)
    // Others take the rest of the places.
    for (let number = 0; number < budgets.indexes.inAll / budgets.indexes.perForm; number++) {
      const other = await newForm(app)
      await makeLarge(app, other.form)
      await app.deps.db.run(sql`
        insert into answer_indexes (form_id, key, kind, state, state_at, asked_at)
        select ${other.form.id}, key, 'text', 'made', now(), now()
        from unnest(array['name', 'age', 'sex', 'fruits', 'visit/day']) key`)
    }
    expect((await indexes()).json()).toMatchObject([{ question: 'name', state: 'postponed' }])
    expect((await want({ question: 'age' })).json()).toMatchObject({ question: 'age', state: 'postponed' })
    await app.deps.db.run(sql`delete from answer_indexes where form_id <> ${place.form.id}`)
    expect((await indexes()).json()).toMatchObject([{ state: 'waiting' }, { state: 'waiting' }])
    await work()
    expect(await definitionsOf(app, place.form)).toHaveLength(2)
  })

  it('404 for a hidden form, exactly as for a missing one, and for an index of another form', async () => {
    const stranger = await app.account()
    const { json } = await want({ question: 'name' })
    const { id } = json()
    const missing = (method: 'GET' | 'POST' | 'DELETE', path: string, body?: object) =>
      app.as(stranger)(method, `/forms/2147483647/indexes${path}`, body === undefined ? {} : { body })
    for (const [hidden, gone] of [
      [await indexes(stranger), await missing('GET', '')],
      [await want({ question: 'name' }, stranger), await missing('POST', '', { question: 'name' })],
      [await giveUp(id, stranger), await missing('DELETE', `/${id}`)],
    ] as const)
      expect([hidden.statusCode, hidden.body]).toEqual([404, gone.body])
    const other = await newForm(app)
    const foreign = await app.as(other.ana)('DELETE', `/forms/${other.form.id}/indexes/${id}`)
    expect([foreign.statusCode, (await giveUp('x')).statusCode]).toEqual([404, 404])
    expect((await indexes()).json()).toMatchObject([{ id, state: 'waiting' }])
  })

  it('403 for whoever sees the form and does not manage it; 401 for nobody', async () => {
    const reader = await app.account()
    await giveRole(app, place.form, reader, 'editor')
    for (const response of [await indexes(reader), await want({ question: 'name' }, reader), await giveUp(1, reader)])
      expect(response.statusCode).toBe(403)
    expect((await app.call('GET', `/forms/${place.form.id}/indexes`)).statusCode).toBe(401)
  })
})
