// How long something takes, and what a request brings.

const seconds = async (work: () => Promise<unknown>): Promise<number> => {
  const begun = performance.now()
  await work()
  return (performance.now() - begun) / 1000
}

/** Seconds, each the best of its rounds. In turns: a noisy moment of the machine hits all of them. */
export const bestOf = async (rounds: number, ...works: (() => Promise<unknown>)[]): Promise<number[]> => {
  const best = works.map(() => Number.POSITIVE_INFINITY)
  for (let round = 0; round < rounds; round++) {
    for (const [index, work] of works.entries()) best[index] = Math.min(best[index] as number, await seconds(work))
  }
  return best
}

/** The same by the median of the rounds. */
export const medianOf = async (rounds: number, ...works: (() => Promise<unknown>)[]): Promise<number[]> => {
  const all = works.map((): number[] => [])
  for (let round = 0; round < rounds; round++) {
    for (const [index, work] of works.entries()) all[index]?.push(await seconds(work))
  }
  return all.map((times) => times.sort((a, b) => a - b)[Math.floor(times.length / 2)] ?? Number.NaN)
}

/** Reads a stream to its end and keeps nothing. */
export const drained = async (stream: AsyncIterable<Uint8Array>): Promise<{ bytes: number; firstMs: number }> => {
  const begun = performance.now()
  let firstMs = Number.NaN
  let bytes = 0
  for await (const chunk of stream) {
    if (Number.isNaN(firstMs)) firstMs = performance.now() - begun
    bytes += chunk.length
  }
  return { bytes, firstMs }
}
