// What the manifest says of a linked file is true of its bytes, and stays true while they do: phones compare the two.
import { createHash } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Account, type TestApp, testApp } from '../../../test/support/app.js'
import { type PublishedForm, publish, sheet } from '../../../test/support/forms.js'
import { newProject } from '../../../test/support/projects.js'
import { instance, newId, send } from '../../../test/support/submissions.js'
import { differing } from '../../../test/support/verification.js'
import { buildApp } from '../../app.js'
import { sql } from '../../platform/db/index.js'
import type { HttpServer } from '../../platform/http/index.js'
import { defineJob, enqueue, JobHandlers, runPendingJobs } from '../../platform/jobs/index.js'
import { openLog, openMetrics } from '../../platform/telemetry/index.js'

const app = testApp()
let other: HttpServer
let two: TestApp
let ana: Account
let project: number
let people: PublishedForm
let visit: PublishedForm

beforeAll(async () => {
  const deps = {
    ...app.deps,
    files: Object.create(app.deps.files),
    jobs: new JobHandlers(),
    metrics: openMetrics({ withProcess: false }),
  }
  other = await buildApp(deps, openLog('silent'))
  two = Object.create(app, { http: { value: other } })
  ana = await app.account({ username: 'ana' })
  project = await newProject(app, ana)
})
afterAll(() => other?.app.close())

const questions = 'type,name,label\ntext,name,Name\ngeopoint,home,Home'
beforeEach(async () => {
  people = await publish(app, ana, sheet(questions), { project })
  visit = await publish(app, ana, sheet('type,name,label\ntext,who,Who'), { project })
  for (const name of ['Amina', 'Brian']) await add(name)
})

const add = async (name: string, ids: { id?: string; deprecated?: string } = {}) =>
  (await send(app, ana, '', instance(people, `<name>${name}</name><home>1 2 0 0</home>`, ids))).statusCode

const link = async (value: string): Promise<number> => {
  const added = await app.as(ana)('POST', '/metadata', {
    body: { xform: visit.formid, data_type: 'media', data_value: value },
  })
  if (added.statusCode !== 201) throw new Error(added.body)
  return added.json().id
}

const headers = () => ({ authorization: `Token ${ana.apiToken}` })
const manifest = async (at: TestApp = app) => {
  const { statusCode, body } = await at.page('GET', `/ana/xformsManifest/${visit.formid}`, { headers: headers() })
  if (statusCode !== 200) throw new Error(body)
  const files = body.matchAll(/<hash>([^<]*)<\/hash><downloadUrl>http:\/\/localhost:80([^<]*)</g)
  return [...files].map(([, hash = '', path = '']) => ({ hash, path: path.replaceAll('&amp;', '&') }))
}
const bytes = async (path: string) => (await app.page('GET', path, { headers: headers() })).rawPayload
const md5 = (content: Buffer) => `md5:${createHash('md5').update(content).digest('hex')}`
const rows = () =>
  app.database.db.rows<{ key: string | null }>(sql`
    select linked_files.file_key as key from linked_files join metadata on metadata.id = metadata_id where form_id = ${visit.formid}`)

