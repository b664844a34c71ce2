import { describe, expect, it } from 'vitest'
import { testApp } from '../../../../test/support/app.js'
import { giveRole, newForm, placesSurvey, put, useForm, useRecords } from '../../../../test/support/data.js'
import { budgets } from '../../../budgets.js'
import { sql } from '../../../platform/db/index.js'

const app = testApp()
const place = useForm(app, { versions: [placesSurvey] })

const ids = useRecords(app, place, () => [
  { answers: { home: '-1.3 36.8 0 0', work: '10 10', name: 'nairobi' }, place: [-1.3, 36.8] },
  { answers: { home: '-17.8 178 0 0', name: 'suva', way: ' 5 5 0 0;50 50 0 0' }, place: [-17.8, 178] },
  { answers: { home: '-13.8 -171.8 0 0', name: 'apia', work: '1e-400 0' }, place: [-13.8, -171.8] },
  { answers: { name: 'nowhere', work: 'somewhere', stops: [{ 'stops/stop': '0 0' }, { 'stops/stop': '5 6 0 0' }] } },
  { answers: { home: '0 0', name: 'null island', work: '91 0' }, place: [0, 0] },
])

const asked = async (query: Record<string, string>, suffix = '') =>
  app.as(place.ana)('GET', `/data/${place.form.id}${suffix}`, { query })

/** Which records a list holds, from 1. */
const placesOf = async (query: Record<string, string>): Promise<number[]> => {
  const response = await asked(query)
  if (response.statusCode !== 200) throw new Error(response.body)
  return response.json().map(({ _id }: { _id: number }) => ids.indexOf(_id) + 1)
}

describe('bbox', () => {
  it.each([
    ['36,-2,37,-1', [1]],
    ['-180,-90,180,90', [1, 2, 3, 5]],
    ['-360,-90,360,90', [1, 2, 3, 5]],
    ['36.8,-1.3,36.8,-1.3', [1]],
    ['170,-20,-170,-10', [2, 3]],
    ['170,-20,190,-10', [2, 3]],
    ['-190,-20,-170,-10', [2, 3]],
    ['-172,-20,-171,-10', [3]],
    ['396,-2,397,-1', [1]],
    [' -1 , -1 , 1 , 1 ', [5]],
    ['100,0,110,1', []],
  ])('%s shows %j', async (bbox, found) => expect(await placesOf({ bbox })).toEqual(found))

  it('geo_field names another question: of a line the first position counts, of a repeat any entry', async () => {
    expect(await placesOf({ bbox: '9,9,11,11', geo_field: 'work' })).toEqual([1])
    expect(await placesOf({ bbox: '-1,-1,1,1', geo_field: 'work' })).toEqual([3])
    expect(await placesOf({ bbox: '5,4,7,6', geo_field: 'stops/stop' })).toEqual([4])
    expect(await placesOf({ bbox: '4,4,6,6', geo_field: 'way' })).toEqual([2])
    expect(await placesOf({ bbox: '49,49,51,51', geo_field: 'way' })).toEqual([])
    expect(await placesOf({ bbox: '36,-2,37,-1', geo_field: '_geolocation' })).toEqual([1])
  })

  it('goes together with query, sort, pages, count and formats; files hold the same records', async () => {
    const bbox = '-180,-90,180,0'
    expect(await placesOf({ bbox, query: '{"name":{"$i":"a"}}', sort: '-name' })).toEqual([2, 5, 1, 3])
    expect(await placesOf({ bbox, page: '2', page_size: '3' })).toEqual([5])
    expect((await asked({ bbox, count: 'true' })).json()).toEqual([{ count: 4 }])
    expect((await asked({ bbox }, '.geojson')).json().features).toHaveLength(4)
    expect((await asked({ bbox: '36,-2,37,-1' }, '.csv')).body.trim().split('\n')).toHaveLength(2)
  })

  it('an export in the background takes it, and refuses what is none', async () => {
    const refused = await app.as(place.ana)('GET', `/forms/${place.form.id}/export_async?format=csv&bbox=1`)
    expect([refused.statusCode, Object.keys(refused.json())]).toEqual([400, ['bbox']])
    const taken = await app.as(place.ana)('GET', `/forms/${place.form.id}/export_async?format=csv&bbox=36,-2,37,-1`)
    expect(taken.statusCode).toBe(202)
  })

  it('shows own-only roles their own alone, and a stranger nothing: 404', async () => {
    const [minor, stranger] = [await app.account(), await app.account()]
    await giveRole(app, place.form, minor, 'dataentry-minor')
    const path = `/data/${place.form.id}?bbox=-180,-90,180,90`
    expect((await app.as(minor)('GET', path)).body).toBe('[]')
    const missing = await app.as(stranger)('GET', '/data/2147483647?bbox=-180,-90,180,90')
    const hidden = await app.as(stranger)('GET', path)
    expect([hidden.statusCode, hidden.body]).toEqual([404, missing.body])
  })

  it('where a form has one point alone, its answers are found by what is kept of them', async () => {
    const { ana: owner, form: plain } = await newForm(app)
    await put(app, plain, { answers: { 'visit/gps': '9 9' }, place: [1, 1] })
    const list = (query: string) => app.as(owner)('GET', `/data/${plain.id}?${query}`)
    expect((await list('bbox=0,0,2,2&geo_field=visit/gps')).json()).toHaveLength(1)
    expect((await list('bbox=8,8,10,10&geo_field=visit/gps')).json()).toHaveLength(0)
  })

  it('is found by its index', async () => {
    const plan = await app.deps.db.transaction(async (tx) => {
      await tx.run(sql`set local enable_seqscan = off`)
      return tx.rows<{ 'QUERY PLAN': string }>(sql`
        explain select id from submissions where form_id = 1 and deleted_at is null and latitude is not null
          and latitude between 0 and 1 and longitude between 0 and 1`)
    })
    expect(plan.map((line) => line['QUERY PLAN']).join('\n')).toContain('submissions__place')
  })
})

