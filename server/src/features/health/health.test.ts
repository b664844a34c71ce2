import { describe, expect, it } from 'vitest'
import { testApp } from '../../../test/support/app.js'
import { sql } from '../../platform/db/index.js'
import { startMetricsServer } from './metrics-server.js'

const app = testApp()

describe('/healthz', () => {
  it('200 while the process lives', async () => {
    expect((await app.page('GET', '/healthz')).json()).toEqual({ status: 'ok' })
  })
})

describe('/readyz', () => {
  it('200 when migrated, database and files reachable', async () => {
    const response = await app.page('GET', '/readyz')
    expect([response.statusCode, response.json()]).toEqual([
      200,
      { status: 'ready', database: 'ok', migrations: 'ok', files: 'ok' },
    ])
  })

  it('503 while a migration is missing', async () => {
    await app.deps.db.run(sql`alter table schema_migrations rename to schema_migrations_away`)
    const response = await app.page('GET', '/readyz')
    await app.deps.db.run(sql`alter table schema_migrations_away rename to schema_migrations`)
    expect([response.statusCode, response.json().migrations]).toEqual([503, 'pending'])
  })

  it('200 when a newer node has added something, 503 when it has taken away what this program needs', async () => {
    const answers: unknown[] = []
    const ask = async () => {
      const response = await app.page('GET', '/readyz')
      answers.push([response.statusCode, response.json().migrations])
    }
    await app.deps.db.run(sql`insert into schema_migrations (version) values (9001)`)
    await ask()
    await app.deps.db.run(sql`insert into schema_versions (version) values (9001)`)
    await ask()
    await app.deps.db.run(sql`delete from schema_versions where version = 9001`)
    await app.deps.db.run(sql`delete from schema_migrations where version = 9001`)
    expect(answers).toEqual([
      [200, 'ok'],
      [503, 'too new'],
    ])
  })
})

describe('/metrics', () => {
  it('200 in Prometheus’ format, by operation and status', async () => {
    await app.call('GET', '/profiles')
    const { body } = await app.page('GET', '/metrics')
    expect(body).toContain('sheaf_http_request_duration_seconds_count{operation="profile.list",status="200"} 1')
    expect(body).toMatch(/^sheaf_database_connections \d+$/m)
    expect(body).toContain('nodejs_eventloop_lag_seconds')
  })

  it('404 for another machine, and for what a proxy on this machine forwards', async () => {
    expect((await app.page('GET', '/metrics', { from: '10.0.0.1' })).statusCode).toBe(404)
    expect((await app.page('GET', '/metrics', { headers: { 'x-forwarded-for': '10.0.0.1' } })).statusCode).toBe(404)
  })

  it('on a port of its own: 200 for /metrics, 404 for anything else', async () => {
    const server = await startMetricsServer(app.deps.metrics, '127.0.0.1', 0)
    const at = (path: string) => fetch(`http://127.0.0.1:${server.port}${path}`)
    expect(await (await at('/metrics')).text()).toContain('process_cpu_seconds_total')
    expect((await at('/api/v1/')).status).toBe(404)
    await server.close()
  })
})
