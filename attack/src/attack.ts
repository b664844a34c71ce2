// One part after another, each with a server of its own, and what came of them.

import { chanceOf } from '@sheaf/harness'
import { readDescription } from './description.js'
import { Findings } from './findings.js'
import { Context, type Part } from './part.js'
import { bodies } from './parts/bodies.js'
import { crossSite } from './parts/cross-site.js'
import { foreign } from './parts/foreign.js'
import { growth } from './parts/growth.js'
import { mails } from './parts/mails.js'
import { protocol } from './parts/protocol.js'
import { ownRoles } from './parts/roles.js'
import { slow } from './parts/slow.js'
import { Health } from './probe.js'
import type { Report, Tried } from './report.js'

export const parts: readonly Part[] = [foreign, ownRoles, crossSite, bodies, protocol, mails, growth, slow]

export interface Options {
  readonly seed: number
  readonly minutes: number
  readonly chosen: readonly Part[]
}

export const attack = async (
  { seed, minutes, chosen }: Options,
  tell: (share: number, what: string) => void,
): Promise<Report> => {
  const begun = performance.now()
  const findings = new Findings()
  const health = new Health()
  const whole = chosen.reduce((sum, { weight }) => sum + weight, 0)
  const tried: Tried[] = []
  let [through, current]: [number, Context | undefined] = [0, undefined]
  const end = () => void (current?.stop() ?? Promise.resolve()).finally(() => process.exit(1))
  // Whoever stops it finds nothing of it left.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, end)
  try {
    for (const part of chosen) {
      tell(through / whole, part.name)
      const context = new Context({
        part: part.name,
        // A stream of chance for each: leaving one out does not change the others.
        chance: chanceOf(seed * 1000 + parts.indexOf(part)),
        seconds: (minutes * 60 * part.weight) / whole,
        findings,
        say: (what) => tell(through / whole, `${part.name}: ${what}`),
        describe: readDescription,
        watch: (port) => health.watch(port),
      })
      current = context
      let result: string
      try {
        result = await part.run(context)
      } catch (error) {
        result = 'it could not be done to the end'
        context.find('the attack itself could not go on', part.name, String(error), '')
      } finally {
        await context.stop()
      }
      const { name, description } = part
      tried.push({ name, description, result, requests: context.requests, longestStall: context.longestStall })
      through += part.weight
    }
  } finally {
    await health.stop()
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.off(signal, end)
  }
  const seconds = (performance.now() - begun) / 1000
  return { seed, minutes, seconds, tried, findings: findings.all, longestSilence: health.longestMs }
}
