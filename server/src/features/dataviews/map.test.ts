import { describe, expect, it } from 'vitest'
import { testApp } from '../../../test/support/app.js'
import { useForm, useRecords } from '../../../test/support/data.js'
import { dataOf, newDataview } from '../../../test/support/dataviews.js'

const app = testApp()
const place = useForm(app)

const ids = useRecords(app, place, () => [
  { answers: { name: 'tom', age: '21', 'visit/gps': '1 2' }, place: [1, 2] },
  { answers: { name: 'amy', age: '9', 'visit/gps': '1 2.5' }, place: [1, 2.5] },
])

const adults = [{ column: 'age', filter: '>', value: '18' }]
const world = { bbox: '-180,-90,180,90', zoom: '2' }

const clusters = (id: number, query: Record<string, string>, as = place.ana) =>
  app.as(as)('GET', `/dataviews/${id}/clusters`, { query })

describe('GET /dataviews/{pk}/clusters', () => {
  it('200 with the places of the records that match', async () => {
    const id = await newDataview(app, place, { columns: ['name', 'visit/gps'], query: adults })
    const answer = await clusters(id, world)
    expect([answer.statusCode, answer.json()]).toMatchObject([200, { total: 1, clusters: [{ count: 1, id: ids[0] }] }])
    expect((await clusters(id, { ...world, query: '{"name":"amy"}' })).json().total).toBe(0)
  })

  it('404 where it has no column for a place, and 400 for a place that is none of its columns', async () => {
    const plain = await newDataview(app, place, { columns: ['name'], query: [] })
    expect((await clusters(plain, world)).statusCode).toBe(404)
    const way = await newDataview(app, place, { columns: ['path'], query: [] })
    expect((await clusters(way, { ...world, geo_field: 'visit/gps' })).json()).toHaveProperty('geo_field')
    expect((await clusters(way, { ...world, geo_field: 'path' })).statusCode).toBe(200)
  })

  it('404 for a stranger, exactly as for a dataview that is not there', async () => {
    const id = await newDataview(app, place, { columns: ['visit/gps'], query: [] })
    const stranger = await app.account()
    const missing = await clusters(2_147_483_647, world, stranger)
    const hidden = await clusters(id, world, stranger)
    expect([hidden.statusCode, hidden.body]).toEqual([404, missing.body])
  })
})

describe('GET /dataviews/{pk}/data', () => {
  it('bbox and search choose among its records, and X-Total-Count tells how many', async () => {
    const id = await newDataview(app, place, { columns: ['name', 'visit/gps'], query: [] })
    const boxed = await dataOf(app, place.ana, id, { bbox: '1.9,0,2.1,2', page_size: '1' })
    expect([boxed.json().length, boxed.headers['x-total-count']]).toEqual([1, '1'])
    expect((await dataOf(app, place.ana, id, { search: 'AMY' })).json()).toMatchObject([{ name: 'amy' }])
    expect((await dataOf(app, place.ana, id, { count: 'true' })).headers['x-total-count']).toBe('2')
  })
})
