/** Whoever asks while the same is being asked gets the same answer. */
export const shared = <T>(ask: (key: string) => Promise<T>): ((key: string) => Promise<T>) => {
  const running = new Map<string, Promise<T>>()
  return (key) => {
    const present = running.get(key)
    if (present !== undefined) return present
    const started = ask(key).finally(() => running.delete(key))
    running.set(key, started)
    return started
  }
}
