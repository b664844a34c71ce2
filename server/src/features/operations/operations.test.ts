import { beforeAll, describe, expect, it } from 'vitest'
import { type Account, testApp } from '../../../test/support/app.js'
import { publish, visitSheet } from '../../../test/support/forms.js'
import { newClient, newTokens } from '../../../test/support/oauth.js'
import { oneOfEach } from '../../../test/support/one-of-each.js'
import { newOperator } from '../../../test/support/operators.js'
import { newOrganization, newProject } from '../../../test/support/projects.js'
import { startSession, withSession } from '../../../test/support/sessions.js'
import { instance, send } from '../../../test/support/submissions.js'
import { sql } from '../../platform/db/index.js'
import { enqueueMail } from '../../platform/mail-queue/index.js'
import { updateOperator } from '../users/index.js'
import { recordUpkeep } from './operations.queries.js'
import { figuresIn } from './process-figures.js'

const secretKey = 'a secret of thirty-two characters!!'
const app = testApp({ SECRET_KEY: secretKey, CORS_ALLOWED_ORIGINS: '' })
let operator: Account
let ben: Account

beforeAll(async () => {
  operator = await newOperator(app, { username: 'opera' })
  ben = await app.account({ username: 'ben' })
})

const look = async () => (await app.as(operator)('GET', '/server')).json()

const paths = [
  ['GET', '/server'],
  ['GET', '/server/people'],
  ['PATCH', '/server/people/ben'],
  ['POST', '/server/people/ben/reset'],
] as const

const bodyOf = (method: string) =>
  method === 'GET' ? {} : { body: { is_active: false, reset_url: 'http://localhost/reset' } }

describe('/server is for operators', () => {
  it.each(paths)('404 for somebody else, exactly as for what does not exist: %s %s', async (method, path) => {
    const hidden = await app.as(ben)(method, path, bodyOf(method))
    const missing = await app.as(ben)(method, path.replace('server', 'serving'), bodyOf(method))
    expect([hidden.statusCode, hidden.body]).toEqual([404, missing.body])
  })

  it.each(paths)('401 for somebody who has not signed in: %s %s', async (method, path) => {
    expect((await app.call(method, path, bodyOf(method))).statusCode).toBe(401)
  })

  it.each(paths)('404 for a program that acts for an operator: %s %s', async (method, path) => {
    const client = await newClient(app, operator)
    const { access_token: token } = await newTokens(app, operator, client, { scope: 'read write' })
    const headers = { authorization: `Bearer ${token}` }
    expect((await app.call(method, path, { ...bodyOf(method), headers })).statusCode).toBe(404)
    expect((await app.call('GET', '/user', { headers })).json()).not.toHaveProperty('is_operator')
  })

  it('404 from the moment on in which somebody is no operator any more, or closed', async () => {
    const former = await newOperator(app)
    expect((await app.as(former)('GET', '/server')).statusCode).toBe(200)
    expect((await app.as(former)('GET', '/user')).json().is_operator).toBe(true)
    await updateOperator(app.deps.db, former.id, false)
    expect((await app.as(former)('GET', '/server')).statusCode).toBe(404)
    expect((await app.as(former)('GET', '/user')).json()).not.toHaveProperty('is_operator')
  })

  it('200 for the session of an operator, whose account says so; nobody else is told', async () => {
    const [session, other] = [await startSession(app, operator), await startSession(app, ben)]
    expect((await withSession(app, session)('GET', '/api/v1/server')).statusCode).toBe(200)
    const account = (await withSession(app, session)('GET', '/api/v1/user')).json()
    expect([account.is_operator, account.api_token]).toEqual([true, ''])
    expect((await withSession(app, other)('GET', '/api/v1/user')).json()).not.toHaveProperty('is_operator')
  })

  it('an organization cannot be one', async () => {
    const org = await newOrganization(app, ben)
    const { id } = await app.deps.db.one<{ id: number }>(sql`select id from users where username = ${org}`)
    expect(await updateOperator(app.deps.db, id, true)).toBe(false)
    await expect(app.deps.db.run(sql`update users set is_operator = true where id = ${id}`)).rejects.toThrow(
      'users__operators_are_people',
    )
  })
})

