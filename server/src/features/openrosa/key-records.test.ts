// What a record says of the key and the device that it came through, and to whom.
import { beforeAll, describe, expect, it } from 'vitest'
import { type Account, testApp } from '../../../test/support/app.js'
import { type PublishedForm, publish } from '../../../test/support/forms.js'
import { newKey, sendBy } from '../../../test/support/keys.js'
import { newProject } from '../../../test/support/projects.js'
import { instance, send } from '../../../test/support/submissions.js'

const app = testApp()
let ana: Account
let project: number
let form: PublishedForm

beforeAll(async () => {
  ana = await app.account({ username: 'ana' })
  project = await newProject(app, ana)
  form = await publish(app, ana, undefined, { project })
  const north = await newKey(app, ana, project, { name: 'North' })
  const south = await newKey(app, ana, project, { name: '=cmd|South' })
  await sendBy(app, north, instance(form, '<name>a</name>'), { deviceId: 'collect:2' })
  await sendBy(app, south, instance(form, '<name>b</name>'), { deviceId: 'collect:1' })
  await send(app, ana, '/ana', instance(form, '<name>c</name>'))
  await app.as(ana)('PATCH', `/keys/${north.id}`, { body: { name: 'Renamed' } })
  await app.as(ana)('DELETE', `/keys/${north.id}`)
})

const ask = (query: Record<string, string>, by: Account | null = ana, ending = '') =>
  app.call('GET', `/data/${form.formid}${ending}`, {
    query,
    ...(by !== null && { headers: { authorization: `Token ${by.apiToken}` } }),
  })
const names = (answer: { json(): { name: string }[] }) => answer.json().map(({ name }) => name)

describe('_device_key and _device_id', () => {
  it('stand in records that have them, and the key’s name stays when it is renamed and deleted', async () => {
    const [first, second, third] = (await ask({ sort: '{"_id":1}' })).json()
    expect(first).toMatchObject({ _device_key: 'North', _device_id: 'collect:2', _submitted_by: null })
    expect(second).toMatchObject({ _device_key: '=cmd|South', _device_id: 'collect:1' })
    expect(third).not.toHaveProperty('_device_key')
  })

  it('are of use in query, sort and fields', async () => {
    expect(names(await ask({ query: '{"_device_key":"North"}' }))).toEqual(['a'])
    expect(
      names(await ask({ query: '{"_device_id":{"$in":["collect:1","collect:2"]}}', sort: '{"_device_id":1}' })),
    ).toEqual(['b', 'a'])
    expect((await ask({ fields: '["name","_device_key"]', sort: '{"_id":1}' })).json()).toEqual([
      { name: 'a', _device_key: 'North' },
      { name: 'b', _device_key: '=cmd|South' },
      { name: 'c', _device_key: null },
    ])
  })

  it('14: are columns of the CSV, where a name that looks like a formula is defused', async () => {
    const rows = (await ask({ sort: '{"_id":1}' }, ana, '.csv')).body.split('\n')
    expect(rows[0]).toMatch(/,_device_key,_device_id$/)
    expect(rows[1]).toMatch(/,North,collect:2$/)
    expect(rows[2]).toMatch(/,'=cmd\|South,collect:1$/)
  })

  it('a form without records of keys has no columns for them', async () => {
    const other = await publish(app, ana, undefined, { project })
    await send(app, ana, '/ana', instance(other, '<name>c</name>'))
    expect((await app.as(ana)('GET', `/data/${other.formid}.csv`)).body).not.toContain('_device_key')
  })

  it('an event names the key that a record came through', async () => {
    const path = `/messaging?target_type=xform&target_id=${form.formid}&verb=submission_created`
    const events = (await app.as(ana)('GET', path)).json() as { device_key?: string; user: string | null }[]
    expect(events.map(({ device_key, user }) => device_key ?? user)).toEqual(['ana', '=cmd|South', 'North'])
  })

  it('a dataview filters by them', async () => {
    const at = (path: string) => `http://localhost:80/api/v1${path}`
    const body = {
      name: 'North',
      xform: at(`/forms/${form.formid}`),
      project: at(`/projects/${project}`),
      columns: ['name', '_device_key'],
      query: [{ column: '_device_key', filter: '=', value: 'North' }],
    }
    const { dataviewid } = (await app.as(ana)('POST', '/dataviews', { body })).json()
    expect((await app.as(ana)('GET', `/dataviews/${dataviewid}/data`)).json()).toMatchObject([
      { name: 'a', _device_key: 'North' },
    ])
  })

  it('are not for those who see the records only because they are public: neither shown nor asked for', async () => {
    await app.as(ana)('PATCH', `/forms/${form.formid}`, { body: { public_data: true } })
    const stranger = await app.account()
    for (const by of [stranger, null]) {
      expect((await ask({}, by)).body).not.toMatch(/North|South|collect:/)
      expect((await ask({}, by, '.csv')).body).not.toMatch(/North|South|collect:|_device/)
      expect((await ask({ fields: '["_device_key","_device_id"]' }, by)).body).not.toMatch(/North|South|collect:/)
      expect((await ask({ fields: '["_device_key"]' }, by, '.csv')).body).not.toMatch(/North|South/)
      expect(names(await ask({ query: '{"_device_key":"North"}' }, by))).toEqual([])
      expect(names(await ask({ query: '{"_device_id":{"$exists":true}}' }, by))).toEqual([])
      expect(names(await ask({ sort: '{"_device_key":-1}' }, by))).toEqual(
        names(await ask({ sort: '{"_device_key":1}' }, by)),
      )
    }
  })
})
