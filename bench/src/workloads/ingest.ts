// Receiving at concurrency 1, 8 and 32, beside single-row INSERTs of the same XML and jsonb over `pg`, and beside a bare
// Fastify that parses the same multipart body.
import { randomUUID } from 'node:crypto'
import multipart from '@fastify/multipart'
import Fastify from 'fastify'
import pg from 'pg'
import { prepareForm } from '../account.js'
import { databaseOf } from '../database.js'
import { load } from '../raw-client.js'
import type { Figure } from '../report.js'
import { memoryOf, newDataDir, removeDataDir, startServer } from '../server.js'
import { multipartRequest, submissionXml } from '../visit-form.js'
import type { Workload } from '../workload.js'

const concurrencies = [1, 8, 32]

const answersText = JSON.stringify({
  'form/uuid': 'f'.repeat(32),
  start: '2026-05-01T09:00:00.000+00:00',
  end: '2026-05-01T09:12:30.000+00:00',
  name: 'Amina Otieno',
  age: '34',
  sex: 'f',
  ...Object.fromEntries(
    Array.from({ length: 12 }, (_, i) => [`q${i + 1}`, `Some words of an answer, number ${i + 1}`]),
  ),
  'household/rooms': '3',
  'household/place': '-1.2625621 36.7921711 1650.0 4.5',
  child: [
    { 'child/child_name': 'Tom', 'child/child_age': '12' },
    { 'child/child_name': 'Dora', 'child/child_age': '5' },
  ],
  'meta/instanceID': `uuid:${randomUUID()}`,
})

/** One row, one commit, as fast as the driver and the database go: a primary key, the XML, the answers. */
const rawInserts = async (pool: pg.Pool, connections: number, seconds: number): Promise<number> => {
  const end = performance.now() + seconds * 1000
  const text = 'insert into raw_submissions (form_id, uuid, xml, answers) values ($1, $2, $3, $4)'
  const begun = performance.now()
  let count = 0
  const run = async () => {
    const client = await pool.connect()
    while (performance.now() < end) {
      const id = randomUUID()
      await client.query({ name: 'raw', text, values: [1, id, submissionXml('f'.repeat(32), id), answersText] })
      count += 1
    }
    client.release()
  }
  await Promise.all(Array.from({ length: connections }, run))
  return count / ((performance.now() - begun) / 1000)
}

const bareFastify = async () => {
  const app = Fastify()
  await app.register(multipart)
  app.post('/submission', async (request, reply) => {
    for await (const part of request.parts()) if (part.type === 'file') await part.toBuffer()
    return reply.code(201).send('ok')
  })
  return { address: await app.listen({ host: '127.0.0.1', port: 0 }), close: () => app.close() }
}

export const ingest: Workload = {
  name: 'ingest',
  description: 'OpenRosa submissions of 1.5 KB, concurrency 1, 8 and 32',
  run: async ({ isQuick, progress }) => {
    const dataDir = newDataDir()
    const server = await startServer(dataDir)
    const bare = await bareFastify()
    const pool = new pg.Pool({ ...databaseOf(dataDir), max: 32 })
    try {
      const form = await prepareForm(server.address)
      await pool.query(
        'create table raw_submissions (form_id int, id bigint generated always as identity, uuid text, xml text, answers jsonb, primary key (form_id, id))',
      )
      const headers = `Authorization: Token ${form.token}\r\n`
      const next = () => multipartRequest('/ana/submission', headers, submissionXml(form.uuid))
      const seconds = isQuick ? 2 : 5
      await load(server.address, { connections: 8, seconds: 1 }, next)
      const figures: Figure[] = []
      for (const [index, connections] of concurrencies.entries()) {
        progress(index / concurrencies.length, `concurrency ${connections}`)
        let [ours, insert, parse] = [0, 0, 0]
        let p99 = Number.POSITIVE_INFINITY
        // Interleaved, best of two: a noisy moment of the machine hits all of them.
        for (const _ of [1, 2]) {
          const outcome = await load(server.address, { connections, seconds }, next)
          const refused = [...outcome.statuses].filter(([status]) => status !== 201)
          if (refused.length > 0) throw new Error(`Refused: ${JSON.stringify(refused)}`)
          ours = Math.max(ours, outcome.perSecond)
          p99 = Math.min(p99, outcome.p99)
          insert = Math.max(insert, await rawInserts(pool, connections, seconds))
          parse = Math.max(parse, (await load(bare.address, { connections, seconds: 1 }, next)).perSecond)
        }
        const aim = connections === 32 ? { aim: { text: '≥ 0.50', isMet: ours / insert >= 0.5 } } : {}
        figures.push(
          {
            name: `Ingest, concurrency ${connections}`,
            value: ours,
            unit: '/s',
            limit: { name: 'INSERT over pg', value: insert },
            ...aim,
          },
          {
            name: `Ingest, concurrency ${connections}`,
            value: ours,
            unit: '/s',
            limit: { name: 'bare Fastify multipart', value: parse },
          },
          { name: `Ingest p99, concurrency ${connections}`, value: p99, unit: 'ms' },
        )
      }
      figures.push(...(await memoryOverMany(server, next, isQuick ? 10_000 : 100_000, progress)))
      return { workload: 'ingest', figures }
    } finally {
      await pool.end()
      await bare.close()
      await server.stop()
      removeDataDir(dataDir)
    }
  },
}

/** Memory after a tenth of the submissions, and after all of them. */
const memoryOverMany = async (
  server: { address: string; pid: number },
  next: () => Buffer,
  count: number,
  progress: (share: number, what: string) => void,
): Promise<Figure[]> => {
  const send = (most: number) => load(server.address, { connections: 32, seconds: 600, most }, next)
  progress(0.9, `memory over ${count} submissions`)
  await send(count / 10)
  const early = memoryOf(server.pid).server
  await send(count - count / 10)
  const late = memoryOf(server.pid).server
  return [
    {
      name: `Memory after ${count.toLocaleString('en')} submissions`,
      value: late,
      unit: 'MB',
      limit: { name: 'after a tenth of them', value: early },
      aim: { text: 'flat: ≤ 1.2', isMet: late <= early * 1.2 },
    },
  ]
}
