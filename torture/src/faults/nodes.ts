// Two nodes behind a proxy take submissions, deliver them and run jobs; one after the other is killed in the middle of whatever it
// does and started again. The senders do what devices do: whatever was not answered with a yes is sent again.
import { postmasterOf } from '@sheaf/harness'
import pg from 'pg'
import { type Context, type Fault, pause } from '../fault.js'

const mostSeconds = 180
const leastKills = 4

/** What is in hand now: calls to the receiver that answers, which was added first, and jobs. */
const inHand = `
  select 'delivery ' || id as what from deliveries
  where state = 'pending' and claimed_until > now() and service_id = (select min(id) from rest_services)
  union all
  select 'job ' || id || ' of ' || locked_by from graphile_worker.jobs where locked_by is not null`

/** What a killed node had in hand is taken over by the one that lives: deliveries when their claim ends, jobs when their worker is
 * silent. Answers how much that was, and after how many seconds it was. */
const takenOver = async ({ place, find }: Context, kill: () => Promise<void>) => {
  const { socketFolder: host } = postmasterOf(place.dataDir)
  const client = new pg.Client({ host, user: 'postgres', database: 'sheaf' })
  await client.connect()
  try {
    await kill()
    const begun = performance.now()
    const listed = async () => (await client.query<{ what: string }>(inHand)).rows.map(({ what }) => what)
    const first = await listed()
    for (;;) {
      const now = new Set(await listed())
      const left = first.filter((what) => now.has(what))
      const seconds = (performance.now() - begun) / 1000
      if (left.length > 0 && seconds > mostSeconds)
        find(`taken over by nobody for ${mostSeconds} s: ${left.join(', ')}`)
      if (left.length === 0 || seconds > mostSeconds) return { count: first.length, seconds }
      await pause(500)
    }
  } finally {
    await client.end()
  }
}

export const killNodes: Fault = {
  name: 'nodes',
  description:
    'kill -9 of one of two nodes behind a proxy at random moments of receiving, delivering and working; the other goes on',
  weight: 90,
  run: async (context) => {
    const { place, chance, ledger, scale, say, find } = context
    const wanted = Math.max(leastKills, Math.round(30 * scale))
    const before = ledger.acknowledgements
    await place.start('nodes')
    const { nodes, proxy } = place.nodes
    // While they started, there was nobody to be handed to.
    const [handedBefore, brokenBefore] = [proxy.handedOn(), proxy.broken()]
    const end = performance.now() + 200 * scale * 1000
    let count = 0
    while (count < leastKills || (count < wanted && performance.now() < end)) {
      const at = ledger.acknowledgements
      const node = chance.oneOf(nodes)
      await pause(chance.between(100, 1500))
      await node.end('SIGKILL')
      count += 1
      say(`kill ${count} of ${wanted}`)
      // The other one takes submissions meanwhile.
      const alone = performance.now()
      while (ledger.acknowledgements === at && performance.now() - alone < 10_000) await pause(10)
      if (ledger.acknowledgements === at) find('with one of two nodes gone, nothing was taken for 10 s')
      await node.start()
    }
    const [last] = nodes
    const { count: left, seconds } = await takenOver(context, async () => last?.end('SIGKILL'))
    await last?.start()
    const idle = nodes.filter(({ address }) => (proxy.served.get(address) ?? 0) === 0)
    if (idle.length > 0) find(`${idle.length} of the nodes answered nothing`)
    return `${count + 1} kills; ${ledger.acknowledgements - before} submissions acknowledged between them; ${proxy.handedOn() - handedBefore} requests handed to the other node, ${proxy.broken() - brokenBefore} answered 502 and sent again; ${left} deliveries and jobs that were in hand at the last kill were through ${seconds.toFixed(0)} s later, at the other node`
  },
}
