// The end: what the senders know, beside what is stored. And what is stored beside itself, which `sheaf verify` does.

import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { postmasterOf } from '@sheaf/harness'
import pg from 'pg'
import type { Target } from './client.js'
import type { Ledger } from './ledger.js'
import type { Place } from './place.js'
import type { Receiver } from './receiver.js'
import { beginSheaf } from './server.js'
import type { Submission } from './submissions.js'

export interface Compared {
  readonly what: string
  readonly result: string
  readonly isRight: boolean
}

interface StoredRecord {
  readonly id: number
  readonly uuid: string
  readonly ids: string[]
  readonly files: { name: string; sha256: string }[]
  readonly deliveries: Record<string, number>
}

/** All of it, once: a run has tens of thousands. */
const storedRecords = async (client: pg.Client): Promise<StoredRecord[]> => {
  const { rows } = await client.query(`
    select submissions.id::float8 as id, submissions.uuid,
      (select array_agg(uuid) from instance_ids where form_id = submissions.form_id and submission_id = submissions.id) as ids,
      coalesce((select json_agg(json_build_object('name', name, 'sha256', sha256)) from attachments
        where form_id = submissions.form_id and submission_id = submissions.id and deleted_at is null), '[]') as files,
      coalesce((select json_object_agg(service_id, count) from (
        select service_id, count(*) from deliveries
        where submission_id = submissions.id and revision = 0 group by service_id) counts), '{}') as deliveries
    from submissions where deleted_at is null order by id`)
  return rows
}

const first = (list: readonly string[]): string =>
  list.length === 0 ? '' : `: ${list.slice(0, 3).join('; ')}${list.length > 3 ? ' …' : ''}`

const right = (what: string, count: number, wrong: readonly string[]): Compared => ({
  what,
  result: wrong.length === 0 ? `${count.toLocaleString('en')}, all of them` : `${wrong.length} are not${first(wrong)}`,
  isRight: wrong.length === 0,
})

interface Wrong {
  readonly there: string[]
  readonly current: string[]
  readonly files: string[]
  readonly deliveries: string[]
}

const compareRecord = (
  wrong: Wrong,
  record: StoredRecord,
  { current }: { current: Submission },
  services: readonly number[],
): void => {
  if (record.uuid !== current.id) wrong.current.push(`record ${record.id} is at ${record.uuid}, not at ${current.id}`)
  const shown = new Map(record.files.map(({ name, sha256 }) => [name, sha256]))
  const isSame = current.files.every(({ name, sha256 }) => shown.get(name) === sha256)
  if (!isSame || shown.size !== current.files.length) wrong.files.push(`record ${record.id}`)
  if (services.some((id) => record.deliveries[id] !== 1)) {
    wrong.deliveries.push(`record ${record.id}: ${JSON.stringify(record.deliveries)}`)
  }
}

const compareLedger = (ledger: Ledger, stored: readonly StoredRecord[], services: readonly number[]): Compared[] => {
  const byId = new Map<string, StoredRecord[]>()
  for (const record of stored) for (const id of record.ids) byId.set(id, [...(byId.get(id) ?? []), record])
  const wrong: Wrong = { there: [], current: [], files: [], deliveries: [] }
  let [ids, files] = [0, 0]
  for (const [origin, entry] of ledger.records) {
    ids += entry.ids.length
    files += entry.current.files.length
    const record = byId.get(origin)?.[0]
    for (const id of entry.ids) {
      const found = byId.get(id) ?? []
      if (found.length !== 1 || found[0] !== record) wrong.there.push(`${id} is there ${found.length} times`)
    }
    if (record !== undefined) compareRecord(wrong, record, entry, services)
  }
  const strangers = stored.filter(({ ids: known }) => !known.some((id) => ledger.records.has(id)))
  return [
    right('Acknowledged submissions are there, once', ids, wrong.there),
    right('Edited records are at their last acknowledged version', ledger.records.size, wrong.current),
    right('Files have the bytes that were sent', files, wrong.files),
    right('Each record has one delivery to each of two services', ledger.records.size, wrong.deliveries),
    right(
      'Nothing is there that nobody sent',
      stored.length,
      strangers.map(({ uuid }) => uuid),
    ),
  ]
}

const compareReceived = (stored: readonly StoredRecord[], receiver: Receiver): Compared => {
  const wrong = stored.flatMap(({ id }) => {
    const count = receiver.received.get(id)?.size ?? 0
    return count === 1 ? [] : [`record ${id} came under ${count} message ids`]
  })
  return right('Each record reached the receiver that answers, under one message id', stored.length, wrong)
}

