// npm run demo: the server as shipped on a folder that is thrown away, filled with an example.
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { print, showProgress, spawnServer } from '@sheaf/harness'
import { type Filled, fill } from './fill.js'
import { logins } from './people.js'
import { startReceiver } from './receiver.js'

const help = `npm run demo -- [options]

Starts the server on a folder that is thrown away, fills it with an example and prints the address and the logins. Ctrl-C ends it.

  --port NUMBER     where to listen; 8080, or any other when that is taken
  --records NUMBER  how many of them; 3200
  --seed NUMBER     another example; 2026
  --json            print one line of JSON in place of words, for programs
  --end             end when it is filled
`

const { values } = parseArgs({
  options: {
    port: { type: 'string' },
    records: { type: 'string', default: '3200' },
    seed: { type: 'string', default: '2026' },
    json: { type: 'boolean', default: false },
    end: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
})

/** Ctrl-C reaches the server too: told twice, it would not finish what is in flight. */
const ownWayMs = 500

const isFree = async (port: number): Promise<boolean> => {
  const server = createServer()
  server.listen(port, '127.0.0.1')
  const [event] = await Promise.race([
    once(server, 'listening').then(() => ['listening']),
    once(server, 'error').catch(() => ['error']),
  ])
  server.close()
  return event === 'listening'
}

const portOf = async (): Promise<string> => values.port ?? ((await isFree(8080)) ? '8080' : '0')

const inWords = (address: string, { households, water }: Filled, seconds: number): string => `
The demo runs, filled in ${Math.round(seconds)} s:

  ${address}

${logins.map(({ username, password, role }) => `  ${username.padEnd(8)} password "${password}"   ${role}`).join('\n')}

  Household survey         ${households.url}
  Water point inspection   ${water.url}

Ctrl-C ends it and throws everything away.
`

const asJson = (address: string, { households, water }: Filled): string =>
  `${JSON.stringify({
    address,
    logins,
    forms: { households: households.formid, water: water.formid },
  })}\n`

const run = async (): Promise<void> => {
  const begun = performance.now()
  const folder = await mkdtemp(join(tmpdir(), 'sheaf-demo-'))
  const receiver = await startReceiver()
  const { child, address, said } = spawnServer({
    settings: { DATA_DIR: folder, PORT: await portOf(), OUTBOUND_ALLOW_PRIVATE: 'true' },
  })
  const closed = once(child, 'close')
  let isStopping = false
  const stop = async (): Promise<void> => {
    if (isStopping) return
    isStopping = true
    await Promise.race([closed, pause(ownWayMs)])
    const isEnding = child.exitCode !== null || child.signalCode !== null || said().includes('Stopping')
    if (!isEnding) child.kill('SIGTERM')
    await closed
    receiver.close()
    await rm(folder, { recursive: true, force: true })
  }
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      if (!values.json) print('\nStopping…\n')
      void stop().then(() => process.exit(0))
    })
  }
  const progress = values.json ? { tell: () => undefined, stop: () => undefined } : showProgress()
  try {
    const at = await address
    const setupCode = /\/setup\?code=(\S+)/.exec(said())?.[1] ?? ''
    const [seed, records] = [Number(values.seed), Number(values.records)]
    const filled = await fill({ address: at, setupCode, receiver, seed, records, tell: progress.tell })
    progress.stop()
    print(values.json ? asJson(at, filled) : inWords(at, filled, (performance.now() - begun) / 1000))
  } catch (error) {
    progress.stop()
    const wasStopping = isStopping
    await stop()
    // Whoever stopped it while it was filled knows.
    if (!wasStopping) throw error
  }
  if (values.end) await stop()
  else await closed
}

const isUsable = Number.isInteger(Number(values.seed)) && Number(values.records) >= 40
if (values.help || !isUsable) {
  print(isUsable ? help : `There are at least 40 records, and a seed is a whole number.\n\n${help}`)
  process.exitCode = isUsable ? 0 : 1
} else await run()
