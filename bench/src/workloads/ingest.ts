// Receiving at concurrency 1, 8 and 32, beside single-row INSERTs of the same XML and jsonb over `pg`, and beside a bare
// Fastify that parses the same multipart body.
import { randomUUID } from 'node:crypto'
import multipart from '@fastify/multipart'
import Fastify from 'fastify'
import type pg from 'pg'
import { prepareForm } from '../account.js'
import { openPool } from '../database.js'
import { load } from '../raw-client.js'
import type { Figure } from '../report.js'
import { type BenchServer, memoryOf, newDataDir, removeDataDir, startServer } from '../server.js'
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

interface Rates {
  readonly ours: number
  readonly insert: number
  readonly parse: number
  readonly p99: number
}

export const ingest: Workload = {
  name: 'ingest',
  description: 'OpenRosa submissions of 1.5 KB, concurrency 1, 8 and 32',
  run: async ({ isQuick, progress }) => {
    const bare = await bareFastify()
    const seconds = isQuick ? 1 : 4
    const rounds = isQuick ? 1 : 2
    /** Interleaved, the best of its rounds: a noisy moment of the machine hits all of them. */
    const rates = async (place: IngestPlace, connections: number): Promise<Rates> => {
      let [ours, insert, parse, p99] = [0, 0, 0, Number.POSITIVE_INFINITY]
      for (let round = 0; round < rounds; round++) {
        const outcome = await load(place.server.address, { connections, seconds }, place.next)
        const refused = [...outcome.statuses].filter(([status]) => status !== 201)
        if (refused.length > 0) throw new Error(`Refused: ${JSON.stringify(refused)}`)
        ours = Math.max(ours, outcome.perSecond)
        p99 = Math.min(p99, outcome.p99)
        insert = Math.max(insert, await rawInserts(place.pool, connections, seconds))
        parse = Math.max(parse, (await load(bare.address, { connections, seconds: seconds / 4 }, place.next)).perSecond)
      }
      return { ours, insert, parse, p99 }
    }
    try {
      const figures: Figure[] = []
      const alone = await openPlace({})
      try {
        alone.server.rest()
        for (const [index, connections] of concurrencies.entries()) {
          progress((index / concurrencies.length) * 0.5, `concurrency ${connections}`)
          figures.push(...ratesAsFigures(`Ingest, concurrency ${connections}`, await rates(alone, connections)))
        }
        figures.push(...(await memoryOverMany(alone, isQuick ? 5_000 : 100_000, progress)))
        figures.push(...alone.server.strain())
      } finally {
        await alone.close()
      }
      if (!isQuick) {
        progress(0.9, 'two workers')
        const two = await openPlace({ WORKERS: '2' })
        try {
          figures.push(...ratesAsFigures('Ingest, concurrency 32, two WORKERS', await rates(two, 32)))
        } finally {
          await two.close()
        }
      }
      return { workload: 'ingest', figures, limitedBy }
    } finally {
      await bare.close()
    }
  },
}

const limitedBy = `What limits it, by profiler at concurrency 32: one event loop. A submission takes about 0.33 ms of it, of which a
bare Fastify takes about a half; the rest is XML, answers, the questions to the database that several submissions share (whose
token and, at the same time, which form; then the insert), and garbage. The database takes 0.19 ms, the sender of the load
0.05 ms. Alone, a submission takes four times as much of the event loop as one of 32: there is nobody to share with, and the
caches of the processor are cold. A second worker on a machine of two cores, which also makes the load, only makes the shared
questions smaller; it is for machines with more.`

const ratesAsFigures = (name: string, { ours, insert, parse, p99 }: Rates): Figure[] => [
  {
    name,
    value: ours,
    unit: '/s',
    limit: { name: 'INSERT over pg', value: insert },
    ...(name.endsWith('32') && { aim: { text: '≥ 0.50', isMet: ours / insert >= 0.5 } }),
  },
  { name, value: ours, unit: '/s', limit: { name: 'bare Fastify multipart', value: parse } },
  { name: `p99 of it`, value: p99, unit: 'ms' },
]

interface IngestPlace {
  readonly server: BenchServer
  readonly pool: pg.Pool
  next(): Buffer
  close(): Promise<void>
}

const openPlace = async (settings: Record<string, string>): Promise<IngestPlace> => {
  const dataDir = newDataDir()
  const server = await startServer(dataDir, settings)
  const pool = openPool(dataDir, 32)
  const form = await prepareForm(server.address)
  await pool.query(
    'create table raw_submissions (form_id int, id bigint generated always as identity, uuid text, xml text, answers jsonb, primary key (form_id, id))',
  )
  const headers = `Authorization: Token ${form.token}\r\n`
  const next = () => multipartRequest('/ana/submission', headers, submissionXml(form.uuid))
  // By number, not by time: every process is to have compiled what is used often.
  await load(server.address, { connections: 32, seconds: 60, most: 5000 }, next)
  const close = async () => {
    await pool.end()
    await server.stop()
    removeDataDir(dataDir)
  }
  return { server, pool, next, close }
}

/** Memory after a tenth of the submissions, and after all of them. */
const memoryOverMany = async (
  { server, next }: IngestPlace,
  count: number,
  progress: (share: number, what: string) => void,
): Promise<Figure[]> => {
  const send = (most: number) => load(server.address, { connections: 32, seconds: 600, most }, next)
  progress(0.5, `memory over ${count} submissions`)
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
