// How work grows with what it is given. What is compared is the time of the processor, which a busy machine does not
// change much, the least of several runs, and only where a person would notice it.

const mostRuns = 5
const longestMs = 1000
/** Below this nothing is said to grow: timers, collectors of garbage and compilers take as long. */
const noticeableMs = 100
/** Four times as much takes 4 times as long when it is linear, 16 times when it is quadratic. */
const mostGrowth = 9

const processorMs = (): number => {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

/** `enough`: what is less than this needs no further run. */
const leastOf = async (work: () => unknown, enough: number): Promise<number> => {
  let least = Number.POSITIVE_INFINITY
  const begin = processorMs()
  for (let run = 0; run < mostRuns; run++) {
    const start = processorMs()
    await work()
    least = Math.min(least, processorMs() - start)
    if (least < enough || processorMs() - begin > longestMs) break
  }
  return least
}

/** Undefined where four times the size takes about four times as long; otherwise the times in words. `prepare` makes what
 * is worked on, and is not measured. The size should be such that quadratic work takes seconds. */
export const growthFault = async <T>(
  size: number,
  prepare: (size: number) => T | Promise<T>,
  work: (prepared: T) => unknown,
): Promise<string | undefined> => {
  const timeOf = async (count: number, enough = noticeableMs): Promise<number> => {
    const prepared = await prepare(count)
    return leastOf(() => work(prepared), enough)
  }
  // Run once, it takes longer than it ever will: where even that is not too much, nothing has to be measured better.
  const once = await timeOf(size, Number.POSITIVE_INFINITY)
  if (once < noticeableMs) return undefined
  const quarter = await timeOf(Math.ceil(size / 4), 0)
  const most = Math.max(noticeableMs, mostGrowth * quarter)
  if (once < most) return undefined
  // What was run often is compiled by now, and compared with what was not: so the large one is measured again.
  const whole = await timeOf(size, most)
  if (whole < most) return undefined
  // One step is not a curve: memory that no longer fits where garbage is cheap costs ten times as much, once. What is
  // quadratic takes the next step as well.
  const fourfold = await timeOf(size * 4)
  if (fourfold / whole < mostGrowth) return undefined
  return `${Math.ceil(size / 4)}: ${quarter.toFixed(1)} ms, ${size}: ${whole.toFixed(1)} ms, ${size * 4}: ${fourfold.toFixed(1)} ms`
}