/** Through the API, as whoever reads them would. */
const compareDownloads = async (target: Target, ledger: Ledger): Promise<Compared> => {
  const headers = { authorization: `Token ${target.token}` }
  const answer = await fetch(`${target.address}/api/v1/data/${target.formId}?page_size=300&sort={"_id":-1}`, {
    headers,
  })
  const records = (await answer.json()) as { _uuid: string; _attachments: { name: string; download_url: string }[] }[]
  const sums = new Map(
    [...ledger.records.values()].flatMap(({ current }) => current.files.map(({ name, sha256 }) => [name, sha256])),
  )
  const wrong: string[] = []
  let count = 0
  for (const { name, download_url: path } of records.flatMap(({ _attachments }) => _attachments)) {
    const file = await fetch(new URL(path, target.address), { headers })
    const sum = createHash('sha256')
      .update(Buffer.from(await file.arrayBuffer()))
      .digest('hex')
    count += 1
    if (sum !== sums.get(name)) wrong.push(name)
  }
  return right('Files of the last 300 records are downloaded as they were sent', count, wrong)
}

const compareCounter = async (target: Target, stored: readonly StoredRecord[]): Promise<Compared> => {
  const headers = { authorization: `Token ${target.token}` }
  const form = (await (await fetch(`${target.address}/api/v1/forms/${target.formId}`, { headers })).json()) as {
    num_of_submissions: number
  }
  const isRight = form.num_of_submissions === stored.length
  return {
    what: 'The form counts what is there',
    result: `${form.num_of_submissions} counted, ${stored.length} there`,
    isRight,
  }
}

const compareKeys = async (client: pg.Client, stored: readonly StoredRecord[]): Promise<Compared> => {
  const { rows } = await client.query(`
    select (select coalesce(sum(records), 0) from device_key_counts)::int as counted,
      (select count(*) from submissions where device_key_id is not null)::int as there`)
  const { counted, there } = rows[0] as { counted: number; there: number }
  return {
    what: 'The key counts what came through it',
    result: `${counted} counted, ${there} of ${stored.length} there`,
    isRight: counted === there && there > 0,
  }
}

const verified = async (place: Place): Promise<Compared> => {
  const { code, stdout, output } = await beginSheaf(['verify', '--files', '--json'], place.env).ended
  try {
    const { records, versions, files, differences } = JSON.parse(stdout)
    const kinds = differences.map(
      ({ kind, count, examples }: { kind: string; count: number; examples: object[] }) =>
        `${count} × ${kind} ${JSON.stringify(examples[0])}`,
    )
    return {
      what: 'sheaf verify --files: rows, events, deliveries, counters, summaries, XML, files',
      result:
        code === 0
          ? `${records} records, ${versions} former versions, ${files} files: everything agrees`
          : `differs${first(kinds)}`,
      isRight: code === 0,
    }
  } catch {
    return { what: 'sheaf verify --files', result: `ended with ${code}: ${output.slice(0, 300)}`, isRight: false }
  }
}

const mostSecondsForDeliveries = 120

/** Until the receiver that answers has everything, or time is up. */
const deliveriesThrough = async (client: pg.Client, serviceId: number): Promise<void> => {
  const end = Date.now() + mostSecondsForDeliveries * 1000
  for (;;) {
    const { rows } = await client.query(
      `select count(*)::int as count from deliveries where service_id = $1 and state = 'pending'`,
      [serviceId],
    )
    if (rows[0].count === 0 || Date.now() > end) return
    await sleep(200)
  }
}

export const compare = async (
  place: Place,
  target: Target,
  ledger: Ledger,
  services: { answering: number; silent: number; receiver: Receiver },
): Promise<Compared[]> => {
  const client = new pg.Client({
    host: postmasterOf(place.dataDir).socketFolder,
    user: 'postgres',
    database: 'sheaf',
  })
  client.on('error', () => undefined)
  await client.connect()
  try {
    await deliveriesThrough(client, services.answering)
    const stored = await storedRecords(client)
    const health = await fetch(`${target.address}/readyz`)
    return [
      ...compareLedger(ledger, stored, [services.answering, services.silent]),
      compareReceived(stored, services.receiver),
      await compareCounter(target, stored),
      await compareKeys(client, stored),
      await compareDownloads(target, ledger),
      await verified(place),
      { what: 'The server answers', result: `/readyz: ${health.status}`, isRight: health.status === 200 },
    ]
  } finally {
    await client.end()
  }
}
