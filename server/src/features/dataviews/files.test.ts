import { read, utils } from '@e965/xlsx'
import { describe, expect, it } from 'vitest'
import { testApp } from '../../../test/support/app.js'
import { giveRole, useForm, useRecords } from '../../../test/support/data.js'
import { newDataview } from '../../../test/support/dataviews.js'
import { builtinFields } from '../submissions/index.js'

const app = testApp()
const place = useForm(app)

const ids = useRecords(app, place, () => [
  {
    answers: {
      name: '=1+1',
      age: '21',
      fruits: 'fig',
      'visit/gps': '1 2 0 0',
      kids: [
        { 'kids/kname': 'Bo', 'kids/kage': '3' },
        { 'kids/kname': 'Cy', 'kids/toys': [{ 'kids/toys/toy': 'car' }] },
      ],
    },
    place: [1, 2],
  },
  { answers: { name: 'amy', age: '9' } },
  { answers: { name: 'bo', sex: 'f' }, editedAt: '2024-02-01T00:00:00Z' },
])

const file = (id: number, suffix: string, query: Record<string, string> = {}) =>
  app.as(place.ana)('GET', `/dataviews/${id}/data.${suffix}`, { query })

const made = (columns: string[], query: object[] = []) => newDataview(app, place, { columns, query })

const sheetsOf = (bytes: Buffer): Record<string, unknown[][]> => {
  const book = read(bytes)
  return Object.fromEntries(
    book.SheetNames.map((name) => [name, utils.sheet_to_json(book.Sheets[name] as never, { header: 1 })]),
  )
}

describe('GET /dataviews/{pk}/data.csv', () => {
  it('200 with the chosen columns alone, in their order, of the records that match', async () => {
    const id = await made(['sex', 'name', 'age'], [{ column: 'name', filter: '<', value: 'bo' }])
    const response = await file(id, 'csv')
    expect(response.headers['content-type']).toBe('text/csv; charset=utf-8')
    expect(response.body).toBe("sex,name,age\nn/a,'=1+1,21\nn/a,amy,9\n")
    expect((await file(id, 'csv', { query: '{"age": 9}' })).body).toBe('sex,name,age\nn/a,amy,9\n')
  })

  it('built-in fields where they were chosen; choices and places in their parts; options as in /data', async () => {
    const id = await made(['_id', 'fruits', 'visit/gps', '_edited', '_last_edited', '_xform_id_string', '_attachments'])
    const [header, first, , third] = (await file(id, 'csv')).body.split('\n')
    expect(header).toBe(
      '_id,fruits/apple,fruits/fig,fruits/kiwi,visit/gps,visit/_gps_latitude,visit/_gps_longitude,visit/_gps_altitude,visit/_gps_precision,_edited,_last_edited,_xform_id_string,_attachments',
    )
    expect(first).toBe(`${ids[0]},False,True,False,1 2 0 0,1,2,0,0,False,,${place.form.idString},`)
    expect(third).toContain('True,2024-02-01T00:00:00+00:00')
    const whole = await file(await made(['fruits']), 'csv', { split_select_multiples: 'false', include_labels: 'true' })
    expect(whole.body).toBe('fruits\nFruits\nfig\nn/a\nn/a\n')
  })

  it('every built-in field can be a column, of files as of JSON', async () => {
    const id = await made([...builtinFields])
    const [header, row] = (await file(id, 'csv')).body.split('\n')
    expect(header).toBe(builtinFields.join(','))
    expect(row?.split(',')).toContain('1 2')
    const [names] = sheetsOf((await file(id, 'xlsx')).rawPayload).data ?? []
    expect(names).toEqual([...builtinFields])
    const [record] = (await app.as(place.ana)('GET', `/dataviews/${id}/data`)).json()
    expect(Object.keys(record)).toEqual([...builtinFields])
  })

  it('a repeat brings all that is in it, each question once; one that never occurs is an empty column', async () => {
    const id = await made(['age', 'kids/kname'])
    expect((await file(id, 'csv')).body.split('\n')[0]).toBe('age,kids[1]/kname,kids[2]/kname')
    const all = await made(['kids', 'kids/kname'])
    expect((await file(all, 'csv')).body.split('\n')[0]).toBe(
      'kids[1]/kname,kids[1]/kage,kids[2]/kname,kids[2]/kage,kids[2]/toys[1]/toy',
    )
    const none = await made(['kids/kname'], [{ column: 'name', filter: '=', value: 'amy' }])
    expect((await file(none, 'csv')).body).toBe('kids/kname\nn/a\n')
  })
})

