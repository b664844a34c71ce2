/** Runs the work of one key one after another. Wrong passwords that arrive together are counted one by one, so that a
 * hundred guesses at once get no further than ten; right ones that arrive together cost one hash. */
export const inTurn = () => {
  const tails = new Map<string, Promise<unknown>>()
  return <T>(key: string, work: () => Promise<T>): Promise<T> => {
    const result = (tails.get(key) ?? Promise.resolve()).then(work, work)
    tails.set(key, result)
    const leave = () => {
      if (tails.get(key) === result) tails.delete(key)
    }
    result.then(leave, leave)
    return result
  }
}
