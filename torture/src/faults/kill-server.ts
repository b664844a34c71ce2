import { type Context, type Fault, pause } from '../fault.js'
import type { Way } from '../place.js'

const mostSecondsToYes = 10

/** Mostly a little after the first submission was taken; now and then while it has hardly begun. */
const randomMoment = async ({ chance, ledger }: Context): Promise<void> => {
  const [before, isEarly, delay] = [ledger.acknowledgements, chance.isOneIn(5), chance.between(0, 300)]
  const end = performance.now() + mostSecondsToYes * 1000
  while (!isEarly && ledger.acknowledgements === before && performance.now() < end) await pause(5)
  await pause(delay)
}

/** On a slow machine it ends with fewer, rather than never. */
const kills = async (context: Context, way: Way, wanted: number, seconds: number): Promise<string> => {
  const { place, ledger, say } = context
  const before = ledger.acknowledgements
  const end = performance.now() + seconds * 1000
  let count = 0
  while (count < wanted && performance.now() < end) {
    await place.start(way)
    await randomMoment(context)
    await place.killServer()
    count += 1
    say(`kill ${count} of ${wanted}`)
  }
  await place.start(way)
  const kept = `${ledger.acknowledgements - before} submissions acknowledged between them`
  return count < wanted ? `${count} of ${wanted} kills in the time that was given; ${kept}` : `${count} kills; ${kept}`
}

export const killServerAndDatabase: Fault = {
  name: 'kill-server',
  description: 'kill -9 of the server at random moments of receiving; its own PostgreSQL goes down with it',
  weight: 90,
  run: (context) => kills(context, 'own', Math.max(2, Math.round(50 * context.scale)), 150 * context.scale),
}

export const killServerAlone: Fault = {
  name: 'kill-node',
  description: 'kill -9 of a server beside others at random moments of receiving; the database goes on',
  weight: 80,
  run: (context) => kills(context, 'beside', Math.max(2, Math.round(60 * context.scale)), 120 * context.scale),
}
