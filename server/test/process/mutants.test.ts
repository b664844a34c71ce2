// `npm run mutants` against a small house of its own, of which three rules have no test.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { letThrough, withAgain } from '../../../mutants/src/again.js'

const program = fileURLToPath(new URL('../../../mutants/dist/main.js', import.meta.url))
const house = fileURLToPath(new URL('../../../mutants/fixtures/house', import.meta.url))

/** A vitest within a vitest would take itself for a part of the outer one. */
const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/VITEST|^TEST$|^NODE_ENV$/.test(name)))

const mutants = async (...args: readonly string[]): Promise<{ code: number | null; output: string }> => {
  const child = spawn(process.execPath, [program, '--root', house, ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk))
  const [code] = (await once(child, 'close')) as [number | null]
  return { code, output }
}

describe('npm run mutants', () => {
  it('names the rules that no test tries, has the others found, and ends with 1', { timeout: 120_000 }, async () => {
    const { code, output } = await mutants('--room', 'gates', '--why')
    expect(
      output.slice(output.indexOf('gates: ')),
    ).toBe(`gates: 14 of 14 changes made, 11 found, 3 let through, 0 change nothing: 78 %
  src/features/gates/gates.queries.ts:6  keeper = 'ana' → false
  src/features/gates/gates.queries.ts:7  for update → (nothing)
  src/features/gates/gates.ts:4  age > 17 → age >= 17
`)
    // One that is switched on while it runs, and one that is there from the beginning.
    expect(output).toContain('killed    src/features/gates/gates.ts:6  inside >= mostInside → inside > mostInside')
    expect(output).toContain('killed    src/features/gates/gates.ts:1  3 → 4')
    expect(code).toBe(1)
  })

  it('--again tries what the report lets through, wherever its lines have moved, and counts it anew', () => {
    const offered = [
      { file: 'a.ts', line: 4, before: 'age > 17', after: 'age >= 17' },
      { file: 'a.ts', line: 30, before: 'true', after: 'false' },
      { file: 'a.ts', line: 52, before: 'true', after: 'false' },
      { file: 'b.ts', line: 9, before: 'for update', after: '' },
    ].map((one) => ({ ...one, lineText: '', start: 0, end: 0, replacement: '', isAtLoad: false }))
    const kept = {
      seed: 7,
      offered: 90,
      made: 40,
      killed: 35,
      equivalent: 1,
      survivors: [
        'a.ts:50  true → false',
        'a.ts:3  gone → (nothing)',
        'b.ts:2  for update → (nothing)  (no test comes here)',
        'b.ts:4  true → false',
      ],
    }
    expect(letThrough(kept, offered).map(({ line }) => line)).toEqual([52, 9])
    const again = {
      seed: 1,
      offered: 91,
      made: 2,
      killed: 1,
      equivalent: 0,
      survivors: ['b.ts:9  for update → (nothing)'],
    }
    expect(withAgain(kept, again)).toEqual({ ...again, seed: 7, made: 38, killed: 36, equivalent: 1 })
  })

  it('lists what it can be told, and ends with 1 for a room that there is not', async () => {
    expect(await mutants('--help')).toMatchObject({ code: 0, output: expect.stringContaining('--changed') })
    expect(await mutants('--room', 'attic')).toMatchObject({
      code: 1,
      output: expect.stringContaining('no room attic'),
    })
  })
})
