// Work of one key goes one after the other; that of different keys side by side.

export type InTurn = <T>(key: string, work: () => Promise<T>) => Promise<T>

/** What fails lets the next one go on. */
export const inTurn = (): InTurn => {
  const tails = new Map<string, Promise<unknown>>()
  return (key, work) => {
    const result = (tails.get(key) ?? Promise.resolve()).then(work, work)
    tails.set(key, result)
    const leave = () => {
      if (tails.get(key) === result) tails.delete(key)
    }
    result.then(leave, leave)
    return result
  }
}
