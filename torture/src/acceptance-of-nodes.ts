// npm run acceptance:nodes [-- --seed N] [--set NAME=VALUE …] [FILE …]
// The acceptance suite against two nodes behind a proxy, with files in an S3 store, while one node after the other is killed and
// started again. A node is killed in the middle of reading, delivering, mailing and whatever else it does by itself, but not while it
// has a request in hand that changes something: what becomes of those is not known to whoever sent them, and the suite, which has no
// second try, could not be right about it (`npm run torture -- --only nodes` kills there, too: its senders send again).
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { chanceOf, print, startS3StandIn } from '@sheaf/harness'
import { pause } from './fault.js'
import { Place } from './place.js'

const root = fileURLToPath(new URL('../..', import.meta.url))

const { values, positionals } = parseArgs({
  options: { seed: { type: 'string', default: '1' }, set: { type: 'string', multiple: true, default: [] } },
  allowPositionals: true,
})
const given = Object.fromEntries(values.set.map((one) => [one.split('=', 1)[0] ?? '', one.slice(one.indexOf('=') + 1)]))
const chance = chanceOf(Number(values.seed))

const s3 = await startS3StandIn()
const place = await Place.open({
  filesUrl: s3.url,
  nodeSettings: {
    REST_SERVICE_TIMEOUT_SECONDS: '10',
    ...given,
  },
})

// Whoever stops it finds nothing of it left.
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => void place.remove().finally(() => process.exit(1)))
}

/** One at a time, until it is over. Answers how many. */
const killing = async (isOver: () => boolean): Promise<number> => {
  const { nodes, proxy } = place.nodes
  for (let kills = 0; ; kills++) {
    await pause(chance.between(500, 4000))
    const node = chance.oneOf(nodes)
    if (isOver()) return kills
    await proxy.spare(node.address)
    await node.end('SIGKILL')
    await node.start()
    proxy.spareNoMore(node.address)
  }
}

try {
  await place.start('nodes')
  const { proxy, outbox } = place.nodes
  const files = positionals.length > 0 ? positionals : ['server/test/acceptance']
  // One file after the other: lists of everybody are compared with themselves, and all files have the same server.
  const suite = spawn('npx', ['vitest', 'run', '--project', 'server', '--no-file-parallelism', ...files], {
    cwd: root,
    stdio: 'inherit',
    env: {
      ...process.env,
      ACCEPTANCE_URL: proxy.address,
      ACCEPTANCE_OUTBOX: outbox,
    },
  })
  let isOver = false
  const closed = once(suite, 'close').finally(() => {
    isOver = true
  })
  const [kills, [code]] = await Promise.all([killing(() => isOver), closed])
  const served = [...proxy.served.values()].join(' and ')
  print(
    `${kills} kills; the nodes gave ${served} answers; ${proxy.handedOn()} requests were handed to the other node, ${proxy.broken()} answered 502.\n`,
  )
  process.exitCode = (code as number | null) ?? 1
} finally {
  await place.remove()
  await s3.close()
}
