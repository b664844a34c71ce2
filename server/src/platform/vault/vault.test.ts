// What was written comes back, and one byte that is another is found and named.
import { mkdtemp, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { Readable } from 'node:stream'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Damaged, openVault, PlaceRefused, type Vault, WrongPassphrase } from './index.js'
import { openSealer, sealedLength } from './sealing.js'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sheaf-vault-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const bytesOf = async (source: AsyncIterable<Buffer>): Promise<Buffer> => {
  const parts: Buffer[] = []
  for await (const part of source) parts.push(part)
  return Buffer.concat(parts)
}

const passphrase = 'a passphrase for tests'
const open = (url: string, mode: 'write' | 'read', seals: boolean): Promise<Vault> =>
  openVault(url, { mode, seals, passphrase: async () => (seals ? passphrase : undefined) })

const segment = { bytes: Buffer.from('1\tone\n2\ttwo\n'), rows: 2 }
const blob = Buffer.from('the bytes of a file')

const write = async (url: string, seals: boolean): Promise<string> => {
  const vault = await open(url, 'write', seals)
  const name = vault.nameOf(segment)
  await vault.putSegment('tables', 'pets', name, segment)
  await vault.put('files', 'a/file', Readable.from([blob]))
  await vault.putRecord('backups', 'one.json', { name })
  await vault.place.finish()
  vault.place.close()
  return name
}

/** All of it, as a restore reads it. */
const readAll = async (url: string, seals: boolean) => {
  const vault = await open(url, 'read', seals)
  try {
    const record = (await vault.getRecord('backups', 'one.json')) as { name: string }
    const rows = await vault.getSegment('tables', 'pets', { ...record, rows: 2, bytes: segment.bytes.length })
    const file = await bytesOf(await vault.get('files', 'a/file'))
    // Whoever put a file in knows its hash.
    if (!file.equals(blob)) throw new Damaged('files/a/file is another')
    // The last place that is read, so that the end is too.
    for await (const _ of (await vault.place.part('files')).list());
    return { rows: rows.toString(), file: file.toString() }
  } finally {
    vault.place.close()
  }
}

const right = { rows: segment.bytes.toString(), file: blob.toString() }
const kinds: [string, string, boolean][] = [
  ['a folder', 'plain', false],
  ['a folder that is encrypted', 'sealed', true],
  ['one file', 'plain.tar', false],
  ['one file that is encrypted', 'sealed.tar', true],
]

describe.each(kinds)('%s', (_words, name, seals) => {
  const url = () => join(folder, name)
  const isOneFile = name.endsWith('.tar')
  const filesThere = async () =>
    isOneFile
      ? [url()]
      : (await readdir(url(), { recursive: true, withFileTypes: true }))
          .filter((entry) => entry.isFile())
          .map((entry) => join(entry.parentPath, entry.name))

  it('gives back what was put in', async () => {
    await write(url(), seals)
    expect(await readAll(url(), seals)).toEqual(right)
  })

  /** What is said of it with one bit changed. One file is tried as a copy, so that many are at once. */
  const toldOf = async (file: string, bytes: Buffer, at: number): Promise<string> => {
    const changed = Buffer.from(bytes)
    changed[at] = (changed[at] as number) ^ (1 << (at % 8))
    const copy = isOneFile ? `${file}-${at}.tar` : file
    await writeFile(copy, changed)
    const told = await readAll(isOneFile ? copy : url(), seals).then(
      () => `byte ${at} of ${file} was changed, and nobody noticed`,
      (error: Error) => error.message,
    )
    if (isOneFile) await rm(copy)
    return told
  }

  it('does not give back what has one other byte, and names it', async () => {
    for (const file of await filesThere()) {
      const bytes = await readFile(file)
      // A passphrase takes long to try: there, some bytes of each stand for all.
      const places = seals ? fc.sample(fc.nat(bytes.length - 1), { numRuns: 3, seed: bytes.length }) : [...bytes.keys()]
      const atOnce = isOneFile && !seals ? 32 : 1
      for (let from = 0; from < places.length; from += atOnce) {
        const some = places.slice(from, from + atOnce)
        for (const told of await Promise.all(some.map((at) => toldOf(file, bytes, at)))) {
          expect(told).toMatch(isOneFile ? /\.tar|files\/a\/file/ : relative(url(), file))
          expect(told).not.toContain('nobody noticed')
        }
      }
      await writeFile(file, bytes)
    }
    expect(await readAll(url(), seals)).toEqual(right)
  })

  it('does not give back what was cut off', async () => {
    for (const file of await filesThere()) {
      const bytes = await readFile(file)
      for (const length of seals ? [bytes.length - 1] : [0, 1, Math.floor(bytes.length / 2), bytes.length - 1]) {
        await truncate(file, length)
        await expect(readAll(url(), seals)).rejects.toThrow()
        await writeFile(file, bytes)
      }
    }
  })
})

describe('a place', () => {
  it('that is encrypted opens with its passphrase alone', async () => {
    const given = (text?: string) => openVault(join(folder, 'sealed'), { mode: 'read', passphrase: async () => text })
    await expect(given('another passphrase')).rejects.toThrow(WrongPassphrase)
    await expect(given()).rejects.toThrow(WrongPassphrase)
  })

  it('that asks for more than a passphrase takes is refused', async () => {
    const file = join(folder, 'sealed', 'backups', 'place.json')
    const [text = ''] = (await readFile(file, 'utf8')).split('\n')
    const { createHash } = await import('node:crypto')
    const greedy = `${text.replace('"N":65536', '"N":1073741824')}\n`
    await writeFile(file, `${greedy}${createHash('sha256').update(greedy).digest('hex')}\n`)
    await expect(open(join(folder, 'sealed'), 'read', true)).rejects.toThrow(Damaged)
  })

  it('of one file is not written twice', async () => {
    await expect(open(join(folder, 'plain.tar'), 'write', false)).rejects.toThrow(PlaceRefused)
  })
})

describe('what is sealed', () => {
  it('is as long as was said, comes back in whatever pieces it is read, and never looks the same', async () => {
    const sealer = await openSealer(passphrase, Buffer.alloc(16), { N: 2, r: 1, p: 1 })
    const lengths = fc.oneof(fc.nat(200), fc.constantFrom(65_535, 65_536, 65_537, 131_072, 200_000))
    await fc.assert(
      fc.asyncProperty(lengths, fc.integer({ min: 1, max: 90_000 }), async (length, piece) => {
        const plain = Buffer.alloc(length, 'abc')
        const pieces = function* (bytes: Buffer) {
          for (let at = 0; at < bytes.length; at += piece) yield bytes.subarray(at, at + piece)
        }
        const sealed = await bytesOf(sealer.seal(Readable.from(pieces(plain))))
        expect(sealed.length).toBe(sealedLength(length))
        expect((await bytesOf(sealer.open(Readable.from(pieces(sealed)), 'it'))).equals(plain)).toBe(true)
        expect((await bytesOf(sealer.seal(Readable.from(pieces(plain))))).equals(sealed)).toBe(false)
        // Without its last chunk, and with two exchanged.
        const cut = sealed.subarray(0, sealed.length - ((length - 1) % 65_536) - 17)
        if (length > 0) await expect(bytesOf(sealer.open(Readable.from([cut]), 'it'))).rejects.toThrow(Damaged)
      }),
      { numRuns: 40 },
    )
  })
})
