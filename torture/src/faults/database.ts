import { type Fault, pause, recovered, sendOne } from '../fault.js'

export const killPostgres: Fault = {
  name: 'kill-postgres',
  description: 'kill -9 of PostgreSQL while submissions arrive; the server starts it again by itself',
  weight: 20,
  run: async (context) => {
    const { place, chance, scale, say } = context
    const count = Math.max(1, Math.round(5 * scale))
    const seconds: number[] = []
    await place.start('own')
    for (let number = 1; number <= count; number++) {
      await pause(chance.between(100, 600))
      place.killPostgres()
      seconds.push(await recovered(context, 60))
      say(`kill ${number} of ${count}`)
    }
    return `${count} kills; submissions were taken again after ${Math.max(...seconds).toFixed(1)} s at most`
  },
}

const refusedSeconds = 20
/** Nobody waits longer for a no. */
const mostSecondsForNo = 15

export const refuseConnections: Fault = {
  name: 'refuse',
  description: `a database that cuts every connection and refuses new ones for ${refusedSeconds} seconds`,
  weight: 30,
  run: async (context) => {
    const { place, find } = context
    await place.start('beside')
    place.door.shut()
    const end = performance.now() + refusedSeconds * 1000
    let [noes, slowest] = [0, 0]
    while (performance.now() < end) {
      const begun = performance.now()
      const { status, retryAfter } = await sendOne(context)
      slowest = Math.max(slowest, (performance.now() - begun) / 1000)
      if (status !== 503 || retryAfter === null) find(`${status} while the database refused, Retry-After ${retryAfter}`)
      else noes += 1
      const health = await fetch(`${context.target.address}/healthz`)
      if (health.status !== 200) find(`/healthz answered ${health.status} while the database refused`)
      await pause(100)
    }
    if (slowest > mostSecondsForNo) find(`a 503 took ${slowest.toFixed(1)} s`)
    place.door.open()
    const seconds = await recovered(context, 30)
    return `${noes} asked and got 503 with Retry-After, after ${slowest.toFixed(2)} s at most; taken again ${seconds.toFixed(1)} s after it was back`
  },
}
