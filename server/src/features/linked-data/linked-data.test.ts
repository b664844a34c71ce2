import { beforeAll, describe, expect, it } from 'vitest'
import { type Account, testApp } from '../../../test/support/app.js'
import { type PublishedForm, publish, sheet } from '../../../test/support/forms.js'
import { newProject, share } from '../../../test/support/projects.js'
import { instance, newId, send } from '../../../test/support/submissions.js'

const app = testApp()
let ana: Account
let ben: Account
let project: number
let people: PublishedForm
let visit: PublishedForm

const source = `type,name,label
begin group,person,Person
text,name,Name
integer,age,Age
geopoint,home,Home
end group,,
begin repeat,child,Child
text,called,Name
end repeat,,`

const record = (name: string, age: number) =>
  `<person><name>${name}</name><age>${age}</age><home>-1.5 36.5 0 0</home></person><child><called>Tom</called></child>`

beforeAll(async () => {
  ana = await app.account({ username: 'ana' })
  ben = await app.account({ username: 'ben' })
  project = await newProject(app, ana)
  people = await publish(app, ana, sheet(source, { settings: { form_id: 'people', version: '1' } }), { project })
  visit = await publish(app, ana, sheet('type,name,label\ntext,who,Who', { settings: { form_id: 'visit' } }), {
    project,
  })
  await send(app, ana, '', instance(people, record('Amina', 34)))
  await send(app, ana, '', instance(people, record('Brian', 17)))
})

const link = async (value: string, extra?: object): Promise<number> => {
  const body = { xform: visit.formid, data_type: 'media', data_value: value, ...(extra && { extra_data: extra }) }
  const added = await app.as(ana)('POST', '/metadata', { body })
  if (added.statusCode !== 201) throw new Error(added.body)
  return added.json().id
}

const page = (path: string, account: Account | null = ana) =>
  app.page('GET', path, { headers: account === null ? {} : { authorization: `Token ${account.apiToken}` } })

const manifest = async () => {
  const { body } = await page(`/ana/xformsManifest/${visit.formid}`)
  const files = body.matchAll(
    /<filename>([^<]*)<\/filename><hash>([^<]*)<\/hash><downloadUrl>http:\/\/localhost:80([^<]*)</g,
  )
  return [...files].map(([, name, hash, path = '']) => ({ name, hash, path: path.replaceAll('&amp;', '&') }))
}

