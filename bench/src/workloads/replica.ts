// What reading from a streaming replica takes off the database itself: the same lists, files and charts, through a server that has
// a replica and through one that has none.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { cpuOf, familyOf, postmasterOf, startReplica } from '@sheaf/harness'
import pg from 'pg'
import { databaseOf } from '../database.js'
import { type BenchServer, newDataDir, removeDataDir, startServer } from '../server.js'
import { drained } from '../timing.js'
import type { Workload } from '../workload.js'

/** Seconds on a core of everything below a process, processes that have come since included. */
const cpuSince = (root: number): (() => number) => {
  const before = new Map(familyOf(root).map((pid) => [pid, cpuOf(pid)]))
  return () => familyOf(root).reduce((sum, pid) => sum + Math.max(0, cpuOf(pid) - (before.get(pid) ?? 0)), 0)
}

const readAll = async (server: BenchServer, headers: Readonly<Record<string, string>>, paths: readonly string[]) => {
  for (const path of paths) {
    const response = await fetch(`${server.address}/api/v1${path}`, { headers })
    if (!response.ok || response.body === null) throw new Error(`${path} answered ${response.status}`)
    await drained(response.body)
  }
}

/** Until it is asked: a server looks at its replicas once a second. */
const isRead = async ({ address }: BenchServer): Promise<boolean> =>
  /sheaf_replica_ready\{[^}]*\} 1/.test(await (await fetch(`${address}/metrics`)).text())

export const replica: Workload = {
  name: 'replica',
  description: 'what lists, files and charts take of the database with and without a replica',
  run: async ({ isQuick, progress, dataPlace }) => {
    progress(0, 'writing records')
    const place = await dataPlace()
    const form = await place.form('short')
    const primary = databaseOf(place.server.dataDir)
    const { pid } = postmasterOf(place.server.dataDir)
    const folders = [newDataDir(), newDataDir(), newDataDir()] as const
    progress(0.3, 'copying the database')
    const session = new pg.Client(primary)
    await session.connect()
    const copy = await startReplica({ dataDir: place.server.dataDir, session, folder: join(folders[0], 'copy') })
    await session.end()
    const settings = {
      DATABASE_URL: `postgres://postgres@${encodeURIComponent(primary.host)}/sheaf`,
      SECRET_KEY: readFileSync(join(place.server.dataDir, 'secret.key'), 'utf8').trim(),
      FILES_URL: join(place.server.dataDir, 'files'),
      ROLES: 'web',
    }
    const alone = await startServer(folders[1], settings)
    const beside = await startServer(folders[2], {
      ...settings,
      DATABASE_REPLICA_URL: copy.url,
    })
    const measured: { cpu: number; ms: number }[] = []
    try {
      while (!(await isRead(beside))) await new Promise((resolve) => setTimeout(resolve, 100))
      const query = encodeURIComponent(JSON.stringify({ q3: { $i: 'number 7' } }))
      const paths = [
        `/data/${form.id}?query=${query}`,
        `/data/${form.id}?sort=name&page=2&page_size=250`,
        `/data/${form.id}.csv`,
        `/charts/${form.id}?fields=age,sex&refresh=true`,
      ]
      const rounds = isQuick ? 3 : 20
      for (const server of [alone, beside]) {
        progress(0.6, server === alone ? 'without the replica' : 'with it')
        await readAll(server, place.headers, paths)
        const cpu = cpuSince(pid)
        const begun = performance.now()
        for (let round = 0; round < rounds; round++) await readAll(server, place.headers, paths)
        measured.push({ cpu: (cpu() * 1000) / rounds, ms: (performance.now() - begun) / rounds })
      }
    } finally {
      await Promise.all([alone.stop(), beside.stop()])
      await copy.stop()
      for (const folder of folders) removeDataDir(folder)
    }
    const [without = { cpu: 0, ms: 0 }, having = { cpu: 0, ms: 0 }] = measured
    return {
      workload: 'replica',
      figures: [
        {
          name: `a search, a sorted page, a CSV and two charts of ${place.countIn('short')}: the primary’s processor`,
          value: having.cpu,
          unit: 'ms',
          limit: { name: 'without a replica', value: without.cpu },
        },
        {
          name: 'the same: how long they take',
          value: having.ms,
          unit: 'ms',
          limit: { name: 'without a replica', value: without.ms },
        },
      ],
      limitedBy: 'Rights are asked at the primary, and what is kept of large forms is brought forward there.',
    }
  },
}
