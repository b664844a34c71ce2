// How much lies in the browser, and how safely.
import { database } from './database'

export interface Storage {
  /** Nothing can be kept at all. */
  readonly keepsNothing: boolean
  /** Pages open without a line. */
  readonly opensOffline: boolean
  /** The browser does not clear it when the disk runs low. */
  readonly isPersistent: boolean
  readonly usedBytes: number | undefined
  readonly freeBytes: number | undefined
}

const manager = (): StorageManager | undefined => globalThis.navigator?.storage

const canKeep = async (): Promise<boolean> => {
  try {
    await database()
    return true
  } catch {
    return false
  }
}

export const lookAtStorage = async (): Promise<Storage> => {
  const [estimate, isPersistent, keeps] = await Promise.all([
    manager()
      ?.estimate?.()
      .catch(() => undefined),
    manager()
      ?.persisted?.()
      .catch(() => false),
    canKeep(),
  ])
  const { usage, quota } = estimate ?? {}
  return {
    keepsNothing: !keeps,
    opensOffline: globalThis.navigator !== undefined && 'serviceWorker' in navigator,
    isPersistent: isPersistent === true,
    usedBytes: usage,
    freeBytes: usage === undefined || quota === undefined ? undefined : Math.max(0, quota - usage),
  }
}

/** When there is something to lose: a browser that asks the person asks at a moment that they understand. */
export const askToKeep = async (): Promise<boolean> => {
  try {
    return (await manager()?.persisted?.()) === true || (await manager()?.persist?.()) === true
  } catch {
    return false
  }
}
