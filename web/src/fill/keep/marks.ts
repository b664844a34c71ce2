// What went to the server while the browser had no room to keep it. A mark of a few bytes, written before it goes, where the
// database takes nothing any more: whoever loads the page anew must not change it under the same id, which would be a repetition.
export type Mark = 'may-have-arrived' | 'arrived'

const start = 'sheaf-fill-went-'
const keyOf = (instanceId: string): string => `${start}${instanceId}`
const keptMilliseconds = 30 * 86_400_000

/** No storage, or a full one: undefined. */
export const quietly = <T>(run: () => T): T | undefined => {
  try {
    return run()
  } catch {
    return undefined
  }
}

export const marks = {
  set: (instanceId: string, mark: Mark): void => {
    quietly(() => localStorage.setItem(keyOf(instanceId), `${mark} ${Date.now()}`))
  },
  of: (instanceId: string): Mark | undefined => {
    const [mark] = quietly(() => localStorage.getItem(keyOf(instanceId)))?.split(' ') ?? []
    return mark === 'may-have-arrived' || mark === 'arrived' ? mark : undefined
  },
  forget: (instanceId: string): void => {
    quietly(() => localStorage.removeItem(keyOf(instanceId)))
  },
  /** Of those that nobody came back to. */
  forgetPast: (now = Date.now()): void => {
    quietly(() => {
      for (const key of Object.keys(localStorage)) {
        const at = key.startsWith(start) ? Number(localStorage.getItem(key)?.split(' ')[1]) : now
        if (!(now - at < keptMilliseconds)) localStorage.removeItem(key)
      }
    })
  },
}
