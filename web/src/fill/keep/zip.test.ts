import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { crc32, zipOf } from './zip'

describe('a zip of what was typed', () => {
  it('has the known checksum', () => {
    expect(crc32(new TextEncoder().encode('123456789')).toString(16)).toBe('cbf43926')
  })

  it('is read by another program, with names in any script', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'sheaf-zip-'))
    const entries = ['submission.xml', 'صورة.png'].map((name) => ({
      name,
      bytes: new TextEncoder().encode(`of ${name}`),
    }))
    writeFileSync(join(folder, 'all.zip'), Buffer.from(await zipOf(entries).arrayBuffer()))
    execFileSync('python3', ['-m', 'zipfile', '-e', 'all.zip', '.'], { cwd: folder })
    expect(entries.map(({ name }) => readFileSync(join(folder, name), 'utf8'))).toEqual([
      'of submission.xml',
      'of صورة.png',
    ])
    rmSync(folder, { recursive: true })
  })
})
