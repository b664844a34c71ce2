import { SaxesParser } from 'saxes'
import { describe, expect, it } from 'vitest'
import { testApp } from '../../../../test/support/app.js'
import { giveRole, newForm, put, useForm, useRecords } from '../../../../test/support/data.js'
import { putForm } from '../../../../test/support/records.js'

const app = testApp()
const place = useForm(app)

const file = {
  id: 1,
  name: 'x.jpg',
  xform: 456,
  filename: 'bob/attachments/1/x.jpg',
  instance: 9,
  mimetype: 'image/jpeg',
  download_url: '/api/v1/files/1?filename=x.jpg',
  small_download_url: '/api/v1/files/1?filename=x.jpg&suffix=small',
  medium_download_url: '/api/v1/files/1?filename=x.jpg&suffix=medium',
}

const ids = useRecords(app, place, () => [
  {
    uuid: 'u1',
    xml: `<?xml version='1.0'?><survey id="s" version="2"><name>a &amp; b</name><meta><instanceID>uuid:u1</instanceID></meta></survey>`,
    answers: {
      name: 'a & b',
      sex: 'f',
      fruits: 'fig kiwi',
      'visit/gps': '-1.5 36.5 10 5',
      path: '0 0 0 0;0 1 0 0;1 1 0 0',
      field: '0 0 0 0;0 1 0 0;1 1 0 0;0 0 0 0;',
      kids: [{ 'kids/kname': 'A' }, { 'kids/kname': 'B' }],
      extra: 'e',
      'meta/instanceID': 'uuid:u1',
      'form/uuid': 'f',
    },
    at: '2021-07-02T08:16:24.091Z',
    by: place.ana.id,
    attachments: [file],
    notes: [{ id: 1, owner: 'bob', note: 'a < b', instance_field: '', created_by: 3 }],
    mediaTotal: 1,
    mediaCount: 1,
  },
  { uuid: 'u2', answers: { name: 'second' }, at: '2021-07-03T00:00:00Z' },
])

const get = (suffix: string, query: Record<string, string> = {}, headers: Record<string, string> = {}) =>
  app.as(place.ana)('GET', `/data/${place.form.id}${suffix}`, { query, headers })

/** Throws for what is no XML. */
const elementsIn = (xml: string): { name: string; attributes: Record<string, string> }[] => {
  const found: { name: string; attributes: Record<string, string> }[] = []
  const parser = new SaxesParser()
  parser.on('error', (error) => {
    throw error
  })
  parser.on('opentag', ({ name, attributes }) => found.push({ name, attributes: attributes as Record<string, string> }))
  parser.write(xml).close()
  return found
}

describe('GET /data/{pk}.xml', () => {
  it('200 with a submission-batch: an item per record with its attributes, the data element and linked resources', async () => {
    const response = await get('.xml')
    expect([response.statusCode, response.headers['content-type']]).toEqual([200, 'application/xml; charset=utf-8'])
    const [batch, ...elements] = elementsIn(response.body)
    expect(batch).toEqual({
      name: 'submission-batch',
      attributes: { serverTime: expect.stringMatching(/^\d{4}-.*\+00:00$/) },
    })
    const items = elements.filter(({ name }) => name === 'submission-item')
    expect(items[0]?.attributes).toEqual({
      dateCreated: '2021-07-02T08:16:24.091000+00:00',
      duration: '',
      edited: 'False',
      extDatasetId: '',
      formVersion: 'v1',
      lastModified: '2021-07-02T08:16:24.091+00:00',
      mediaAllReceived: 'True',
      mediaCount: '1',
      objectID: String(ids[0]),
      reviewComment: '',
      reviewStatus: '',
      status: 'submitted_via_web',
      submissionTime: '2021-07-02T08:16:24',
      submittedBy: place.ana.username,
      totalMedia: '1',
    })
    expect(response.body).toContain(
      '<survey id="s" version="2"><name>a &amp; b</name><meta><instanceID>uuid:u1</instanceID></meta></survey><linked-resources><attachments><id>1</id><name>x.jpg</name><xform>456</xform><filename>bob/attachments/1/x.jpg</filename><instance>9</instance><mimetype>image/jpeg</mimetype><download_url>/api/v1/files/1?filename=x.jpg</download_url><small_download_url>/api/v1/files/1?filename=x.jpg&amp;suffix=small</small_download_url><medium_download_url>/api/v1/files/1?filename=x.jpg&amp;suffix=medium</medium_download_url></attachments><notes><id>1</id><owner>bob</owner><note>a &lt; b</note>',
    )
    expect(response.body).toContain('<linked-resources></linked-resources></submission-item></submission-batch>')
  })

  it('takes every parameter of the list, has its Link header, is empty without records, and answers Accept', async () => {
    const paged = await get('.xml', { page: '2', page_size: '1' })
    expect(paged.body.match(/<submission-item /g)).toHaveLength(1)
    expect(paged.headers.link).toContain('rel="prev"')
    const none = await get('.xml', { query: '{"name":"nobody"}' })
    expect(none.body).toMatch(/<submission-batch serverTime="[^"]+"><\/submission-batch>$/)
    expect((await get('', {}, { accept: 'application/xml' })).body).toContain('<submission-batch')
    expect((await get('.json', {}, { accept: 'application/xml' })).json()).toHaveLength(2)
    expect((await get('', {}, { accept: 'image/png' })).statusCode).toBe(406)
  })
})

