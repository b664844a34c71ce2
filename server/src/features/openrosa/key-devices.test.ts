// Which devices came with a key: written down beside the requests, bounded, and kept for a while.
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { type Account, testApp } from '../../../test/support/app.js'
import { type PublishedForm, publish } from '../../../test/support/forms.js'
import { fetchBy, type KeyBody, newKey, sendBy } from '../../../test/support/keys.js'
import { newProject } from '../../../test/support/projects.js'
import { instance } from '../../../test/support/submissions.js'
import { budgets } from '../../budgets.js'
import { sql } from '../../platform/db/index.js'
import { sightingsOf } from '../keys/index.js'

const app = testApp()
let ana: Account
let project: number
let form: PublishedForm

beforeAll(async () => {
  ana = await app.account({ username: 'ana' })
  project = await newProject(app, ana)
  form = await publish(app, ana, undefined, { project })
})

const xmlOf = () => instance(form, '<name>Amina</name>')
const collect = (version: string) => `org.odk.collect.android/${version} Dalvik/2.1.0 (Linux; U; Android 14)`
const seen = async (key: KeyBody): Promise<KeyBody> => (await app.as(ana)('GET', `/keys/${key.id}`)).json()
const written = () => sightingsOf(app.deps).flush()
const moment = expect.any(String)

describe('which devices came', () => {
  it('12: is told per device, with list and sending apart, the program’s version and the records', async () => {
    const key = await newKey(app, ana, project)
    await fetchBy(app, key, '/formList', 'collect:one')
    await written()
    expect(await seen(key)).toMatchObject({
      last_seen: moment,
      last_list: moment,
      last_submission: null,
      submissions: 0,
    })
    for (const deviceId of ['collect:two', 'collect:three', 'collect:two']) {
      await sendBy(app, key, xmlOf(), { deviceId, agent: collect('v2026.2.1') })
    }
    await written()
    const { devices, ...rest } = await seen(key)
    expect(rest).toMatchObject({ last_submission: moment, submissions: 3 })
    expect(Object.fromEntries(devices.map((one) => [one.device_id, [one.submissions, one.agent]]))).toEqual({
      'collect:one': [0, 'lightMyRequest'],
      'collect:two': [2, 'org.odk.collect.android/v2026.2.1'],
      'collect:three': [1, 'org.odk.collect.android/v2026.2.1'],
    })
  })

  it('is written by itself, soon after', async () => {
    const key = await newKey(app, ana, project)
    await fetchBy(app, key, '/formList')
    await vi.waitFor(async () => expect((await seen(key)).devices).toHaveLength(1), { timeout: 20_000 })
  })

  it('is written at most once in budgets.keys.sightingSeconds for a device, and loses no count by it', async () => {
    const key = await newKey(app, ana, project)
    const lastSeen = async () => (await seen(key)).last_seen
    await sendBy(app, key, xmlOf())
    await written()
    const first = await lastSeen()
    app.wait(budgets.keys.sightingSeconds - 10)
    await sendBy(app, key, xmlOf())
    await written()
    expect([await lastSeen(), (await seen(key)).devices[0]?.submissions, (await seen(key)).submissions]).toEqual([
      first,
      1,
      2,
    ])
    app.wait(11)
    await written()
    expect((await seen(key)).devices[0]?.submissions).toBe(2)
    expect(await lastSeen()).not.toBe(first)
  })

  it('is nothing of refused requests', async () => {
    const key = await newKey(app, ana, project)
    await app.as(ana)('POST', `/keys/${key.id}/revoke`)
    await fetchBy(app, key, '/formList')
    await sendBy(app, key, 'no xml')
    await written()
    expect(await seen(key)).toMatchObject({ last_seen: null, devices: [] })
  })

  it('is bounded: whoever makes up more than budgets.keys.devices pushes out the oldest, and counts of others stay', async () => {
    const [key, other] = [await newKey(app, ana, project), await newKey(app, ana, project)]
    await sendBy(app, other, xmlOf())
    await written()
    await app.deps.db.run(sql`
      insert into device_key_devices (key_id, device_id, agent, first_seen, last_seen, submissions)
      select ${key.id}::int, 'made up ' || n, '', now() - n * interval '1 hour', now() - n * interval '1 hour', 1
      from generate_series(1, ${budgets.keys.devices}::int) n`)
    await sendBy(app, key, xmlOf(), { deviceId: 'collect:real' })
    await written()
    const { devices } = await seen(key)
    expect([devices.length, devices[0]?.device_id]).toEqual([budgets.keys.devices, 'collect:real'])
    expect(devices.some(({ device_id }) => device_id === `made up ${budgets.keys.devices}`)).toBe(false)
    expect((await seen(other)).devices).toHaveLength(1)
    expect((await seen(key)).submissions).toBe(1)
    const [listed] = (await app.as(ana)('GET', `/projects/${project}/keys`))
      .json()
      .filter(({ id }: KeyBody) => id === key.id)
    expect(listed.devices).toHaveLength(budgets.keys.devicesListed)
  })

  it('of more than budgets.keys.sightings at once the rest is not remembered, and the next are again', async () => {
    const key = await newKey(app, ana, project)
    const sightings = sightingsOf(app.deps)
    for (let n = 0; n <= budgets.keys.sightings; n++)
      sightings.note(key.id, { id: `made up ${n}`, agent: null }, 'list')
    await written()
    const { count } = await app.deps.db.one<{ count: number }>(sql`
      select count(*) from device_key_devices where key_id = ${key.id}`)
    expect(count).toBe(budgets.keys.devices)
    await fetchBy(app, key, '/formList', 'collect:real')
    await written()
    expect((await seen(key)).devices.some(({ device_id }) => device_id === 'collect:real')).toBe(true)
  })

  it('is forgotten after budgets.keys.devicesDays', async () => {
    const key = await newKey(app, ana, project)
    const age = async (days: number) => {
      await app.deps.db.run(sql`
        insert into device_key_devices (key_id, device_id, agent, first_seen, last_seen, submissions)
        values (${key.id}, ${`of ${days} days`}, '', now(), ${new Date(app.deps.clock.now().getTime() - days * 86_400_000)}, 0)`)
    }
    await age(budgets.keys.devicesDays - 1)
    await age(budgets.keys.devicesDays + 1)
    await app.deps.jobs.run('keys.forget_devices', {})
    expect((await seen(key)).devices.map(({ device_id }) => device_id)).toEqual([
      `of ${budgets.keys.devicesDays - 1} days`,
    ])
  })

  it('an id or an agent of more than budgets.bodies.deviceCharacters is cut, and signs that steer are left out', async () => {
    const key = await newKey(app, ana, project)
    const most = budgets.bodies.deviceCharacters
    await sendBy(app, key, xmlOf(), { deviceId: `a\u0007${'b'.repeat(most + 50)}` })
    const [latest] = (
      await app.as(ana)('GET', `/data/${form.formid}`, { query: { sort: '{"_id":-1}', limit: '1' } })
    ).json()
    expect(latest._device_id).toBe(`a${'b'.repeat(most - 1)}`)
  })
})