describe('polygon', () => {
  it('shows what lies in it, also across the antimeridian and a turn further on', async () => {
    expect(await placesOf({ polygon: '[[36,-2],[37.5,-2],[36.8,-0.5]]' })).toEqual([1])
    expect(await placesOf({ polygon: '[[36,-2],[36.5,-2],[36.2,-0.5],[36,-2]]' })).toEqual([])
    expect(await placesOf({ polygon: '[[170,-30],[200,-30],[200,0],[170,0]]' })).toEqual([2, 3])
    expect(await placesOf({ polygon: '[[-190,-30],[-160,-30],[-160,0],[-190,0]]' })).toEqual([2, 3])
    expect(await placesOf({ polygon: '[[396,-2],[397,-2],[397,-1],[396,-1]]' })).toEqual([1])
    expect(await placesOf({ polygon: '[[-1,-1],[1,-1],[1,1],[-1,1]]', bbox: '0.5,0,1,1' })).toEqual([])
    expect(await placesOf({ polygon: '[[9,9],[11,9],[11,11],[9,11]]', geo_field: 'work' })).toEqual([1])
  })
})

describe('400, all faults at once', () => {
  it.each([
    ['1,2,3', /four numbers/],
    ['1,2,3,4,5', /four numbers/],
    ['a,b,c,d', /four numbers/],
    ['1e400,0,1,1', /four numbers/],
    ['NaN,0,1,1', /four numbers/],
    ['0,-91,1,1', /between -90 and 90/],
    ['0,2,1,1', /South must not be greater/],
    ['-4000,0,1,1', /between -3600 and 3600/],
  ])('bbox %s', async (bbox, words) => {
    const answer = await asked({ bbox })
    expect([answer.statusCode, answer.json()]).toEqual([400, { bbox: [expect.stringMatching(words)] }])
  })

  it.each([
    ['nothing', /JSON list of corners/],
    ['{}', /JSON list of corners/],
    ['[[1,2],[3,4],"x"]', /JSON list of corners/],
    ['[[1,2],[3,4],[5,91]]', /JSON list of corners/],
    ['[[1,2],[3,4],[3601,6]]', /JSON list of corners/],
    ['[[1,2],[3,4],[5,6,7]]', /JSON list of corners/],
    ['[[1,2],[3,4],[5]]', /JSON list of corners/],
    ['[[1,2],[3,4],["5",6]]', /JSON list of corners/],
    ['[[1,2],[3,4],[null,6]]', /JSON list of corners/],
    ['[[1,2],[3,4],[5,6],null]', /JSON list of corners/],
    ['[[1,2],[3,4],[1,2]]', /three corners at least/],
    ['[]', /three corners at least/],
  ])('polygon %s', async (polygon, words) => {
    const answer = await asked({ polygon })
    expect([answer.statusCode, answer.json()]).toEqual([400, { polygon: [expect.stringMatching(words)] }])
  })

  it('past budgets.areas.corners, and not at it', async () => {
    const ring = (corners: number) =>
      JSON.stringify(Array.from({ length: corners }, (_, at) => [at / 100, (at % 2) / 10]))
    expect((await asked({ polygon: ring(budgets.areas.corners) })).statusCode).toBe(200)
    const refused = await asked({ polygon: ring(budgets.areas.corners + 1) })
    expect(refused.json().polygon[0]).toContain(`more than ${budgets.areas.corners} corners`)
  })

  it('with those of other filters, and a geo_field that is no question for a place', async () => {
    const answer = await asked({ bbox: '1', polygon: 'x', geo_field: 'name', date_created__year: 'y', user__id: 'z' })
    expect(Object.keys(answer.json()).sort()).toEqual([
      'bbox',
      'date_created__year',
      'geo_field',
      'polygon',
      'user__id',
    ])
    expect((await asked({ bbox: '0,0,1,1', geo_field: 'nope' })).json()).toEqual({
      geo_field: ['"nope" is no question for a place.'],
    })
  })
})
