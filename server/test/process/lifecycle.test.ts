import { existsSync, readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ServerProcess, workplace } from '../support/process.js'

/** One folder for all of them, in their order. */
let place: Awaited<ReturnType<typeof workplace>>
let last: ServerProcess | undefined

beforeAll(async () => {
  place = await workplace({ hasDatabase: true })
})
afterAll(() => place.clean())

const start = async (...how: Parameters<typeof place.start>): Promise<ServerProcess> => {
  last = place.start(...how)
  return last.ready()
}

/** The one that the test before has left running, or a new one: a start takes longer than most of these tests. */
const running = async (): Promise<ServerProcess> =>
  last !== undefined && last.child.exitCode === null && last.child.signalCode === null ? last : start()

const postgresPid = () =>
  Number(readFileSync(join(place.folder, 'postgres', 'cluster', 'postmaster.pid'), 'utf8').split('\n')[0])

const isAlive = (pid: number) => {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

/** Resolves as soon as the process is gone; the test's own time limit is the bound. */
const gone = async (pid: number) => {
  while (isAlive(pid)) await new Promise((resolve) => setTimeout(resolve, 5))
}

describe('sheaf serve', () => {
  it('says where it is, where its data lies and how to make the first account; keeps data over a restart', async () => {
    const first = await start()
    expect(first.output).toContain(`Data          ${place.folder}`)
    const [, folder, program] = /DATA_DIR=(\S+) node (\S+) user create/.exec(first.output) ?? []
    expect([folder, existsSync(program ?? '')]).toEqual([place.folder, true])
    expect(await (await first.call('/readyz')).json()).toMatchObject({ status: 'ready' })
    expect((await first.register('ana')).status).toBe(201)
    const database = postgresPid()
    expect(await first.end('SIGTERM')).toBe(0)
    expect(isAlive(database)).toBe(false)

    const second = await start()
    expect(second.output).toContain('1 account.')
    expect((await second.call('/api/v1/profiles/ana')).status).toBe(200)
  })

  it('rests with a narrow space for new objects, which widens with what there is to do', async () => {
    // One that has not answered anything yet.
    await (await running()).end('SIGTERM')
    const server = await start()
    const newSpaceMegabytes = async (): Promise<number> => {
      const metrics = await (await server.call('/metrics')).text()
      const [, bytes] = /^nodejs_heap_space_size_total_bytes\{space="new"\} (\d+)$/m.exec(metrics) ?? []
      return Number(bytes) / 2 ** 20
    }
    expect(await newSpaceMegabytes()).toBeLessThanOrEqual(4)
    while ((await newSpaceMegabytes()) < 8) {
      await Promise.all(Array.from({ length: 200 }, () => server.call('/api/v1/profiles/ana')))
    }
  })

  it('prints no advice of its libraries, whichever of them a request is the first to load', async () => {
    const server = await running()
    expect((await server.call('/.well-known/openid-configuration')).status).toBe(200)
    await server.end('SIGTERM')
    expect(server.output).not.toMatch(/WARNING|Unsupported runtime/)
  })

  it('SIGTERM finishes the request in flight, refuses new ones, and ends', async () => {
    const server = await running()
    const body = 'username=slow&email=slow@example.org&first_name=Slow&password=correct'
    const socket = connect(Number(new URL(server.address).port), '127.0.0.1')
    const head = `POST /api/v1/profiles HTTP/1.1\r\nhost: h\r\nconnection: close\r\ncontent-type: application/x-www-form-urlencoded\r\ncontent-length: ${body.length}\r\n\r\n`
    await new Promise<void>((resolve) => socket.write(head + body.slice(0, 20), () => resolve()))
    // The server has begun with the request once it has answered another one that was sent later.
    await server.call('/healthz')
    const ended = server.end('SIGTERM')
    while (!server.output.includes('Stopping')) await new Promise((resolve) => setTimeout(resolve, 5))
    socket.write(body.slice(20))
    expect(await text(socket)).toMatch(/^HTTP\/1\.1 201 /)
    expect(await ended).toBe(0)
    expect(server.output).toContain('Stopped.')
  })

  it('SIGTERM to npm start reaches the server: it stops, and so does the database', async () => {
    const npm = await start({}, ['npm', 'start'])
    const database = postgresPid()
    expect(await npm.end('SIGTERM')).toBe(0)
    expect(npm.output).toContain('Stopped.')
    expect(isAlive(database)).toBe(false)
  })

  // The limit is shorter than the grace that a request in flight would have.
  it('SIGTERM does not wait for connections that ask for nothing', { timeout: 25_000 }, async () => {
    const server = await running()
    const silent = connect(Number(new URL(server.address).port), '127.0.0.1')
    await new Promise((resolve) => silent.once('connect', resolve))
    silent.on('error', () => undefined)
    expect(await server.end('SIGTERM')).toBe(0)
  })

  it('SIGTERM during the first start stops it in order', async () => {
    const fresh = await workplace()
    const server = fresh.start()
    while (!server.output.includes('Setting up')) await new Promise((resolve) => setTimeout(resolve, 5))
    expect(await server.end('SIGTERM')).toBe(0)
    expect(server.output).toContain('Stopped.')
    expect(await (await (await fresh.start().ready()).call('/readyz')).json()).toMatchObject({ status: 'ready' })
    await fresh.clean()
  })

  it('kill -9 takes the database down too; the next start has everything that was acknowledged', async () => {
    const server = await running()
    const database = postgresPid()
    const names = Array.from({ length: 20 }, (_, i) => `person${i}`)
    const answers = names.map((name) =>
      server.register(name).then(
        (response) => (response.ok ? name : undefined),
        () => undefined,
      ),
    )
    await Promise.race(answers)
    await server.end('SIGKILL')
    await gone(database)
    const acknowledged = (await Promise.all(answers)).filter((name) => name !== undefined)
    expect(acknowledged.length).toBeGreaterThan(0)

    const next = await start()
    for (const name of acknowledged) expect((await next.call(`/api/v1/profiles/${name}`)).status).toBe(200)
  })

  it('a second server on the same folder says so and exits, and the first serves on', async () => {
    const first = await running()
    const second = place.start()
    await expect(second.ready()).rejects.toThrow()
    expect([second.child.exitCode, second.output]).toEqual([1, expect.stringContaining(`process ${first.pid}`)])
    expect((await first.call('/healthz')).status).toBe(200)
  })

  it('a database that is killed is started again, and the server serves on', async () => {
    const server = await running()
    const database = postgresPid()
    process.kill(database, 'SIGKILL')
    await gone(database)
    // A process of the killed one may answer a last question.
    await expect.poll(postgresPid).not.toBe(database)
    let status = 0
    while (status !== 200) status = (await server.call('/api/v1/profiles/ana')).status
    expect((await server.register('zoe')).status).toBe(201)
  })

  it('a port in use and faulty settings are told in words, with exit code 1', async () => {
    const first = await running()
    const other = await workplace({ hasDatabase: true })
    const clash = other.start({ PORT: new URL(first.address).port })
    await expect(clash.ready()).rejects.toThrow(/Another program listens on this port already/)
    const faulty = other.start({ PORT: 'x', LOG_LEVEL: 'loud' })
    await expect(faulty.ready()).rejects.toThrow(/2 faults:\n {2}- PORT .*\n {2}- LOG_LEVEL /)
    expect([clash.child.exitCode, faulty.child.exitCode]).toEqual([1, 1])
    expect(clash.output).not.toContain('    at ')
    await other.clean()
  })

  it('ROLES=jobs runs jobs without listening', async () => {
    await (await running()).end('SIGTERM')
    const worker = place.start({ ROLES: 'jobs' })
    while (!worker.output.includes('does not listen')) await new Promise((resolve) => setTimeout(resolve, 5))
    expect(await worker.end('SIGTERM')).toBe(0)
  })
})