describe('a linked file', () => {
  it('has the md5 of the bytes that are served, CSV and GeoJSON, and keeps it while nothing changes', async () => {
    await link(`xform ${people.formid} people`)
    await link(`xform_geojson ${people.formid} homes`)
    const first = await manifest()
    expect(first).toHaveLength(2)
    for (const { hash, path } of first) expect(md5(await bytes(path))).toBe(hash)
    expect(await manifest()).toEqual(first)
    expect(await manifest(two)).toEqual(first)
    await add('Chen')
    for (const [at, { hash, path }] of (await manifest()).entries()) {
      expect(hash).not.toBe(first[at]?.hash)
      expect(md5(await bytes(path))).toBe(hash)
    }
    expect(await differing(app, true)).toEqual({})
  })

  it('is made once for a state, however many phones ask several processes at once', async () => {
    await link(`xform ${people.formid} people`)
    const all = await Promise.all(Array.from({ length: 50 }, (_, at) => manifest(at % 2 === 0 ? app : two)))
    expect(new Set(all.map(([file]) => file?.hash)).size).toBe(1)
    expect(await rows()).toHaveLength(1)
    const { count } = await app.database.db.one<{ count: number }>(sql`select count(*) from pending_files`)
    expect(count).toBe(0)
  })

  it('what was announced is what is served, whatever has happened to the records since; without a hash it is the newest', async () => {
    await link(`xform ${people.formid} people`)
    const [before] = await manifest()
    await add('Dina')
    const [after] = await manifest()
    expect([md5(await bytes(before?.path ?? '')), md5(await bytes(after?.path ?? ''))]).toEqual([
      before?.hash,
      after?.hash,
    ])
    const plain = (before?.path ?? '').replace(/&hash=.*/, '')
    expect([md5(await bytes(plain)), md5(await bytes(`${plain}&hash=${'0'.repeat(32)}`))]).toEqual([
      after?.hash,
      after?.hash,
    ])
  })

  it('what was announced is what is served while records keep coming', async () => {
    await link(`xform ${people.formid} people`)
    const coming = (async () => {
      for (let number = 0; number < 30; number++) await add(`Person ${number}`)
    })()
    for (let number = 0; number < 15; number++) {
      const [file] = await manifest(number % 2 === 0 ? app : two)
      expect(md5(await bytes(file?.path ?? ''))).toBe(file?.hash)
    }
    await coming
    const [last] = await manifest()
    const text = String(await bytes(last?.path ?? ''))
    expect(text.trim().split('\n')).toHaveLength(33)
  })

  it('a change that becomes visible late makes another file, also where a later one was there already', async () => {
    await link(`xform ${people.formid} people`)
    const id = newId()
    await add('Late', { id })
    await app.database.db.background.transaction(async (tx) => {
      // Its number is drawn here, and it is seen only at the end.
      await tx.run(
        sql`update submissions set answers = '{"name":"Changed"}', change_no = next_change() where uuid = ${id}`,
      )
      await add('Early')
      const [file] = await manifest()
      expect(String(await bytes(file?.path ?? ''))).toMatch(/Late.*Early/s)
    })
    const [file] = await manifest()
    expect(String(await bytes(file?.path ?? ''))).toMatch(/Changed.*Early/s)
  })

  it('304 for a phone that has it; ranges and gzip as of every file', async () => {
    await link(`xform ${people.formid} people`)
    for (let number = 0; number < 100; number++) await add(`Somebody ${number}`)
    const [{ path = '', hash = '' } = {}] = await manifest()
    const get = (more: Record<string, string>) => app.page('GET', path, { headers: { ...headers(), ...more } })
    expect((await get({ 'if-none-match': `"${hash}"` })).statusCode).toBe(304)
    expect((await get({ range: 'bytes=0-3' })).body).toBe('name')
    expect((await get({ 'accept-encoding': 'gzip' })).headers['content-encoding']).toBe('gzip')
  })

  it('ten files of a link are kept, and none of a link that is gone', async () => {
    const id = await link(`xform ${people.formid} people`)
    for (let number = 0; number < 13; number++) {
      await add(`Person ${number}`)
      await manifest()
    }
    expect(await rows()).toHaveLength(10)
    const keys = (await rows()).map(({ key }) => key ?? '')
    await app.as(ana)('DELETE', `/metadata/${id}`)
    await enqueue(app.deps.db, defineJob<object>('linked_data.purge', { maxAttempts: 1 }), {})
    await runPendingJobs(app.deps.db, app.deps.jobs, app.deps.log)
    await enqueue(app.deps.db, defineJob<object>('uploads.purge', { maxAttempts: 1 }), {})
    await runPendingJobs(app.deps.db, app.deps.jobs, app.deps.log)
    expect(await rows()).toEqual([])
    for (const key of keys) expect(await app.deps.files.exists(key)).toBe(false)
  })

  it('is left out where none can be made; the others are there', async () => {
    const plain = await publish(app, ana, sheet('type,name,label\ntext,name,Name'), { project })
    await link(`xform_geojson ${plain.formid} nowhere`)
    await link(`xform ${people.formid} people`)
    expect(await manifest()).toHaveLength(1)
  })
})