describe('GET /server', () => {
  it('200 with versions, health, disk, sizes and settings', async () => {
    const answer = await app.as(operator)('GET', '/server')
    expect([answer.statusCode, answer.headers['cache-control']]).toEqual([200, 'no-store'])
    const server = answer.json()
    expect(server).toMatchObject({
      version: expect.stringMatching(/^\d+\.\d+\.\d+$/),
      node_version: process.versions.node,
      health: { database: 'ok', migrations: 'ok', files: 'ok', mail: 'ok' },
      processes: { workers: 1, roles: ['web', 'jobs'] },
      mails: { is_sent: false },
      backup: { last: null },
    })
    expect(server.uptime_seconds).toBeGreaterThanOrEqual(0)
    expect(server.processes.memory_bytes).toBeGreaterThan(10_000_000)
    expect(server.disk.free_bytes).toBeLessThan(server.disk.total_bytes)
    expect(server.database.bytes).toBeGreaterThan(1_000_000)
    expect(server.database.version).toMatch(/^1[5-8]/)
    const sizes = server.database.largest_tables.map(({ bytes }: { bytes: number }) => bytes)
    expect(sizes.length).toBeGreaterThan(5)
    expect(sizes).toEqual([...sizes].sort((a: number, b: number) => b - a))
  })

  it('shows every setting and no secret', async () => {
    const { body } = await app.as(operator)('GET', '/server')
    const settings: { name: string; value: string; is_set: boolean; is_secret: boolean }[] = JSON.parse(body).settings
    const named = (name: string) => settings.find((one) => one.name === name)
    expect(named('SECRET_KEY')).toMatchObject({ value: '', is_set: true, is_secret: true })
    expect(named('SMTP_URL')).toMatchObject({ value: '', is_set: false, is_secret: true })
    expect(named('PORT')).toMatchObject({ value: '8080', is_set: false, is_secret: false })
    expect(body).not.toContain(secretKey)
    expect(JSON.parse(body).backup.steps.join('\n')).toContain('SECRET_KEY')
  })

  it('is read once for all who look at the same moment, and again some seconds later', async () => {
    const [one, two] = await Promise.all([look(), look()])
    expect(one.measured_at).toBe(two.measured_at)
    await expect.poll(async () => (await look()).measured_at).not.toBe(one.measured_at)
  })

  it('counts people, organizations, projects, forms and records, and forgets what was deleted', async () => {
    const before = (await look()).counts
    const project = await newProject(app, ben)
    const form = await publish(app, ben, visitSheet(), { project })
    await send(app, ben, '/ben', instance(form, '<age>7</age>'))
    await send(app, ben, '/ben', instance(form, '<age>8</age>'))
    await expect
      .poll(async () => (await look()).counts)
      .toMatchObject({ projects: before.projects + 1, forms: before.forms + 1, records: before.records + 2 })
    await app.as(ben)('DELETE', `/forms/${form.formid}`)
    await expect.poll(async () => (await look()).counts).toMatchObject({ forms: before.forms, records: before.records })
  })

  it('names what fails: jobs with their last error, mails, services with their owner and form, and no key in an address', async () => {
    await enqueueMail(app.deps.db, { to: 'x@example.org', subject: 'A subject of theirs', text: 'A text of theirs' })
    await app.deps.db.run(sql`
      update graphile_worker._private_jobs set attempts = 10, max_attempts = 10, last_error = 'connect ECONNREFUSED'
      where payload->>'to' = 'x@example.org'`)
    const form = await publish(app, ben, visitSheet({ form_title: 'Visits' }))
    const service = await app.as(ben)('POST', '/restservices', {
      body: { xform: form.formid, name: 'generic_json', service_url: 'http://127.0.0.1:9/in?key=of-theirs' },
    })
    await app.deps.db.run(sql`
      update rest_services set failures = 3, failing_since = now() where id = ${service.json().id}`)
    await expect.poll(async () => (await look()).failing_services).toHaveLength(1)
    const { body } = await app.as(operator)('GET', '/server')
    const server = JSON.parse(body)
    expect(server.failing_services[0]).toMatchObject({
      server: '127.0.0.1:9',
      form_id: form.formid,
      form: 'Visits',
      owner: 'ben',
      active: true,
      failures: 3,
    })
    expect(server.jobs.failing[0]).toMatchObject({
      task: 'mail.send',
      attempts: 10,
      last_error: 'connect ECONNREFUSED',
      next_try_at: null,
    })
    expect([server.mails.given_up, server.mails.last_error, server.health.mail]).toEqual([
      1,
      'connect ECONNREFUSED',
      'failing',
    ])
    expect(body).not.toMatch(/of-theirs|of theirs/)
  })

  it('says when everything was last verified, and what differed', async () => {
    expect((await look()).verified).toBeNull()
    await recordUpkeep(app.deps.db, 'verify', { records: 5, files: 2, differences: 1 }, new Date())
    await recordUpkeep(app.deps.db, 'verify', { records: 6, files: 2, differences: 0 }, new Date('2026-01-01T00:00Z'))
    await expect
      .poll(async () => (await look()).verified)
      .toEqual({ ran_at: '2026-01-01T00:00:00.000Z', records: 6, files: 2, differences: 0 })
  })
})

