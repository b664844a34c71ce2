// What only one tab, or the worker, may do at a time. Pages over http to another machine have no locks of the browser: there, tabs
// tell each other.
import { ToldLocks } from './told-locks'

const locks = (): LockManager | undefined => globalThis.navigator?.locks

let made: ToldLocks | undefined
const told = (): ToldLocks => {
  made ??= new ToldLocks(new BroadcastChannel('sheaf-locks'))
  return made
}

/** Waits until nobody else has it. */
export const alone = async (name: string, run: () => Promise<void>): Promise<void> => {
  const manager = locks()
  if (manager !== undefined) return manager.request(name, () => run())
  const held = await told().hold(name, { wait: Number.POSITIVE_INFINITY })
  await run().finally(() => held?.release())
}

export interface Held {
  release(): void
  /** Resolves when somebody else took it by force. */
  readonly lost: Promise<void>
}

/** Held until it is given back. `wait`: how long to wait for it; `byForce`: takes it from whoever has it. */
export const hold = (name: string, how: { wait?: number; byForce?: boolean } = {}): Promise<Held | undefined> => {
  const manager = locks()
  if (manager === undefined) return told().hold(name, how)
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
