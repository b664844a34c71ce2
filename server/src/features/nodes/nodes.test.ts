import { join } from 'node:path'
import { describe, expect, it, vi } from 'vitest'
import { testApp } from '../../../test/support/app.js'
import { temporaryFolder } from '../../../test/support/embedded.js'
import { budgets } from '../../budgets.js'
import { sql } from '../../platform/db/index.js'
import type { Deps } from '../../platform/deps.js'
import { openFiles } from '../../platform/files/index.js'
import { openSecrets } from '../../platform/secrets/index.js'
import { openMetrics } from '../../platform/telemetry/index.js'
import { joinNodes, publishClock, refuseOlderNodes } from './index.js'

const app = testApp()
const other = testApp({ BASE_URL: 'https://data.example.org', MAX_LOGIN_ATTEMPTS: '3', PORT: '1234' })
const program = { version: '1.2.3', knows: 50 }

const rows = () =>
  app.deps.db.rows<{ program: string; fileKey: string | null }>(sql`
    select program, file_key as "fileKey" from nodes order by place`)
const pending = async () =>
  (await app.deps.db.one<{ count: number }>(sql`select count(*) from pending_files where file_key like 'nodes/%'`))
    .count

/** The same installation as another node sees it. */
const elsewhere = (changed: Partial<Deps>): Deps => ({ ...app.deps, ...changed })

describe('a node', () => {
  it('is known while it runs, and forgotten with its file when it stops', async () => {
    const node = await joinNodes(app.deps, program)
    const [row] = await rows()
    expect([row?.program, node.warnings, await pending()]).toEqual(['1.2.3', [], 1])
    expect(await app.deps.files.exists(row?.fileKey ?? '')).toBe(true)
    await node.leave()
    expect([await rows(), await pending(), await app.deps.files.exists(row?.fileKey ?? '')]).toEqual([[], 0, false])
  })

  it('with another secret than those that run does not start, and leaves nothing', async () => {
    const node = await joinNodes(app.deps, program)
    const stranger = elsewhere({ secrets: openSecrets('a secret of its own') })
    await expect(joinNodes(stranger, program)).rejects.toThrow(
      /runs with another secret[\s\S]*SECRET_KEY of the others/,
    )
    expect([(await rows()).length, await pending()]).toEqual([1, 1])
    await node.leave()
    await (await joinNodes(stranger, program)).leave()
  })

  it('with files of its own does not start; with the same ones it does', async () => {
    const { path, remove } = await temporaryFolder()
    const node = await joinNodes(app.deps, program)
    const apart = elsewhere({ files: await openFiles(undefined, { folder: join(path, 'files') }) })
    await expect(joinNodes(apart, program)).rejects.toThrow(
      /files of this node are not those of the node [\s\S]*FILES_URL/,
    )
    await (await joinNodes(app.deps, program)).leave()
    await node.leave()
    await remove()
  })

  it('of several that start at once and do not go together, one runs', async () => {
    const strangers = ['one', 'two', 'three'].map((name) => elsewhere({ secrets: openSecrets(`the secret ${name}`) }))
    const started = await Promise.allSettled(strangers.map((deps) => joinNodes(deps, program)))
    const running = started.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
    expect([running.length, (await rows()).length]).toEqual([1, 1])
    for (const node of running) await node.leave()
  })

  it('is told which settings are not those of the others, and what nodes need beside', async () => {
    const node = await joinNodes(app.deps, program)
    const second = await joinNodes(elsewhere({ config: other.deps.config }), program)
    expect(second.warnings).toEqual([
      expect.stringMatching(/: MAX_LOGIN_ATTEMPTS|, MAX_LOGIN_ATTEMPTS/),
      expect.stringContaining('SMTP_URL'),
    ])
    expect(second.warnings[0]).toMatch(/BASE_URL/)
    expect(second.warnings[0]).not.toMatch(/\bPORT\b/)
    await second.leave()
    const third = await joinNodes(app.deps, program)
    expect(third.warnings).toEqual([expect.stringMatching(/^BASE_URL is not set/), expect.stringMatching(/^SMTP_URL/)])
    await third.leave()
    await node.leave()
  })

  it('whose clock is more than budgets.jobs.clockMs off says so: at its start, in the log and in the metrics', async () => {
    let offMs = 0
    const clock = { now: () => new Date(Date.now() + offMs) }
    const told = () => app.logged.filter((line) => /The clock of this node/.test(line))
    for (const [off, words] of [
      [60_000 + budgets.jobs.clockMs, /^The clock of this node is 65 seconds ahead of that of the database\./],
      [-86_400_000, /^The clock of this node is 864\d\d seconds behind that of the database\./],
    ] as const) {
      offMs = off
      const node = await joinNodes(elsewhere({ clock }), program)
      expect(node.warnings).toEqual([expect.stringMatching(words)])
      expect(Math.abs(node.clockSeconds() - off / 1000)).toBeLessThan(5)
      await node.leave()
    }
    offMs = 0
    const node = await joinNodes(elsewhere({ clock }), program, { every: 20 })
    const metrics = openMetrics({ withProcess: false })
    publishClock({ metrics }, node.clockSeconds)
    expect([node.warnings, told()]).toEqual([[], []])
    offMs = 600_000
    await vi.waitFor(() => expect(told()).toEqual([expect.stringContaining('600 seconds ahead')]), 10_000)
    expect(await metrics.text()).toMatch(/sheaf_clock_ahead_seconds (599|600)/)
    offMs = 0
    await vi.waitFor(() => expect(told().at(-1)).toContain('is right again'), 10_000)
    expect(told()).toHaveLength(2)
    await node.leave()
  })

  it('that was silent for budgets.jobs.silentMs is not counted, and says again that it lives', async () => {
    const { beatMs, silentMs } = budgets.jobs
    expect(silentMs).toBeGreaterThanOrEqual(5 * beatMs)
    const node = await joinNodes(app.deps, program, { every: 20 })
    await app.deps.db.run(sql`delete from nodes`)
    await app.deps.db.run(sql`delete from pending_files`)
    await vi.waitFor(async () => expect([(await rows()).length, await pending()]).toEqual([1, 1]))
    await node.leave()
    expect([await rows(), await pending()]).toEqual([[], 0])
    const killed = await joinNodes(app.deps, program)
    await app.deps.db.run(sql`update nodes set seen_at = now() - ${silentMs} * interval '1 millisecond'`)
    const stranger = await joinNodes(elsewhere({ secrets: openSecrets('a secret of its own') }), program)
    expect(stranger.warnings).toEqual([])
    await stranger.leave()
    await killed.leave()
  })
})

describe('before something is taken away', () => {
  it('nodes that need it are named, and stop it; others do not', async () => {
    const node = await joinNodes(app.deps, program)
    await expect(refuseOlderNodes(app.deps.db, 51)).rejects.toThrow(/not migrated[\s\S]*1\.2\.3, knows version 50/)
    await refuseOlderNodes(app.deps.db, 50)
    await node.leave()
    await refuseOlderNodes(app.deps.db, 51)
  })
})
