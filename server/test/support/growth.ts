// How work grows with what it is given. A busy machine makes everything slower, but not one size more than another: the
// least of several runs is compared, and only a time that a person would notice counts.
import { performance } from 'node:perf_hooks'

const runs = 5
/** Below this nothing is said to grow: timers, collectors of garbage and compilers take as long. */
const noticeableMs = 100
/** Four times as much takes 4 times as long when it is linear, 16 times when it is quadratic. */
const mostGrowth = 9

const leastOf = async (work: () => unknown): Promise<number> => {
  let least = Number.POSITIVE_INFINITY
  for (let run = 0; run < runs; run++) {
    const start = performance.now()
    await work()
    least = Math.min(least, performance.now() - start)
    if (least < noticeableMs) break
  }
  return least
}

/** Undefined where four times the size takes about four times as long; otherwise both times in words. `prepare` makes what
 * is worked on, and is not measured. The size should be such that quadratic work takes seconds. */
export const growthFault = async <T>(
  size: number,
  prepare: (size: number) => T,
  work: (prepared: T) => unknown,
): Promise<string | undefined> => {
  const large = prepare(size)
  const time = await leastOf(() => work(large))
  if (time < noticeableMs) return undefined
  const small = prepare(Math.ceil(size / 4))
  const quarter = await leastOf(() => work(small))
  if (time / quarter < mostGrowth) return undefined
  // What was run often is compiled by now, and compared with what was not.
  const again = await leastOf(() => work(large))
  if (again < noticeableMs || again / quarter < mostGrowth) return undefined
  return `${Math.ceil(size / 4)}: ${quarter.toFixed(1)} ms, ${size}: ${time.toFixed(1)} ms`
}
