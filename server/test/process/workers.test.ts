import { randomUUID } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { request } from 'node:http'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { sheet } from '../support/forms.js'
import { type ServerProcess, workplace } from '../support/process.js'
import { instance, submissionBody } from '../support/submissions.js'

/** One server for all of them, in their order: each start is three processes. */
let place: Awaited<ReturnType<typeof workplace>>
let server: ServerProcess
const env = { WORKERS: '2' }
beforeAll(async () => {
  place = await workplace({ hasDatabase: true })
  server = await place.start(env).ready()
})
afterAll(() => place.clean())

const account = `Basic ${Buffer.from('ana:correct horse').toString('base64')}`
const form = { id_string: 'visit', version: '1' }

const publish = async (server: ServerProcess): Promise<number> => {
  await server.register('ana')
  const text = sheet('type,name,label\ntext,name,Name', { settings: { form_id: 'visit', version: '1' } })
  const published = await server.call('/api/v1/forms', {
    method: 'POST',
    headers: { authorization: account, 'content-type': 'application/json' },
    body: JSON.stringify({ text_xls_form: text }),
  })
  return ((await published.json()) as { formid: number }).formid
}

/** Over a connection of its own, so that it may reach any of the workers. */
const over = (server: ServerProcess, path: string, init: { method?: string; headers?: object; body?: Buffer } = {}) =>
  new Promise<number>((resolve, reject) => {
    const options = { method: init.method ?? 'GET', headers: { ...init.headers, connection: 'close' }, agent: false }
    const sent = request(`${server.address}${path}`, options, (answer) => {
      answer.resume().on('end', () => resolve(answer.statusCode ?? 0))
    })
    sent.on('error', reject).end(init.body)
  })

const send = (server: ServerProcess, id: string) => {
  const { body, headers } = submissionBody(instance(form, '<name>n</name>', { id }), [])
  return over(server, '/ana/submission', { method: 'POST', headers: { ...headers, authorization: account }, body })
}

const statOf = (pid: string) => {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8')
    const [state, parent] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return { pid: Number(pid), parent: Number(parent), command, isZombie: state === 'Z' }
  } catch {
    return undefined
  }
}

const childrenOf = (parent: number) =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(statOf)
    .filter((one) => one !== undefined && one.parent === parent && !one.isZombie)
    .map((one) => one as NonNullable<typeof one>)

const workersOf = (server: ServerProcess): number[] =>
  childrenOf(server.pid)
    .filter(({ command }) => command.includes('sheaf.js'))
    .map(({ pid }) => pid)

const isAlive = (pid: number): boolean => {
  const found = statOf(String(pid))
  return found !== undefined && !found.isZombie
}

describe('several workers', () => {
  it('take every submission once, whichever of them it reaches, and count requests together', async () => {
    const formId = await publish(server)
    const ids = Array.from({ length: 20 }, () => randomUUID())
    const statuses = await Promise.all([...ids, ...ids, ...ids].map((id) => send(server, id)))
    expect(statuses.filter((status) => status === 201)).toHaveLength(20)
    expect(statuses.filter((status) => status === 202)).toHaveLength(40)
    const listed = await server.call(`/api/v1/data/${formId}`, { headers: { authorization: account } })
    expect(((await listed.json()) as unknown[]).length).toBe(20)
    const metrics = await (await server.call('/metrics')).text()
    expect(metrics).toContain(
      'sheaf_http_request_duration_seconds_count{operation="openrosa.submit.account",status="201"} 20',
    )
    expect(metrics).toContain(
      'sheaf_http_request_duration_seconds_count{operation="openrosa.submit.account",status="202"} 40',
    )
  })

  it('one that is killed is replaced, and the others go on meanwhile', async () => {
    const before = workersOf(server)
    expect(before).toHaveLength(2)
    process.kill(before[0] as number, 'SIGKILL')
    await vi.waitFor(() => expect(workersOf(server).filter((pid) => !before.includes(pid))).toHaveLength(1), 10_000)
    await vi.waitFor(async () => expect(await over(server, '/readyz')).toBe(200), 10_000)
    expect(server.output).toContain('a worker ended; starting another')
  })

  it('find the database again when it was killed', async () => {
    const postmaster = readFileSync(`${place.folder}/postgres/cluster/postmaster.pid`, 'utf8').split('\n')[0]
    process.kill(Number(postmaster), 'SIGKILL')
    await vi.waitFor(() => expect(server.output).toContain('the database ended'), 10_000)
    await vi.waitFor(
      async () => {
        const statuses = await Promise.all(Array.from({ length: 8 }, () => over(server, '/readyz')))
        expect(new Set(statuses)).toEqual(new Set([200]))
      },
      { timeout: 30_000, interval: 200 },
    )
  })

  it('a port that is taken is told in words', async () => {
    const other = await workplace({ hasDatabase: true })
    const second = other.start({ ...env, PORT: new URL(server.address).port })
    expect(await second.end('SIGCONT')).toBe(1)
    expect(second.output.match(/Another program listens on this port already/g)).toHaveLength(1)
    await other.clean()
  })

  it('end when the first process is killed; the next start takes over', async () => {
    const left = workersOf(server)
    expect(left).toHaveLength(2)
    await server.end('SIGKILL')
    await vi.waitFor(() => expect(left.filter(isAlive)).toEqual([]), 10_000)
    server = await place.start(env).ready()
    expect(await over(server, '/readyz')).toBe(200)
  })

  it('finish on SIGTERM, without a process left', async () => {
    const workers = workersOf(server)
    expect(await server.end('SIGTERM')).toBe(0)
    expect(workers.filter(isAlive)).toEqual([])
  })
})
