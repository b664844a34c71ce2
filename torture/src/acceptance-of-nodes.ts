// npm run acceptance:nodes [-- --seed N] [--set NAME=VALUE …] [FILE …]
// The acceptance suite against two nodes behind a proxy, with files in an S3 store and a streaming replica of the database, while one
// of the nodes or the replica is killed and started again, over and over. A node is killed in the middle of reading, delivering, mailing and whatever else it does by itself, but not while it
// has a request in hand that changes something: what becomes of those is not known to whoever sent them, and the suite, which has no
// second try, could not be right about it (`npm run torture -- --only nodes` kills there, too: its senders send again).
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { chanceOf, type Node, print, startS3StandIn } from '@sheaf/harness'
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
  hasReplica: true,
  nodeSettings: {
    REST_SERVICE_TIMEOUT_SECONDS: '10',
    ...given,
  },
})

// Whoever stops it finds nothing of it left.
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => void place.remove().finally(() => process.exit(1)))
}

/** What the replica was asked by a node that lives, since it was started. */
const readsOf = async ({ address }: Node): Promise<number> => {
  const metrics = await (await fetch(`${address}/metrics`)).text()
  return Number(/sheaf_replica_reads_total\{where="replica"\} (\d+)/.exec(metrics)?.[1] ?? 0)
}

/** One at a time, until it is over. Answers how many, and what the replica was asked. */
const killing = async (isOver: () => boolean) => {
  const { nodes, proxy } = place.nodes
  const counted = { nodes: 0, replica: 0, reads: 0 }
  for (;;) {
    await pause(chance.between(500, 4000))
    const victim = chance.oneOf([...nodes, 'replica' as const])
    if (isOver()) {
      for (const node of nodes) counted.reads += await readsOf(node)
      return counted
    }
    if (victim === 'replica') {
      counted.replica += 1
      await place.replica.kill()
      await pause(chance.between(0, 2000))
      await place.replica.start()
      continue
    }
    counted.nodes += 1
    await proxy.spare(victim.address)
    counted.reads += await readsOf(victim)
    await victim.end('SIGKILL')
    await victim.start()
    proxy.spareNoMore(victim.address)
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
  const [counted, [code]] = await Promise.all([killing(() => isOver), closed])
  const served = [...proxy.served.values()].join(' and ')
  print(
    `Nodes were killed ${counted.nodes} times, the replica ${counted.replica} times, which was asked ${counted.reads} times; the nodes gave ${served} answers; ${proxy.handedOn()} requests were handed to the other node, ${proxy.broken()} answered 502.\n`,
  )
  process.exitCode = (code as number | null) ?? 1
} finally {
  await place.remove()
  await s3.close()
}
