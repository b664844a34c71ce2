// What /metrics tells, and that each of it is documented.
import { readFileSync } from 'node:fs'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { type Account, testApp } from '../../../test/support/app.js'
import { type PublishedForm, publish } from '../../../test/support/forms.js'
import { startReceiver } from '../../../test/support/receivers.js'
import { instance, newId, send } from '../../../test/support/submissions.js'
import { budgets } from '../../budgets.js'
import { sql } from '../../platform/db/index.js'
import { watchBackups } from '../backups/index.js'
import { publishClock } from '../nodes/index.js'
import { watchInstallation } from './index.js'
import { kept } from './installation.js'

const app = testApp({ OUTBOUND_ALLOW_PRIVATE: 'true' })
let ana: Account
let form: PublishedForm

beforeAll(async () => {
  ana = await app.account({ username: 'ana' })
  form = await publish(app, ana)
})

const numbers = async (): Promise<Map<string, number>> => {
  const lines = (await app.page('GET', '/metrics')).body.split('\n').filter((line) => /^[a-z]/.test(line))
  return new Map(lines.map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.slice(line.lastIndexOf(' ')))]))
}

describe('submissions', () => {
  it('are counted: created, duplicate, edited, and refused by status', async () => {
    const id = newId()
    const xml = instance(form, '<name>Otieno</name>', { id })
    const other = newId()
    const statuses = [
      await send(app, ana, '', xml),
      await send(app, ana, '', xml),
      await send(app, ana, '', instance(form, '<name>Amina</name>', { id: other, deprecated: id })),
      await send(app, ana, '', '<broken'),
      await send(app, ana, '', instance({ id_string: 'unknown' }, '<name>x</name>')),
      await app.as(ana)('POST', '/submissions', { body: { id: 'unknown', submission: { name: 'x' } } }),
    ].map(({ statusCode }) => statusCode)
    expect(statuses).toEqual([201, 202, 201, 400, 404, 404])
    const told = await numbers()
    expect(told.get('sheaf_submissions_total{outcome="created"}')).toBe(1)
    expect(told.get('sheaf_submissions_total{outcome="duplicate"}')).toBe(1)
    expect(told.get('sheaf_submissions_total{outcome="edited"}')).toBe(1)
    expect(told.get('sheaf_submissions_refused_total{status="400"}')).toBe(1)
    expect(told.get('sheaf_submissions_refused_total{status="404"}')).toBe(2)
  })
})

describe('the installation', () => {
  it('is told when somebody asks: jobs, deliveries, bytes of files, of the database and of the disk', async () => {
    const receiver = await startReceiver()
    const body = { xform: form.formid, name: 'generic_json', service_url: receiver.url }
    expect((await app.as(ana)('POST', '/restservices', { body })).statusCode).toBe(201)
    await send(app, ana, '', instance(form, '<name>A</name>'))
    await app.forward()
    await send(app, ana, '', instance(form, '<name>B</name>'))
    await app.deps.db.run(sql`
      select graphile_worker.add_job('test.task', run_at => now() + interval '1 day'), graphile_worker.add_job('test.task')`)
    watchInstallation(app.deps)
    const told = await numbers()
    expect(told.get('sheaf_delivery_tries_total{outcome="delivered"}')).toBe(1)
    expect(told.get('sheaf_deliveries{state="delivered"}')).toBe(1)
    expect(told.get('sheaf_deliveries{state="pending"}')).toBe(1)
    expect(told.get('sheaf_deliveries{state="failed"}')).toBe(0)
    expect(told.get('sheaf_jobs{task="test.task",state="due"}')).toBe(1)
    expect(told.get('sheaf_jobs{task="test.task",state="later"}')).toBe(1)
    expect(told.get('sheaf_files_bytes{kind="records"}')).toBe(0)
    expect(told.get('sheaf_database_bytes')).toBeGreaterThan(1_000_000)
    expect(told.get('sheaf_disk_bytes{part="all"}')).toBeGreaterThan(told.get('sheaf_disk_bytes{part="free"}') ?? 0)
    await receiver.close()
  })

  it('is read once, however often it is asked for within budgets.metrics.keptMs; requests cost no statement for it', async () => {
    const asked = vi.spyOn(app.deps.db.background.pool, 'query')
    for (let times = 0; times < 5; times++) await numbers()
    expect(asked).not.toHaveBeenCalled()
    asked.mockRestore()
  })
})

describe('what is kept of a reading', () => {
  const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

  it('is given after budgets.metrics.waitMs while a new one takes longer; a failed one is nothing', async () => {
    let finish: (text: string) => void = () => undefined
    let readings = 0
    const readNow = () => {
      readings += 1
      return new Promise<string>((resolve, reject) => {
        finish = (text) => (text === 'fail' ? reject(new Error('away')) : resolve(text))
      })
    }
    const current = kept(readNow, 'nothing', { keptMs: 40, waitMs: 20, shareOfTime: 1_000_000 })
    const begun = performance.now()
    expect(await current()).toBe('nothing')
    expect(performance.now() - begun).toBeGreaterThanOrEqual(19)
    const [one, two] = [current(), current()]
    finish('first')
    expect([await one, await two, readings]).toEqual(['first', 'first', 1])
    expect([await current(), readings]).toEqual(['first', 1])
    await wait(200)
    const next = current()
    finish('fail')
    expect([await next, readings]).toEqual(['nothing', 2])
  })

  it('is kept for longer the longer it takes: budgets.metrics.shareOfTime', async () => {
    let readings = 0
    const readNow = async () => {
      readings += 1
      await wait(30)
      return readings
    }
    const current = kept(readNow, 0, { keptMs: 1, waitMs: 60_000, shareOfTime: budgets.metrics.shareOfTime / 100 })
    expect(await current()).toBe(1)
    await wait(100)
    expect(await current()).toBe(1)
  })

  it('is bounded by numbers that a collector does not notice', () => {
    expect([budgets.metrics.keptMs, budgets.metrics.waitMs]).toEqual([30_000, 1000])
  })
})

describe('metrics', () => {
  it('are all documented, in docs/running.md, with their type, labels and meaning; and no other', async () => {
    watchBackups(app.deps)
    publishClock(app.deps, () => 0)
    const all = await app.deps.metrics.registry.getMetricsAsArray()
    const own = all.filter(({ name }) => !/^(process|nodejs)_/.test(name))
    const rows = own.map((metric) => {
      const { name, help, type, labelNames } = metric as unknown as {
        name: string
        help: string
        type: string
        labelNames: string[]
      }
      return `| \`${name}\` | ${type} | ${labelNames.map((label) => `\`${label}\``).join(', ')} | ${help} |`
    })
    const page = readFileSync(new URL('../../../../docs/running.md', import.meta.url), 'utf8')
    const documented = page.split('\n').filter((line) => line.startsWith('| `'))
    expect(documented.sort()).toEqual(rows.sort())
    expect(own.filter(({ name }) => !name.startsWith('sheaf_'))).toEqual([])
  })
})
