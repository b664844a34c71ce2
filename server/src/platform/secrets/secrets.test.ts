import { mkdir, mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { loadOrMakeSecret, openSecrets, SecretUnreadable } from './index.js'

const secrets = openSecrets('one')

describe('seal and open', () => {
  it('gives the text back, and differs every time', () => {
    const sealed = secrets.seal('token', 'row 1', 'hush')
    expect(secrets.open('token', 'row 1', sealed)).toBe('hush')
    expect(secrets.seal('token', 'row 1', 'hush')).not.toEqual(sealed)
    expect(sealed.toString('latin1')).not.toContain('hush')
  })

  it('opens for nothing else: another secret, purpose or row, a changed or short value', () => {
    const sealed = secrets.seal('token', 'row 1', 'hush')
    const changed = Buffer.from(sealed)
    changed[15] = (changed[15] ?? 0) ^ 1
    expect([
      openSecrets('two').open('token', 'row 1', sealed),
      secrets.open('other', 'row 1', sealed),
      secrets.open('token', 'row 2', sealed),
      secrets.open('token', 'row 1', changed),
      secrets.open('token', 'row 1', Buffer.from('short')),
    ]).toEqual(Array(5).fill(undefined))
  })
})

describe('hash', () => {
  it('is the same for the same purpose, another for another', () => {
    expect(secrets.hash('a', 'x')).toBe(openSecrets('one').hash('a', 'x'))
    expect(new Set([secrets.hash('a', 'x'), secrets.hash('b', 'x'), openSecrets('two').hash('a', 'x')]).size).toBe(3)
  })
})

describe('a secret that is there but cannot be used', () => {
  it('is refused, never replaced: an emptied file, and a folder in its place', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'sheaf-secret-'))
    await writeFile(join(folder, 'secret.key'), '')
    await expect(loadOrMakeSecret(folder)).rejects.toThrow(SecretUnreadable)
    await rm(join(folder, 'secret.key'))
    await mkdir(join(folder, 'secret.key'))
    await expect(loadOrMakeSecret(folder)).rejects.toThrow(SecretUnreadable)
    await rm(folder, { recursive: true })
  })
})

describe('loadOrMakeSecret', () => {
  it('ten starts at once agree on one secret, which only its owner may read', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'sheaf-secret-'))
    const made = await Promise.all(Array.from({ length: 10 }, () => loadOrMakeSecret(join(folder, 'data'))))
    expect(new Set(made).size).toBe(1)
    expect(made[0]).toMatch(/^[0-9a-f]{64}$/)
    expect((await stat(join(folder, 'data', 'secret.key'))).mode & 0o777).toBe(0o600)
    await rm(folder, { recursive: true })
  })
})
