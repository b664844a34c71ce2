// Several workers of which one hangs, and what they know of each other's callers.
import { randomUUID } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { request } from 'node:http'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { budgets } from '../../src/budgets.js'
import { lessPatience, type ServerProcess, workplace } from '../support/process.js'

/** A fifth of the usual. */
const patience = {
  askMs: budgets.workers.askMs / 5,
  silentMs: budgets.workers.silentMs / 5,
  endMs: budgets.workers.endMs / 5,
}

let place: Awaited<ReturnType<typeof workplace>>
let server: ServerProcess
beforeAll(async () => {
  place = await workplace({ hasDatabase: true })
  server = await place.start({ WORKERS: '2', ...lessPatience({ workers: patience }) }).ready()
  for (const name of ['ana', 'ben', 'eve']) await server.register(name)
})
afterAll(() => place.clean())

const parentOf = (pid: string): number | undefined => {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const [state, parent] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    const isOurs = state !== 'Z' && readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('sheaf.js')
    return isOurs ? Number(parent) : undefined
  } catch {
    return undefined
  }
}

const workers = (): number[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && parentOf(name) === server.pid)
    .map(Number)

const basic = (name: string, password = 'correct horse') => ({
  authorization: `Basic ${Buffer.from(`${name}:${password}`).toString('base64')}`,
})

/** Over a connection of its own, so that it may reach any of the workers; 0 when there is no answer. */
const over = (path: string, headers: Record<string, string> = {}, milliseconds = 5000, method = 'GET', body = '') =>
  new Promise<number>((resolve) => {
    const options = { method, headers: { ...headers, connection: 'close' }, agent: false, timeout: milliseconds }
    const sent = request(`${server.address}${path}`, options, (answer) => {
      answer.resume().on('end', () => resolve(answer.statusCode ?? 0))
    })
    sent.on('timeout', () => sent.destroy()).on('error', () => resolve(0))
    sent.end(body)
  })

describe('what several workers count together', () => {
  it('ten wrong passwords lock an address out of an account, whichever workers they reach', async () => {
    for (let n = 0; n < 10; n++) await over('/api/v1/user', basic('ben', `wrong ${n}`))
    const right = await Promise.all(Array.from({ length: 8 }, () => over('/api/v1/user', basic('ben'))))
    expect(new Set(right)).toEqual(new Set([401]))
    expect(await over('/api/v1/user', basic('ana'))).toBe(200)
  })

  it('a changed password is forgotten by all of them at once, though all had just seen it', async () => {
    const all = () => Promise.all(Array.from({ length: 8 }, () => over('/api/v1/user', basic('eve'))))
    expect(new Set(await all())).toEqual(new Set([200]))
    const body = new URLSearchParams({ current_password: 'correct horse', new_password: randomUUID() }).toString()
    const headers = { ...basic('eve'), 'content-type': 'application/x-www-form-urlencoded' }
    expect(await over('/api/v1/profiles/eve/change_password', headers, 20_000, 'POST', body)).toBeLessThan(300)
    expect(new Set(await all())).toEqual(new Set([401]))
  })
})

describe('a worker that hangs', { timeout: 180_000 }, () => {
  it('is ended and replaced after budgets.workers.silentMs; then every connection is answered again', async () => {
    const before = workers()
    expect(before).toHaveLength(2)
    const [stopped = 0] = before
    process.kill(stopped, 'SIGSTOP')
    const begun = performance.now()
    await expect
      .poll(() => workers().includes(stopped), { timeout: budgets.workers.silentMs, interval: 100 })
      .toBe(false)
    // One question less is under way when it stops.
    expect(performance.now() - begun).toBeGreaterThan(patience.silentMs - 2 * patience.askMs)
    // What it says comes by a pipe, perhaps a moment after its end is seen.
    await expect.poll(() => server.output).toContain('a worker does not answer; ending it')
    await expect.poll(() => workers().length, { timeout: 20_000 }).toBe(2)
    const ask = () => Promise.all(Array.from({ length: 8 }, () => over('/readyz', {}, 10_000)))
    await expect.poll(async () => [...new Set(await ask())], { timeout: 60_000 }).toEqual([200])
  })

  it('is not waited for for ever on SIGTERM: after budgets.workers.endMs it is ended, and nothing is left', async () => {
    const before = workers()
    expect(before).toHaveLength(2)
    process.kill(before[0] ?? 0, 'SIGSTOP')
    const begun = performance.now()
    expect(await server.end('SIGTERM')).toBe(0)
    expect(performance.now() - begun).toBeLessThan(patience.endMs + 20_000)
    expect(before.filter((pid) => parentOf(String(pid)) !== undefined)).toEqual([])
  })
})
