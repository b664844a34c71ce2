import { cp, mkdir, readdir, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { temporaryFolder } from '../../../../test/support/embedded.js'
import { lockFolder } from './folder-lock.js'
import { type Claim, claimFolder, type Owner } from './owner.js'
import { pidNamespace, processMark } from './processes.js'
import { takeFolder } from './takeover.js'

let home: Awaited<ReturnType<typeof temporaryFolder>>
beforeEach(async () => {
  home = await temporaryFolder()
})
afterEach(() => home.remove())

const crowd = () => Promise.allSettled(Array.from({ length: 20 }, (_, n) => claimFolder(home.path, `/tmp/socket-${n}`)))

const winners = (results: PromiseSettledResult<Claim>[]): Claim[] =>
  results.filter((result) => result.status === 'fulfilled').map((result) => result.value)

const leave = async (number: number, change: Partial<Owner>) => {
  const mark = (await processMark(process.pid)) ?? ''
  const owner = { pid: process.pid, mark, namespace: await pidNamespace(), socketFolder: '/tmp/s', released: false }
  await writeFile(join(home.path, `owner.${number}.json`), JSON.stringify({ ...owner, ...change }))
}

describe('the claim on a folder', () => {
  it('is won by one of many at once on a fresh folder, and the others are told who', async () => {
    const results = await crowd()
    expect(winners(results)).toHaveLength(1)
    for (const result of results) {
      if (result.status === 'rejected') expect(result.reason).toMatchObject({ code: 'in_use' })
    }
  })

  it('is won by one of many at once that find a dead owner', async () => {
    await leave(41, { mark: 'of a process that is gone' })
    expect(winners(await crowd())).toHaveLength(1)
  })

  it('can be had again, by one, once it is released', async () => {
    const [first] = winners(await crowd())
    await first?.release()
    const [second, ...others] = winners(await crowd())
    expect(others).toEqual([])
    expect(second?.previous).toMatchObject({ pid: process.pid, released: true })
    expect(await readdir(home.path)).toHaveLength(1)
  })

  it('of a living process holds, and of another process with the same id does not', async () => {
    await leave(1, {})
    await expect(claimFolder(home.path, '/tmp/s')).rejects.toThrow(`process ${process.pid}`)
    await leave(2, { mark: 'started at another time' })
    await expect(claimFolder(home.path, '/tmp/s')).resolves.toBeDefined()
  })

  it('of a process id in another container says nothing: there the lock decides', async () => {
    await leave(1, { namespace: 'pid:[1]' })
    await expect(claimFolder(home.path, '/tmp/s')).resolves.toBeDefined()
  })
})

describe('a copy of a folder, made while its server runs', () => {
  it('can be claimed; the process and the socket folder of the original are not its own', async () => {
    const original = await claimFolder(home.path, '/tmp/sheaf-pg-original')
    const copy = await temporaryFolder()
    await cp(home.path, copy.path, { recursive: true })
    const claim = await claimFolder(copy.path, '/tmp/sheaf-pg-copy')
    expect(claim.previous).toMatchObject({ pid: process.pid, socketFolder: '/tmp/sheaf-pg-original' })
    expect(claim.leftSocketFolder).toBeUndefined()
    await expect(claimFolder(home.path, '/tmp/s')).rejects.toThrow(`process ${process.pid}`)
    await original.release()
    expect((await claimFolder(home.path, '/tmp/s')).leftSocketFolder).toBe('/tmp/sheaf-pg-original')
    await copy.remove()
  })

  it('that is seen from another container leaves the socket folder alone too', async () => {
    await leave(1, { namespace: 'pid:[1]', place: { path: '/data', identity: '1:2' } })
    expect((await claimFolder(home.path, '/tmp/s')).leftSocketFolder).toBeUndefined()
  })

  it('and a folder that was moved while its server runs is still that server’s', async () => {
    await claimFolder(home.path, '/tmp/s')
    const moved = `${home.path}-moved`
    await rename(home.path, moved)
    await expect(claimFolder(moved, '/tmp/t')).rejects.toThrow(`process ${process.pid}`)
    await rename(moved, home.path)
  })
})

describe('the lock on a folder', () => {
  it('is held by one at a time until it is released, where the system has such locks', async () => {
    const first = await lockFolder(home.path)
    const hasLocks = first?.fd !== undefined
    expect(hasLocks).toBe(process.platform === 'linux')
    expect((await lockFolder(home.path)) === undefined).toBe(hasLocks)
    first?.release()
    const second = await lockFolder(home.path)
    expect(second).toBeDefined()
    second?.release()
  })

  it('keeps out a server that does not see its owner, and the owner keeps its claim and its database', async () => {
    const data = join(home.path, 'cluster')
    await mkdir(data)
    await leave(7, { namespace: 'pid:[1]' })
    // In the other container this number is a postgres; here some process has it.
    await writeFile(join(data, 'postmaster.pid'), `${process.pid}\n${data}\n1\n5432\n/tmp/s\n\n\nready\n`)
    const held = await lockFolder(home.path)
    const taking = takeFolder(home.path, data, '/tmp/s', () => {}, 100)
    if (held?.fd === undefined) await taking
    else {
      await expect(taking).rejects.toMatchObject({ code: 'in_use', message: expect.stringContaining('container') })
      expect((await readdir(home.path)).sort()).toEqual(['cluster', 'lock', 'owner.7.json'])
      expect(await readdir(data)).toEqual(['postmaster.pid'])
    }
    held?.release()
  })
})
