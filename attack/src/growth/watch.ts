// Whether the work that a text makes grows faster than the text: CPU of server and database at growing sizes, compared where it
// is large enough to tell.
import type { Context } from '../part.js'
import { type Answer, curlOf, type Request } from '../request.js'

export interface Probe {
  readonly name: string
  /** Sizes to try, growing. It ends at the first that is too much. */
  readonly sizes: readonly number[]
  /** Done before each size, and not measured. */
  prepare?(size: number): Promise<void>
  request(size: number): Request
  /** What is still under way after the answer: a job. */
  settle?(answer: Answer): Promise<void>
}

/** Below this, growth is noise. */
const worthTellingSeconds = 0.05
const enough = 0.15
/** Nothing that is sent in one request takes so long for another reason. */
const surely = 1
/** Linear is 1, quadratic 2. */
const mostExponent = 1.5
const longestMs = 12_000

interface Measured {
  readonly size: number
  readonly seconds: number
  readonly answer: Answer
  readonly request: Request
}

const measure = async (context: Context, probe: Probe, size: number): Promise<Measured> => {
  await probe.prepare?.(size)
  const request = { timeoutMs: longestMs, ...probe.request(size) }
  const read = context.server.meter()
  const answer = await context.wire.send(request)
  await probe.settle?.(answer)
  return { size, seconds: read(), answer, request }
}

/** The least of several: others are at work on the same machine. */
const again = async (context: Context, probe: Probe, size: number, first: number): Promise<number> => {
  const second = await measure(context, probe, size)
  return Math.min(first, second.seconds)
}

export interface Outcome {
  /** The server is lost: it answers nobody any more. */
  readonly isStuck: boolean
  readonly hasGrown: boolean
}

const lost: Outcome = { isStuck: true, hasGrown: true }

const exponent = (small: Measured, large: Measured, base: number): number =>
  Math.log((large.seconds - base) / Math.max(0.004, small.seconds - base)) / Math.log(large.size / small.size)

export const watchGrowth = async (context: Context, probe: Probe): Promise<Outcome> => {
  let [base, before]: [number, Measured | undefined] = [Number.POSITIVE_INFINITY, undefined]
  let last: Measured | undefined
  let suspicion: string | undefined
  const accused = (example: string, request: Request): Outcome => {
    context.find('work grows faster than what is sent', probe.name, example, curlOf(request))
    return { isStuck: false, hasGrown: true }
  }
  for (const size of probe.sizes) {
    if (!context.server.isAlive) return lost
    last = await measure(context, probe, size)
    await context.sweepStalls(last.request)
    if (last.answer.status === 0) return lost
    base = Math.min(base, last.seconds)
    // Longer than what is looked at anyway: it is refused.
    if (last.answer.status === 413 || last.answer.status === 414 || last.answer.status === 431) break
    if (before !== undefined && last.seconds > Math.max(enough, before.seconds + worthTellingSeconds)) {
      if (exponent(before, last, base) > mostExponent) {
        const seconds = await again(context, probe, last.size, last.seconds)
        if (!context.server.isAlive) return lost
        const sure = { ...last, seconds }
        const power = exponent(before, sure, base)
        if (seconds > enough && power > mostExponent) {
          const example = `${before.size} → ${size}: ${(before.seconds * 1000).toFixed(0)} → ${(seconds * 1000).toFixed(0)} ms of CPU (size to the power of ${power.toFixed(1)})`
          // One step is not a curve: what no longer fits where garbage is cheap costs more, once.
          if (suspicion !== undefined || seconds > surely) return accused(example, last.request)
          suspicion = example
        } else suspicion = undefined
      } else suspicion = undefined
    }
    before = last
  }
  if (suspicion === undefined || last === undefined) return { isStuck: false, hasGrown: false }
  // It was the last step: one more says whether it goes on.
  const beyond = await measure(context, probe, 2 * last.size)
  if (beyond.answer.status === 0) return lost
  const isRefused = beyond.answer.status >= 400 && last.answer.status < 400
  return isRefused || exponent(last, beyond, base) > mostExponent
    ? accused(suspicion, last.request)
    : { isStuck: false, hasGrown: false }
}