describe('GET /data/{pk}.geojson', () => {
  const features = async (query: Record<string, string> = {}) => (await get('.geojson', query)).json().features
  const point = { type: 'Point', coordinates: [36.5, -1.5] }

  it('200 with a FeatureCollection; without geo_field a GeometryCollection of points, null where there is none', async () => {
    const response = await get('.geojson')
    expect(response.headers['content-type']).toBe('application/geo+json')
    expect(response.json()).toEqual({
      type: 'FeatureCollection',
      features: [
        {
          type: 'Feature',
          geometry: { type: 'GeometryCollection', geometries: [point] },
          properties: { id: ids[0], xform: place.form.id },
        },
        { type: 'Feature', geometry: null, properties: { id: ids[1], xform: place.form.id } },
      ],
    })
  })

  it('geo_field makes Point, LineString or Polygon; fields and title are properties; simple_style a plain Point', async () => {
    const [feature] = await features({ geo_field: 'visit/gps', fields: 'name,nope', title: 'sex' })
    expect(feature).toEqual({
      type: 'Feature',
      geometry: { type: 'GeometryCollection', geometries: [point] },
      properties: { id: ids[0], xform: place.form.id, name: 'a & b', nope: null, title: 'f' },
    })
    expect((await features({ geo_field: 'visit/gps', simple_style: 'true' }))[0].geometry).toEqual(point)
    expect((await features({ geo_field: 'path' }))[0].geometry).toEqual({
      type: 'LineString',
      coordinates: [
        [0, 0],
        [1, 0],
        [1, 1],
      ],
    })
    expect((await features({ geo_field: 'field' }))[0].geometry).toEqual({
      type: 'Polygon',
      coordinates: [
        [
          [0, 0],
          [1, 0],
          [1, 1],
          [0, 0],
        ],
      ],
    })
    expect((await features({ geo_field: 'name' }))[0].geometry).toBeNull()
  })

  it('page and page_size with a Link header; 404 past the end; query applies', async () => {
    const response = await get('.geojson', { page: '2', page_size: '1' })
    expect([response.json().features.length, response.headers.link]).toEqual([1, expect.stringContaining('rel="prev"')])
    expect((await get('.geojson', { page: '9' })).statusCode).toBe(404)
    expect(await features({ query: '{"name":"second"}' })).toHaveLength(1)
  })

  it('small records and large ones stand in their order, in one valid collection', async () => {
    const { ana: owner, form: mixed } = await newForm(app)
    const trace = Array.from({ length: 500 }, (_, at) => `${at % 90} ${at % 180} 0 0`).join(';')
    const paths = ['1 2;3 4', trace, trace, '5 6;7 8', '9 9;8 8', trace]
    await put(app, mixed, ...paths.map((path) => ({ answers: { path } })))
    const answer = await app.as(owner)('GET', `/data/${mixed.id}.geojson?geo_field=path`)
    const lengths = answer
      .json()
      .features.map(({ geometry }: { geometry: { coordinates: number[][] } }) => geometry.coordinates.length)
    expect(lengths).toEqual([2, 500, 500, 2, 2, 500])
  })

  it('one record is one Feature, with the same parameters', async () => {
    const response = await get(`/${ids[0]}.geojson`, {
      geo_field: 'visit/gps',
      simple_style: 'true',
      fields: 'name',
      title: 'name',
    })
    expect([response.headers['content-type'], response.json()]).toEqual([
      'application/geo+json',
      {
        type: 'Feature',
        geometry: point,
        properties: { id: ids[0], xform: place.form.id, name: 'a & b', title: 'a & b' },
      },
    ])
  })

  it('404 for a form that asks for no place; an empty collection where there are no records', async () => {
    const source = '| survey |\n| | type | name | label |\n| | text | a | A |'
    const plain = await putForm(app.deps.db, { ownerId: place.ana.id, projectId: place.projectId, versions: [source] })
    expect((await app.as(place.ana)('GET', `/data/${plain.id}.geojson`)).statusCode).toBe(404)
    const { ana: owner, form: fresh } = await newForm(app)
    expect((await app.as(owner)('GET', `/data/${fresh.id}.geojson`)).body).toBe(
      '{"type":"FeatureCollection","features":[]}',
    )
  })
})

