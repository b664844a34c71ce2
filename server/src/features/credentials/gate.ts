import { unavailable } from '../../platform/http/index.js'

/** Lets so many through at once, and so many wait; whoever comes then gets 503 and may try again. */
export const gate = ({ concurrency, waiting }: { concurrency: number; waiting: number }) => {
  const line: (() => void)[] = []
  let inside = 0
  const leave = () => {
    const next = line.shift()
    if (next === undefined) inside -= 1
    else next()
  }
  return async <T>(work: () => Promise<T>): Promise<T> => {
    if (inside < concurrency) inside += 1
    else if (line.length >= waiting) throw unavailable()
    else await new Promise<void>((enter) => line.push(enter))
    try {
      return await work()
    } finally {
      leave()
    }
  }
}
