// Traces and shapes on maps: what GeoJSON and KML make of an answer is decided by the type of its question.
import { describe, expect, it } from 'vitest'
import { testApp } from '../../../../test/support/app.js'
import { newForm, useForm, useRecords } from '../../../../test/support/data.js'

const app = testApp()
const place = useForm(app)

const ids = useRecords(app, place, () => [
  { answers: { name: 'open', path: '0 0;0 1;1 1', field: '0 0;0 1;1 1' }, place: [5, 6] },
  { answers: { name: 'closed', path: '0 0;0 1;1 1;0 0;', field: '0 0 0 0;1 1 0 0;0 1 0 0;0 0 0 0;' } },
  { answers: { name: 'one', path: '1 2 0 0', field: '0 0;0 1;0 0', 'visit/gps': '1 2;3 4' } },
  { answers: { name: 'commas', path: '1,5 2,5;1,6 2,6', field: '1,5 2,5;1,6 2,6;1,7 2,7' } },
  { answers: { name: 'none' } },
])

const get = (suffix: string, query: Record<string, string>, as = place.ana) =>
  app.as(as)('GET', `/data/${place.form.id}${suffix}`, { query })

const triangle = [
  [0, 0],
  [1, 0],
  [1, 1],
]
const ring = [...triangle, [0, 0]]
const geometries = async (field: string) =>
  (await get('.geojson', { geo_field: field })).json().features.map(({ geometry }: { geometry: unknown }) => geometry)

describe('GET /data/{pk}.geojson?geo_field=', () => {
  it('200: a geotrace is a LineString also where it ends as it began; null for one point and for no places', async () => {
    expect(await geometries('path')).toEqual([
      { type: 'LineString', coordinates: triangle },
      { type: 'LineString', coordinates: ring },
      null,
      null,
      null,
    ])
  })

  it('200: a geoshape is a Polygon, closed and against the clock; null where fewer than three points differ', async () => {
    const polygon = { type: 'Polygon', coordinates: [ring] }
    expect(await geometries('field')).toEqual([polygon, polygon, null, null, null])
  })

  it('200: a geopoint is one point; null where the answer is several', async () => {
    expect(await geometries('visit/gps')).toEqual([null, null, null, null, null])
  })

  it('200: one record says the same', async () => {
    const feature = (await get(`/${ids[1]}.geojson`, { geo_field: 'field' })).json()
    expect(feature.geometry).toEqual({ type: 'Polygon', coordinates: [ring] })
  })
})

const geometriesOfKml = (text: string) =>
  [...text.matchAll(/<name>(\d+)<\/name>.*?<\/description>(.*?)<\/Placemark>/g)].map(([, id, geometry]) => [
    Number(id),
    geometry,
  ])

describe('GET /data/{pk}.kml?geo_field=', () => {
  it('200: a geotrace is a LineString, a geoshape a Polygon; records without one are left out', async () => {
    expect(geometriesOfKml((await get('.kml', { geo_field: 'path' })).body)).toEqual([
      [ids[0], '<LineString><coordinates>0,0,0 1,0,0 1,1,0</coordinates></LineString>'],
      [ids[1], '<LineString><coordinates>0,0,0 1,0,0 1,1,0 0,0,0</coordinates></LineString>'],
    ])
    const polygon =
      '<Polygon><outerBoundaryIs><LinearRing><coordinates>0,0,0 1,0,0 1,1,0 0,0,0</coordinates></LinearRing></outerBoundaryIs></Polygon>'
    const answer = await get('.kml', { geo_field: 'field' })
    expect(geometriesOfKml(answer.body)).toEqual([
      [ids[0], polygon],
      [ids[1], polygon],
    ])
    expect(answer.trailers['x-row-count']).toBe('2')
  })

  it('200: without it, and for _geolocation, where the record is', async () => {
    const point = [[ids[0], '<Point><coordinates>6,5,0</coordinates></Point>']]
    for (const query of [{}, { geo_field: '' }, { geo_field: '_geolocation' }]) {
      expect(geometriesOfKml((await get('.kml', query)).body)).toEqual(point)
    }
  })

  it('400 for what the form does not ask, also before a file is made in the background', async () => {
    const refusal = { geo_field: ['"nope" is no question for a place.'] }
    const answer = await get('.kml', { geo_field: 'nope' })
    expect([answer.statusCode, answer.json()]).toEqual([400, refusal])
    const path = `/forms/${place.form.id}/export_async?format=kml&geo_field=nope`
    const later = await app.as(place.ana)('GET', path)
    expect([later.statusCode, later.json()]).toEqual([400, refusal])
  })

  it('404 for a form that the caller cannot see, exactly as for a missing one', async () => {
    const stranger = (await newForm(app)).ana
    const hidden = await get('.kml', { geo_field: 'path' }, stranger)
    const missing = await app.as(stranger)('GET', '/data/2147483647.kml', { query: { geo_field: 'path' } })
    expect([hidden.statusCode, hidden.body]).toEqual([404, missing.body])
  })
})
