import { writeSync } from 'node:fs'
import { readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { temporaryFolder } from '../../../../test/support/embedded.js'
import { openServerLog } from './server-log.js'
import { makeSocketFolder, nameSocketFolder, removeSocketFolder } from './socket-folder.js'

let home: Awaited<ReturnType<typeof temporaryFolder>>
let file: string
beforeEach(async () => {
  home = await temporaryFolder()
  file = join(home.path, 'postgres.log')
})
afterEach(() => home.remove())

describe('the log of PostgreSQL', () => {
  it('is cut when it has grown, with one older part kept, and goes on at its new end', async () => {
    const log = await openServerLog(file, 100)
    writeSync(log.fd, 'x'.repeat(100))
    await log.trim()
    expect((await stat(file)).size).toBe(100)
    writeSync(log.fd, 'y')
    await log.trim()
    writeSync(log.fd, 'after')
    log.close()
    expect(await readFile(file, 'utf8')).toBe('after')
    expect(await readFile(`${file}.1`, 'utf8')).toBe(`${'x'.repeat(100)}y`)
  })

  it('that was left too large starts anew', async () => {
    await writeFile(file, 'x'.repeat(101))
    const log = await openServerLog(file, 100)
    log.close()
    expect((await stat(file)).size).toBe(0)
    expect((await stat(`${file}.1`)).size).toBe(101)
  })

  it('quotes only what this start wrote', async () => {
    await writeFile(file, 'FATAL: of yesterday\n')
    const log = await openServerLog(file)
    writeSync(log.fd, 'LOG: hello\nFATAL: of today\n')
    expect(await log.tail()).toBe('LOG: hello\nFATAL: of today')
    log.close()
  })
})

describe('the socket folder', () => {
  it('has a path that a socket can have, also where the temporary folder has a long one', () => {
    const long = join(home.path, 'deep'.repeat(30))
    expect(nameSocketFolder(home.path).startsWith(home.path)).toBe(true)
    expect(Buffer.byteLength(join(nameSocketFolder(long), '.s.PGSQL.5432'))).toBeLessThanOrEqual(107)
  })

  it('is never one that somebody made before', async () => {
    const folder = nameSocketFolder(home.path)
    await makeSocketFolder(folder)
    await expect(makeSocketFolder(folder)).rejects.toThrow('EEXIST')
  })

  it('is removed only with what a socket folder holds', async () => {
    const ours = nameSocketFolder(home.path)
    await makeSocketFolder(ours)
    await writeFile(join(ours, 'letter'), 'not a socket')
    await removeSocketFolder(ours)
    await removeSocketFolder(home.path)
    expect(await readFile(join(ours, 'letter'), 'utf8')).toBe('not a socket')
  })
})
