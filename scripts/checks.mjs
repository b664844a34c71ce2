// Everything about the source that needs no test, side by side: each of these leaves cores idle for most of its time.
import { spawn } from 'node:child_process'
import { once } from 'node:events'

const checks = [
  ['tsc', '-p', 'xlsform/tsconfig.test.json'],
  ['tsc', '-p', 'server/tsconfig.test.json'],
  ['node', 'web/check.mjs'],
  ['biome', 'check', '.'],
  ['knip'],
]

/** Resolves to whether all is well; what it says is printed when it ends, so that two do not speak at once. */
const isWell = async ([command, ...args]) => {
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'] })
  const said = []
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => said.push(chunk))
  const [code] = await once(child, 'close')
  process.stdout.write(Buffer.concat(said))
  if (code !== 0) process.stdout.write(`${[command, ...args].join(' ')} found something.\n`)
  return code === 0
}

const outcomes = await Promise.all(checks.map(isWell))
process.exitCode = outcomes.every(Boolean) ? 0 : 1
