// What was begun for somebody, and is finished after they have lost the right to it.
import { beforeAll, describe, expect, it } from 'vitest'
import { type Account, testApp } from '../../../test/support/app.js'
import { ends, Place } from '../../../test/support/mandates.js'
import { multipart } from '../../../test/support/multipart.js'
import { sql } from '../../platform/db/index.js'
import { runPendingJobs } from '../../platform/jobs/index.js'

const app = testApp()
let ana: Account

beforeAll(async () => {
  ana = await app.account({ username: 'ana' })
})

const managed = async () => {
  const place = await Place.open(app, ana)
  await place.share('manager')
  await place.submit('Amina')
  return place
}

const runJobs = () => runPendingJobs(app.deps.db, app.deps.jobs, app.deps.log)

describe('an export', () => {
  const ask = async ({ form, person }: Place) => {
    const asked = await app.as(person)('GET', `/forms/${form.formid}/export_async`, { query: { format: 'csv' } })
    return asked.json().job_uuid as string
  }
  const stateOf = (uuid: string) =>
    app.deps.db.one<{ id: number; status: string; file: string | null }>(sql`
      select id, status, file_key as file from exports where job_uuid = ${uuid}`)

  it.each(ends.filter(([words]) => !/editor|deleted|plain member/.test(words)))(
    'for somebody who %s before its turn is not made',
    async (_words, begin) => {
      const place = await Place.open(app, ana)
      const end = await begin(place)
      const uuid = await ask(place)
      await end(place)
      await runJobs()
      expect(await stateOf(uuid)).toMatchObject({ status: 'FAILURE', file: null })
    },
  )

  it('that was made for somebody is 404 for them once they are gone, exactly as a missing one', async () => {
    const place = await managed()
    const uuid = await ask(place)
    await runJobs()
    const { id, status } = await stateOf(uuid)
    expect([status, (await app.as(place.person)('GET', `/export/${id}`)).statusCode]).toEqual(['SUCCESS', 200])
    await place.remove()
    const [gone, missing] = [
      await app.as(place.person)('GET', `/export/${id}`),
      await app.as(place.person)('GET', '/export/999999'),
    ]
    expect([gone.statusCode, gone.body]).toEqual([404, missing.body])
  })
})

describe('an import', () => {
  const send = async ({ form, person }: Place): Promise<string> => {
    const rows = `name\n${Array.from({ length: 12_000 }, (_, n) => `name ${n}`).join('\n')}`
    const { body, headers } = multipart([{ name: 'csv_file', filename: 'data.csv', type: 'text/csv', content: rows }])
    return (await app.as(person)('POST', `/forms/${form.formid}/csv_import`, { body, headers })).json().task_id
  }
  const stateOf = async (id: string) =>
    (await app.deps.db.one<{ state: string }>(sql`select state from imports where id = ${id}`)).state
  const countOf = async ({ form }: Place) => (await app.as(ana)('GET', `/data/${form.formid}`)).json().length

  it('by somebody whose account is closed before its turn adds nothing', async () => {
    const place = await managed()
    const id = await send(place)
    await app.deps.db.run(sql`update users set is_active = false where id = ${place.person.id}`)
    await runJobs()
    expect([await stateOf(id), await countOf(place)]).toEqual(['FAILURE', 1])
  })

  it('by somebody who is taken out while their file is looked through adds nothing', async () => {
    const place = await managed()
    const id = await send(place)
    const { files } = app.deps
    const { get } = files
    let reads = 0
    files.get = async (key) => {
      reads += 1
      if (reads === 1) await place.remove()
      return get(key)
    }
    try {
      await runJobs()
    } finally {
      files.get = get
    }
    expect([reads > 0, await stateOf(id), await countOf(place)]).toEqual([true, 'FAILURE', 1])
  })
})

it('a star shows nothing of a project to whoever was taken out of it', async () => {
  const place = await managed()
  const { project, person } = place
  await place.call('POST', `/projects/${project}/star`, {}, person)
  const starred = async () => (await place.call('GET', `/user/${person.username}/starred`, undefined, person)).json()
  expect(await starred()).toHaveLength(1)
  await place.remove()
  expect(await starred()).toEqual([])
})

it('a temporary token and a reset mail end with the account, and do not come back with it', async () => {
  const place = await managed()
  const { person } = place
  const temp = (await app.as(person)('GET', '/user')).json().temp_token as string
  const asTemp = () => app.call('GET', '/user', { headers: { authorization: `TempToken ${temp}` } })
  expect((await asTemp()).statusCode).toBe(200)
  await app.call('POST', '/user/reset', { body: { email: person.email, reset_url: 'http://localhost/reset' } })
  const link = (await app.mailsTo(person.email)).at(-1)?.link
  const [, close] = ends.find(([words]) => words.includes('closed')) ?? []
  await (await close?.(place))?.(place)
  expect((await asTemp()).statusCode).toBe(401)
  await app.deps.db.run(sql`update users set is_active = true where id = ${person.id}`)
  expect((await asTemp()).statusCode).toBe(401)
  const { uid, token } = Object.fromEntries(link?.searchParams ?? [])
  const reset = await app.call('POST', '/user/reset', { body: { uid, token, new_password: 'another password' } })
  expect([uid !== undefined, token !== undefined, reset.statusCode]).toEqual([true, true, 400])
})