describe('GET /dataviews/{pk}/data.xlsx and .csvzip', () => {
  it('200 with one table of the chosen columns where no repeat was chosen', async () => {
    const id = await made(['name', '_status', 'age'])
    expect(sheetsOf((await file(id, 'xlsx')).rawPayload)).toEqual({
      data: [
        ['name', '_status', 'age'],
        ['=1+1', 'submitted_via_web', 21],
        ['amy', 'submitted_via_web', 9],
        ['bo', 'submitted_via_web'],
      ],
    })
  })

  it('200 with linked tables for the repeats that were chosen, and those around them', async () => {
    const id = await made(['name', 'kids/toys/toy'])
    expect(sheetsOf((await file(id, 'xlsx')).rawPayload)).toEqual({
      data: [
        ['name', '_index', '_parent_table_name', '_parent_index'],
        ['=1+1', 1, undefined, -1],
        ['amy', 2, undefined, -1],
        ['bo', 3, undefined, -1],
      ],
      kids: [
        ['_index', '_parent_table_name', '_parent_index'],
        [1, 'data', 1],
        [2, 'data', 1],
      ],
      kids_toys: [
        ['kids/toys/toy', '_index', '_parent_table_name', '_parent_index'],
        ['car', 1, 'kids', 2],
      ],
    })
    const zip = await file(id, 'csvzip')
    expect([zip.statusCode, zip.headers['content-type'], zip.rawPayload.subarray(0, 2).toString()]).toEqual([
      200,
      'application/zip',
      'PK',
    ])
  })
})

describe('GET /dataviews/{pk}/data.geojson and .kml', () => {
  it('200 with the places that were chosen, and of other fields those of the dataview', async () => {
    const id = await made(['visit/gps', 'name'])
    const { features } = (await file(id, 'geojson', { fields: 'name,age' })).json()
    expect(features[0]).toEqual({
      type: 'Feature',
      geometry: { type: 'GeometryCollection', geometries: [{ type: 'Point', coordinates: [2, 1] }] },
      properties: { id: ids[0], xform: place.form.id, name: '=1+1', age: null },
    })
    expect(features).toHaveLength(3)
    const kml = (await file(id, 'kml')).body
    expect(kml).toContain('<coordinates>2,1,0</coordinates>')
    expect(kml).not.toContain('age')
  })

  it('404 for GeoJSON without a place among the columns; no place in KML either', async () => {
    const id = await made(['name'])
    expect((await file(id, 'geojson')).statusCode).toBe(404)
    expect((await file(id, 'kml')).body).not.toContain('Placemark')
  })
})

describe('files of a dataview', () => {
  it('403 for whoever may not export, 404 for a stranger; JSON and GeoJSON are no files', async () => {
    const id = await made(['name', 'visit/gps'])
    const [reader, stranger] = [await app.account(), await app.account()]
    await giveRole(app, place.form, reader, 'readonly-no-download')
    for (const suffix of ['csv', 'xlsx', 'csvzip', 'kml']) {
      expect((await app.as(reader)('GET', `/dataviews/${id}/data.${suffix}`)).statusCode).toBe(403)
      expect((await app.as(stranger)('GET', `/dataviews/${id}/data.${suffix}`)).statusCode).toBe(404)
    }
    for (const suffix of ['', '.json', '.geojson']) {
      expect((await app.as(reader)('GET', `/dataviews/${id}/data${suffix}`)).statusCode).toBe(200)
    }
  })

  it('404 for formats that are not offered', async () => {
    const id = await made(['name'])
    for (const suffix of ['savzip', 'xml', 'xls', 'zip', 'osm']) expect((await file(id, suffix)).statusCode).toBe(404)
  })

  it('one’s own records for dataentry-minor', async () => {
    const id = await made(['name'])
    const minor = await app.account()
    await giveRole(app, place.form, minor, 'dataentry-minor')
    expect((await app.as(minor)('GET', `/dataviews/${id}/data.csv`)).body).toBe('name\n')
  })
})
