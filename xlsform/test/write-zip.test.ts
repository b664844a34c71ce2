import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { writeZip } from '../src/workbook.js'

describe('a zip', () => {
  it('of texts and bytes is read by another program, with names in any script', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'sheaf-zip-'))
    const picture = Uint8Array.from({ length: 70_000 }, (_, at) => (at * 7919) % 251)
    const parts = new Map<string, string | Uint8Array>([
      ['submission.xml', '<data>Amina</data>'],
      ['صورة.png', picture],
    ])
    writeFileSync(join(folder, 'all.zip'), await writeZip(parts))
    execFileSync('python3', ['-m', 'zipfile', '-e', 'all.zip', '.'], { cwd: folder })
    expect(readFileSync(join(folder, 'submission.xml'), 'utf8')).toBe('<data>Amina</data>')
    expect(new Uint8Array(readFileSync(join(folder, 'صورة.png')))).toEqual(picture)
    rmSync(folder, { recursive: true })
  })
})