describe('flow results', () => {
  const accept = 'application/vnd.org.flowinterop.results+json'

  it('200 with rows of 6 values: timestamp, row id, contact, question, response, options or null', async () => {
    const response = await get('', {}, { accept })
    expect([response.statusCode, response.headers['content-type']]).toEqual([200, accept])
    const rows = response.json()
    const mine = rows.filter(([time]: string[]) => time === '2021-07-02T08:16:24+00:00')
    expect(mine.map((row: unknown[]) => row.slice(2))).toEqual([
      [place.ana.username, 'name', 'a & b', null],
      [place.ana.username, 'sex', 'f', { option_order: ['f', 'm'] }],
      [place.ana.username, 'fruits', 'fig kiwi', { option_order: ['apple', 'fig', 'kiwi'] }],
      [place.ana.username, 'visit/gps', '-1.5 36.5 10 5', null],
      [place.ana.username, 'kids[1]/kname', 'A', null],
      [place.ana.username, 'kids[2]/kname', 'B', null],
      [place.ana.username, 'path', '0 0 0 0;0 1 0 0;1 1 0 0', null],
      [place.ana.username, 'field', '0 0 0 0;0 1 0 0;1 1 0 0;0 0 0 0;', null],
      [place.ana.username, 'extra', 'e', null],
    ])
    const [first] = mine
    expect(first[1]).toBe((((ids[0] as number) + 1) * ((ids[0] as number) + 2)) / 2 + 1)
    expect(new Set(rows.map(([, id]: number[]) => id)).size).toBe(rows.length)
    expect(rows.at(-1)).toEqual(['2021-07-03T00:00:00+00:00', expect.any(Number), null, 'name', 'second', null])
  })

  it('the same rows for one submission; parameters and permissions as for JSON; errors stay JSON', async () => {
    const one = await get(`/${ids[1]}`, {}, { accept })
    expect(one.json()).toEqual([['2021-07-03T00:00:00+00:00', expect.any(Number), null, 'name', 'second', null]])
    expect((await get('', { query: '{"name":"second"}' }, { accept })).json()).toEqual(one.json())
    const bad = await get('', { query: '{' }, { accept })
    expect([bad.statusCode, bad.headers['content-type']]).toEqual([400, 'application/json; charset=utf-8'])
  })
})

describe('every representation', () => {
  it.each(['.json', '.xml', '.geojson'])(
    '%s shows dataentry-minor their own records and a stranger none',
    async (suffix) => {
      const [minor, stranger] = [await app.account(), await app.account()]
      await giveRole(app, place.form, minor, 'dataentry-minor')
      const seen = await app.as(minor)('GET', `/data/${place.form.id}${suffix}`)
      expect([seen.statusCode, /"_?id":|submission-item/.test(seen.body)]).toEqual([200, false])
      expect((await app.as(stranger)('GET', `/data/${place.form.id}${suffix}`)).statusCode).toBe(404)
      const { form: open } = await newForm(app, { isPublic: true })
      await put(app, open, { answers: { name: 'hidden' } })
      const none = await app.as(stranger)('GET', `/data/${open.id}${suffix}`)
      expect([none.statusCode, /"_?id":|submission-item/.test(none.body)]).toEqual([200, false])
    },
  )
})

it('403 for .xml to readonly-no-download, who look at the records on a page and on a map', async () => {
  const person = await app.account()
  await giveRole(app, place.form, person, 'readonly-no-download')
  const statuses = ['.json', '.geojson', '.xml', '.csv'].map(
    async (suffix) => (await app.as(person)('GET', `/data/${place.form.id}${suffix}`)).statusCode,
  )
  expect(await Promise.all(statuses)).toEqual([200, 200, 403, 403])
})

describe('GET /forms/{pk}.csv', () => {
  it.each(['.csv', '.geojson', '.kml'])('%s: the same as of /data/{pk}, for the same people', async (ending) => {
    const path = `/forms/${place.form.id}${ending}`
    const response = await app.as(place.ana)('GET', path)
    expect([response.statusCode, response.body]).toEqual([200, (await get(ending)).body])
    expect((await app.call('GET', path)).statusCode).toBe(401)
    expect((await app.as(await app.account())('GET', path)).statusCode).toBe(404)
  })

  it('.json is the form; 400 for a format that there is not', async () => {
    expect((await app.as(place.ana)('GET', `/forms/${place.form.id}.json`)).json()).toMatchObject({
      formid: place.form.id,
    })
    expect((await app.as(place.ana)('GET', `/forms/${place.form.id}.sav`)).statusCode).toBe(400)
  })
})
