// Lines in which everybody has a line of their own. Whoever sends much waits behind themself; whoever sends one thing is
// next but one, whatever others have sent before.
import { unavailable } from '../http/index.js'

export interface FairBounds {
  /** So many are worked on at once, and so many wait. */
  readonly atOnce: number
  readonly waiting: number
  /** Of one of them (an account, an address), the same. */
  readonly each: { readonly atOnce: number; readonly waiting: number }
}

export type FairGate = <T>(by: string, work: (lane: number) => Promise<T>) => Promise<T>

/** `work` is given the number of its lane, from 0. Beyond the bounds: 503, to be tried again. */
export const fairGate = ({ atOnce, waiting, each }: FairBounds): FairGate => {
  const lanes = Array.from({ length: atOnce }, (_, lane) => lane)
  const lines = new Map<string, ((lane: number) => void)[]>()
  const inside = new Map<string, number>()
  let count = 0

  const mayEnter = (by: string) => lanes.length > 0 && (inside.get(by) ?? 0) < each.atOnce
  const enter = (by: string): number => {
    inside.set(by, (inside.get(by) ?? 0) + 1)
    return lanes.shift() as number
  }

  /** The first line whose turn it is; then it is the last. */
  const letNextIn = (): void => {
    for (const [by, line] of lines) {
      if (!mayEnter(by)) continue
      lines.delete(by)
      const next = line.shift()
      if (line.length > 0) lines.set(by, line)
      count -= 1
      next?.(enter(by))
      return
    }
  }

  const leave = (by: string, lane: number): void => {
    const remaining = (inside.get(by) ?? 1) - 1
    if (remaining > 0) inside.set(by, remaining)
    else inside.delete(by)
    // First again: whoever comes alone meets what is warm, as a thread that has been started.
    lanes.unshift(lane)
    letNextIn()
  }

  const wait = (by: string): Promise<number> => {
    const line = lines.get(by) ?? []
    if (line.length >= each.waiting || count >= waiting) throw unavailable()
    count += 1
    lines.set(by, line)
    return new Promise((resolve) => line.push(resolve))
  }

  return async (by, work) => {
    const lane = !lines.has(by) && mayEnter(by) ? enter(by) : await wait(by)
    try {
      return await work(lane)
    } finally {
      leave(by, lane)
    }
  }
}
