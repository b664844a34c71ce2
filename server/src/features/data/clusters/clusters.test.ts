import { describe, expect, it } from 'vitest'
import { testApp } from '../../../../test/support/app.js'
import { giveRole, newForm, placesSurvey, put, useForm, useRecords } from '../../../../test/support/data.js'
import { budgets } from '../../../budgets.js'
import { cellsIn } from './grid.js'

const app = testApp()
const place = useForm(app, { versions: [placesSurvey] })

const ids = useRecords(app, place, () => [
  { answers: { name: 'a', work: '50 8' }, place: [-1.3, 36.8] },
  { answers: { name: 'b', work: '50.001 8.001' }, place: [-1.301, 36.802] },
  { answers: { name: 'c' }, place: [-1.5, 37.4] },
  {
    answers: {
      name: 'd',
      stops: [{ 'stops/stop': '10 10' }, { 'stops/stop': '10 10.0001' }, { 'stops/stop': '-10 10' }],
    },
  },
  { answers: { name: 'e' }, place: [-17.8, 178] },
  { answers: { name: 'f' }, place: [-13.8, -171.8] },
  { answers: { name: 'g' }, place: [90, 0] },
])

const clusters = (query: Record<string, string>, as = place.ana, at = place.form) =>
  app.as(as)('GET', `/data/${at.id}/clusters`, { query })

describe('GET /data/{pk}/clusters', () => {
  it('200 with what lies close put together: how many, the middle, how far they reach; a single one with its id', async () => {
    const answer = await clusters({ bbox: '36,-2,38,-1', zoom: '9' })
    expect([answer.statusCode, answer.json()]).toEqual([
      200,
      {
        zoom: 9,
        total: 3,
        clusters: [
          { count: 2, center: [36.801, -1.3005], bounds: [36.8, -1.301, 36.802, -1.3] },
          { count: 1, center: [37.4, -1.5], bounds: [37.4, -1.5, 37.4, -1.5], id: ids[2] },
        ],
      },
    ])
    const close = (await clusters({ bbox: '36.79,-1.31,36.81,-1.29', zoom: '17' })).json()
    expect(close.clusters.map(({ id }: { id: number }) => id)).toEqual([ids[0], ids[1]])
  })

  it('the whole world, the poles with it, and nothing twice', async () => {
    const { total, clusters: all } = (await clusters({ bbox: '-180,-90,180,90', zoom: '0' })).json()
    expect([total, all.reduce((sum: number, { count }: { count: number }) => sum + count, 0)]).toEqual([6, 6])
  })

  it('a box across the antimeridian, by either way to write it', async () => {
    for (const bbox of ['170,-30,-165,0', '170,-30,195,0', '-190,-30,-165,0']) {
      const { clusters: found } = (await clusters({ bbox, zoom: '4' })).json()
      expect(found.map(({ id }: { id: number }) => id).sort()).toEqual([ids[4], ids[5]])
    }
  })

  it('of another question: each entry of a repeat is a place, and only those in the box count', async () => {
    const work = (await clusters({ bbox: '7,49,9,51', zoom: '8', geo_field: 'work' })).json()
    expect(work.clusters).toMatchObject([{ count: 2 }])
    const stops = (await clusters({ bbox: '9,9,11,11', zoom: '8', geo_field: 'stops/stop' })).json()
    expect([stops.total, stops.clusters.length]).toEqual([2, 1])
    expect((await clusters({ bbox: '-180,-90,180,90', zoom: '2', geo_field: 'stops/stop' })).json().total).toBe(3)
  })

  it('query, search and filters choose records exactly as in the list', async () => {
    const box = { bbox: '-180,-90,180,90', zoom: '3' }
    for (const query of [
      { query: '{"name":"a"}' },
      { search: 'b' },
      { date_created__year: '1999' },
      { polygon: '[[36,-2],[37,-2],[37,-1],[36,-1]]' },
    ] as Record<string, string>[]) {
      const listed = (
        await app.as(place.ana)('GET', `/data/${place.form.id}`, { query: { ...query, bbox: box.bbox } })
      ).json()
      expect([query, (await clusters({ ...box, ...query })).json().total]).toEqual([query, listed.length])
    }
  })

  it('deleted records are not in it', async () => {
    const { ana: owner, form: fresh } = await newForm(app)
    const [id] = await put(app, fresh, { place: [1, 1] }, { place: [1, 1] })
    await app.as(owner)('DELETE', `/data/${fresh.id}/${id}`)
    expect((await clusters({ bbox: '0,0,2,2', zoom: '5' }, owner, fresh)).json().total).toBe(1)
  })

  it('own-only roles see their own, a stranger nothing: 404 exactly as for a form that is not there, 401 anonymous', async () => {
    const [minor, stranger] = [await app.account(), await app.account()]
    await giveRole(app, place.form, minor, 'dataentry-minor')
    const query = { bbox: '-180,-90,180,90', zoom: '1' }
    expect((await clusters(query, minor)).json()).toEqual({ zoom: 1, total: 0, clusters: [] })
    const missing = await app.as(stranger)('GET', '/data/2147483647/clusters', { query })
    const hidden = await clusters(query, stranger)
    expect([hidden.statusCode, hidden.body]).toEqual([404, missing.body])
    expect((await app.call('GET', `/data/${place.form.id}/clusters`, { query })).statusCode).toBe(401)
  })

  it('400 with all faults at once', async () => {
    const required = ['This field is required.']
    expect((await clusters({})).json()).toEqual({ bbox: required, zoom: required })
    const answer = await clusters({ bbox: '1,2', zoom: '25', geo_field: 'name', user__id: 'x', polygon: '[' })
    expect([answer.statusCode, Object.keys(answer.json()).sort()]).toEqual([
      400,
      ['bbox', 'geo_field', 'polygon', 'user__id', 'zoom'],
    ])
    for (const zoom of ['-1', '1.5', 'x', '25']) {
      expect((await clusters({ bbox: '0,0,1,1', zoom })).json()).toEqual({
        zoom: ['Must be a whole number from 0 to 24.'],
      })
    }
    expect((await clusters({ bbox: '0,0,1,1', zoom: '3', query: '{' })).statusCode).toBe(400)
  })

  it('400 past budgets.areas.cells: the box is too large for the zoom', async () => {
    const world = '-180,-85,180,85'
    expect((await clusters({ bbox: world, zoom: '4' })).statusCode).toBe(200)
    const refused = await clusters({ bbox: world, zoom: '6' })
    expect(refused.json().zoom[0]).toContain(`more than ${budgets.areas.cells} cells`)
    const box = { west: -180, south: -85, east: 180, north: 85 }
    expect([cellsIn(box, 4) <= budgets.areas.cells, cellsIn(box, 6) > budgets.areas.cells]).toEqual([true, true])
    expect(cellsIn({ west: 179, south: 0, east: -179, north: 1 }, 10)).toBeLessThan(500)
  })
})