describe('what processes measure', () => {
  it('is added up by operation, the longest first, out of what they publish', () => {
    const text = `# HELP sheaf_event_loop_stall_seconds Moments
sheaf_event_loop_stall_seconds_bucket{le="0.1",operation="form.publish"} 1
sheaf_event_loop_stall_seconds_sum{operation="form.publish"} 0.25
sheaf_event_loop_stall_seconds_count{operation="form.publish"} 1
sheaf_event_loop_stall_seconds_sum{operation="none"} 0.5
sheaf_event_loop_stall_seconds_count{operation="none"} 2
process_resident_memory_bytes 1000
`
    expect(figuresIn(text)).toEqual({
      memoryBytes: 1000,
      stalls: {
        count: 3,
        seconds: 0.75,
        byOperation: [
          { operation: 'none', count: 2, seconds: 0.5 },
          { operation: 'form.publish', count: 1, seconds: 0.25 },
        ],
      },
    })
    expect(figuresIn('')).toEqual({ memoryBytes: 0, stalls: { count: 0, seconds: 0, byOperation: [] } })
  })
})

describe('an operator', () => {
  it('sees of others’ projects, forms and records what a stranger sees: no answer differs', async () => {
    const world = await oneOfEach(app)
    const stranger = await app.account()
    const reads = app.http.routes.entries.filter(
      ({ method, url, route }) =>
        method === 'GET' && route.config?.changes !== true && !/^\/api\/v1\/(server|user$)/.test(url),
    )
    const statusOf = async (account: Account, url: string) => {
      const headers = { authorization: `Token ${account.apiToken}` }
      return (await app.http.app.inject({ method: 'GET', url, headers })).statusCode
    }
    const differing: string[] = []
    const hidden: string[] = []
    for (const entry of reads) {
      const url = world.addressOf(entry)
      const [asOperator, asStranger] = [await statusOf(operator, url), await statusOf(stranger, url)]
      if (asOperator !== asStranger) differing.push(`${url}: ${asOperator}, not ${asStranger}`)
      if (asOperator === 404) hidden.push(url)
    }
    expect(differing).toEqual([])
    expect(hidden.length).toBeGreaterThan(30)
  })

  it('lists none of them either', async () => {
    for (const path of ['/projects', '/forms', '/data', '/media', '/restservices', '/widgets']) {
      const answer = await app.as(operator)('GET', path)
      expect([path, answer.statusCode, answer.json()]).toEqual([path, 200, []])
    }
  })
})
