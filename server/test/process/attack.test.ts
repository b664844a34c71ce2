// A short form of `npm run attack`: the adversary in its own process, against the server in another.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

const program = fileURLToPath(new URL('../../../attack/dist/main.js', import.meta.url))

/** The parts that find most in little time; a run of full length has all of them. */
const parts = ['foreign', 'bodies', 'growth']

const attack = async (args: readonly string[]): Promise<{ code: number | null; output: string }> => {
  const child = spawn(process.execPath, [program, ...args], { stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk))
  const [code] = (await once(child, 'close')) as [number | null]
  return { code, output }
}

describe('npm run attack', () => {
  it('finds nothing in a short run', { timeout: 240_000 }, async () => {
    const only = parts.flatMap((part) => ['--only', part])
    const { code, output } = await attack(['--seed', '1', '--minutes', '0.3', ...only])
    // What it found, with the curl that shows it, is what somebody needs to read here.
    expect(output).toContain('Nothing was found.')
    expect(code).toBe(0)
  })

  it('lists its parts, and ends with 1 for one that there is not', async () => {
    const help = await attack(['--help'])
    expect([help.code, parts.every((part) => help.output.includes(`  ${part} `))]).toEqual([0, true])
    const unknown = await attack(['--only', 'nothing'])
    expect(unknown).toMatchObject({ code: 1, output: expect.stringContaining('There is no part nothing.') })
  })
})
