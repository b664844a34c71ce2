// What only one tab, or the worker, may do at a time. Pages over http to another machine have no locks: there, two tabs may do the
// same, and the server tells them apart.
const locks = (): LockManager | undefined => globalThis.navigator?.locks

/** Waits until nobody else has it. */
export const alone = async (name: string, run: () => Promise<void>): Promise<void> => {
  await (locks()?.request(name, () => run()) ?? run())
}

export interface Held {
  release(): void
  /** Resolves when somebody else took it by force. */
  readonly lost: Promise<void>
}

/** Held until it is given back. `wait`: how long to wait for it; `byForce`: takes it from whoever has it. */
export const hold = (name: string, how: { wait?: number; byForce?: boolean } = {}): Promise<Held | undefined> => {
  const manager = locks()
  if (manager === undefined) return Promise.resolve({ release: () => undefined, lost: new Promise(() => undefined) })
  return new Promise((resolve) => {
    let release = (): void => undefined
    let lose = (): void => undefined
    const lost = new Promise<void>((done) => {
      lose = done
    })
    const options: LockOptions = how.byForce
      ? { steal: true }
      : how.wait === undefined
        ? { ifAvailable: true }
        : { signal: AbortSignal.timeout(how.wait) }
    const asked = manager.request(name, options, (lock) => {
      if (lock === null) return resolve(undefined)
      return new Promise<void>((done) => {
        release = done
        resolve({ release: () => release(), lost })
      })
    })
    // Waited too long, or it was taken by force.
    asked.catch(() => {
      lose()
      resolve(undefined)
    })
  })
}
