// `npm run mutants` against a small house of its own, of which three rules have no test.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

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

  it('lists what it can be told, and ends with 1 for a room that there is not', async () => {
    expect(await mutants('--help')).toMatchObject({ code: 0, output: expect.stringContaining('--changed') })
    expect(await mutants('--room', 'attic')).toMatchObject({
      code: 1,
      output: expect.stringContaining('no room attic'),
    })
  })
})
