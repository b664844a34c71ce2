// Where tests write: in memory where there is room. What a run has taken there is given back, also by one that was killed.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { afterAll, expect, it } from 'vitest'

const memory = mkdtempSync(join(tmpdir(), 'sheaf-memory-'))
afterAll(() => rmSync(memory, { recursive: true, force: true }))

/** By a process of its own, which has ended when this answers. */
const runIn = (folder: string, { bytes = 0, during = '' } = {}) => {
  const scratch = new URL('../../../scripts/scratch.mjs', import.meta.url).href
  const program = `import { spawnSync } from 'node:child_process'
    import { mkdirSync, statSync } from 'node:fs'
    import { scratchFolder } from ${JSON.stringify(scratch)}
    const folder = scratchFolder(${JSON.stringify(folder)}, ${bytes})
    ${during}
    console.log(JSON.stringify({ folder, mode: statSync(folder).mode & 0o7777, pid: process.pid }))`
  const { stdout, status } = spawnSync(process.execPath, ['--input-type=module', '-e', program], { encoding: 'utf8' })
  return { ...(JSON.parse(stdout) as { folder: string; mode: number; pid: number }), status }
}

it('a run has a folder in memory that everybody may write to, and leaves nothing', () => {
  const { folder, mode } = runIn(memory)
  expect(dirname(folder)).toBe(memory)
  expect(mode).toBe(0o1777)
  expect(readdirSync(memory)).toEqual([])
})

it('what one that was killed has left is removed by the next; what others use stays', () => {
  const { folder, pid } = runIn(memory)
  const left = basename(folder)
  const running = left.replace(`-${pid}-`, `-${process.pid}-`)
  const ofAnotherContainer = left.replace(/^sheaf-tests-/, 'sheaf-tests-1')
  const others = ['another', running, ofAnotherContainer].sort()
  for (const name of [...others, left]) mkdirSync(join(memory, name, 'data'), { recursive: true })
  runIn(memory)
  expect(readdirSync(memory).sort()).toEqual(others)
})

it('without such memory, or without room in it, a run writes to the folder of the system', () => {
  expect(runIn(join(memory, 'missing')).folder).toBe(tmpdir())
  expect(runIn(memory, { bytes: Number.MAX_SAFE_INTEGER }).folder).toBe(tmpdir())
})

it('what cannot be removed changes no outcome, of that run and of the next; the first that can removes it', (context) => {
  const during = "mkdirSync(folder + '/disk'); spawnSync('mount', ['-t', 'tmpfs', 'tmpfs', folder + '/disk'])"
  const { folder, status } = runIn(memory, { during })
  // A disk that is mounted there; without the right to mount one there is nothing to hold it.
  if (!existsSync(folder)) return context.skip('no right to mount')
  try {
    expect([status, runIn(memory).status, existsSync(folder)]).toEqual([0, 0, true])
  } finally {
    spawnSync('umount', [join(folder, 'disk')])
  }
  runIn(memory)
  expect(existsSync(folder)).toBe(false)
})