describe('records of another form among the files of a form', () => {
  it('are listed for devices as a CSV, and are one: plain names, every record', async () => {
    await link(`xform ${people.formid} people`)
    const [file] = await manifest()
    expect(file).toMatchObject({ name: 'people.csv', hash: expect.stringMatching(/^md5:[0-9a-f]{32}$/) })
    expect(file?.path).toMatch(
      /\.csv\?group_delimiter=\.&repeat_index_tags=_,_&raw=true&include_hxl=false&hash=[0-9a-f]{32}$/,
    )
    const answer = await page(file?.path ?? '')
    expect(answer.headers).toMatchObject({
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': 'attachment; filename="people.csv"',
      'x-openrosa-version': '1.0',
    })
    const [header = '', ...rows] = answer.body.trim().split('\n')
    expect(header.split(',').slice(0, 2)).toEqual(['person.name', 'person.age'])
    expect(header).toContain('child_1_.called')
    expect(rows.map((row) => row.split(',')[0])).toEqual(['Amina', 'Brian'])
    expect((await page('/formList')).body).toContain(`/ana/xformsManifest/${visit.formid}</manifestUrl>`)
  })

  it('hold what is stored: nothing guards against spreadsheets, which no device is', async () => {
    const id = newId()
    await send(app, ana, '', instance(people, record('=Dina', 3), { id }))
    const [file] = await manifest()
    expect((await page(file?.path ?? '')).body).toContain('\n=Dina,3,')
    await app.as(ana)('DELETE', `/data/${people.formid}/${id}`)
  })

  it('have another hash when a record comes, is changed or deleted, and the same while nothing happens', async () => {
    const hash = async () => (await manifest())[0]?.hash
    const hashes = [await hash()]
    expect(await hash()).toBe(hashes[0])
    const id = newId()
    await send(app, ana, '', instance(people, record('Chen', 50), { id }))
    hashes.push(await hash())
    const edited = newId()
    await send(app, ana, '', instance(people, record('Chen', 51), { id: edited, deprecated: id }))
    hashes.push(await hash())
    const [{ _id }] = (
      await app.as(ana)('GET', `/data/${people.formid}`, { query: { query: '{"person/name":"Chen"}' } })
    ).json()
    await app.as(ana)('DELETE', `/data/${people.formid}/${_id}`)
    hashes.push(await hash())
    expect(new Set(hashes).size).toBe(3)
    // The same records again are the same bytes.
    expect(hashes[3]).toBe(hashes[0])
  })

  it('of a dataview: its columns, and the records that match', async () => {
    const dataview = await app.as(ana)('POST', '/dataviews', {
      body: {
        name: 'Adults',
        xform: people.url,
        project: `http://localhost/api/v1/projects/${project}`,
        columns: ['person/name'],
        query: [{ column: 'person/age', filter: '>', value: '18' }],
      },
    })
    await link(`dataview ${dataview.json().dataviewid} adults`)
    const file = (await manifest()).find(({ name }) => name === 'adults.csv')
    expect((await page(file?.path ?? '')).body).toBe('person.name\nAmina\n')
    const body = { columns: ['person/name', 'person/age'] }
    await app.as(ana)('PATCH', `/dataviews/${dataview.json().dataviewid}`, { body })
    expect((await manifest()).find(({ name }) => name === 'adults.csv')?.hash).not.toBe(file?.hash)
  })

  it('as places: GeoJSON with the title and the fields that the link names', async () => {
    await link(`xform_geojson ${people.formid} homes`, { data_title: 'person/name', data_fields: 'person/age' })
    const file = (await manifest()).find(({ name }) => name === 'homes.geojson')
    const answer = await page(file?.path ?? '')
    expect(answer.headers['content-type']).toContain('application/geo+json')
    expect(answer.json().features).toMatchObject([
      {
        geometry: { geometries: [{ type: 'Point', coordinates: [36.5, -1.5] }] },
        properties: { 'person/age': '34', title: 'Amina' },
      },
      { properties: { 'person/age': '17', title: 'Brian' } },
    ])
  })

  it('have whatever name people write, of which a header takes plain letters', async () => {
    const ids = [await link(`xform ${people.formid} люди "2"`), await link(`xform_geojson ${people.formid} 家`)]
    const files = (await manifest()).slice(-2)
    expect(files.map(({ name }) => name)).toEqual(['люди _2_.csv', '家.geojson'])
    for (const { name = '', path } of files) {
      const { statusCode, headers } = await page(path)
      expect(statusCode).toBe(200)
      expect(headers['content-disposition']).toMatch(/^attachment; filename="[ -~]+"; filename\*=UTF-8''/)
      expect(headers['content-disposition']).toContain(encodeURIComponent(name))
    }
    for (const id of ids) await app.as(ana)('DELETE', `/metadata/${id}`)
  })

  it('are for those who may fill in the form: not for strangers, whatever they see of the other form', async () => {
    await app.as(ana)('PATCH', `/forms/${visit.formid}`, { body: { require_auth: true } })
    const { path = '' } = (await manifest())[0] ?? {}
    expect([(await page(path, ben)).statusCode, (await page(path, null)).statusCode]).toEqual([404, 401])
    await share(app, ana, project, 'ben', 'dataentry-only')
    expect((await page(path, ben)).body).toContain('Amina')
  })

  it('go with the role of whoever linked them, to a form of their own or to another one of the same account', async () => {
    const cat = await app.account({ username: 'cat' })
    await share(app, ana, project, 'cat', 'manager')
    const own = await publish(app, cat, sheet('type,name,label\ntext,who,Who', { settings: { form_id: 'own' } }))
    const add = async (form: PublishedForm) =>
      app.as(cat)('POST', '/metadata', {
        body: { xform: form.formid, data_type: 'media', data_value: `xform ${people.formid} taken` },
      })
    const [mine, theirs] = [await add(own), await add(visit)]
    const places = [`/cat/xformsMedia/${own.formid}/${mine.json().id}.csv`, `/api/v1/metadata/${mine.json().id}.csv`]
    const listed = async () => (await page(`/cat/xformsManifest/${own.formid}`, cat)).body.includes('taken.csv')
    for (const path of places) expect((await page(path, cat)).body).toContain('Amina')
    expect(await listed()).toBe(true)
    await app.as(ana)('PUT', `/projects/${project}/share`, { body: { username: 'cat', role: 'manager', remove: true } })
    expect((await app.as(cat)('GET', `/data/${people.formid}`)).statusCode).toBe(404)
    for (const path of places) expect((await page(path, cat)).statusCode).toBe(404)
    expect(await listed()).toBe(false)
    expect((await page(`/ana/xformsMedia/${visit.formid}/${theirs.json().id}.csv`)).statusCode).toBe(404)
    await app.as(cat)('DELETE', `/metadata/${mine.json().id}`)
    await app.as(ana)('DELETE', `/metadata/${theirs.json().id}`)
  })

  it('go when what they come from is deleted', async () => {
    const before = await manifest()
    expect(before).toHaveLength(3)
    await app.as(ana)('DELETE', `/forms/${people.formid}`)
    expect(await manifest()).toEqual([])
    for (const { path } of before) expect((await page(path)).statusCode).toBe(404)
  })
})
