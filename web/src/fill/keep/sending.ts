// When to send: at once, when the page is opened, when the line is back, when somebody looks, after a pause, and by the browser
// itself where it offers that (Background Sync).
import { find, forgetPast, markSent, Overtaken, settleArrived, update } from './filled'
import type { Keeper } from './keeper'
import { marks } from './marks'
import { onKept, tellChanged } from './news'
import { nextAttempt, sendUnkept, sendWaiting } from './sender'
import { askToKeep } from './storage'
import { syncTag } from './sync-tag'
import type { Answers, Filled } from './types'

interface Syncing extends ServiceWorkerRegistration {
  readonly sync?: { register(tag: string): Promise<void> }
}

/** The browser wakes the worker when there is a line, also after this page was closed. */
const askForSync = async (): Promise<void> => {
  try {
    const registration = (await globalThis.navigator?.serviceWorker?.getRegistration()) as Syncing | undefined
    await registration?.sync?.register(syncTag)
  } catch {
    // Not in this browser, or not allowed: the page sends.
  }
}

let timer: ReturnType<typeof setTimeout> | undefined

const planNext = async (): Promise<void> => {
  const wait = await nextAttempt().catch(() => undefined)
  clearTimeout(timer)
  if (wait !== undefined) timer = setTimeout(() => void attempt(), Math.max(1000, wait))
}

/** What comes while one is under way waits for it once, however often it comes. */
let running: Promise<void> | undefined
let next: Promise<void> | undefined

const run = async (isWoken: boolean): Promise<void> => {
  try {
    await sendWaiting({ isWoken })
  } catch {
    // The browser keeps nothing: there is nothing to send from.
  } finally {
    running = undefined
    await planNext()
  }
}

const attempt = (isWoken = false): Promise<void> => {
  if (running === undefined) {
    running = run(isWoken)
    return running
  }
  next ??= running.then(() => {
    next = undefined
    return attempt(isWoken)
  })
  return next
}

/** These, or everything that is not a draft, whatever became of it before. */
export const sendNow = async (ids?: readonly string[]): Promise<void> => {
  const again = ({ state, ...now }: Filled): Filled | undefined =>
    state === 'refused' || state === 'unsigned' || state === 'waiting'
      ? { ...now, state: 'waiting', nextAt: 0, notBefore: 0 }
      : undefined
  for (const id of ids ?? []) await update(id, again)
  tellChanged()
  await attempt(true)
}

export interface Finished {
  readonly id: string
  /** It did not fit into the browser, and went straight to the server. */
  readonly isUnkept: boolean
  /** What became of it; undefined where it is not known any more. */
  readonly sent: Promise<Filled | undefined>
}

/** Finished by the person: kept first, then sent. Throws where it could neither be kept nor sent; the form stays as it is, and the
 * keeper knows whether it may have arrived all the same. */
export const finish = async (keeper: Keeper, answers: Answers): Promise<Finished> => {
  try {
    const { id } = await keeper.finish(answers)
    void askToKeep()
    void askForSync()
    return { id, isUnkept: false, sent: attempt(true).then(() => find(id)) }
  } catch (error) {
    // Under its one id, what another tab has gone on with would be lost behind it.
    if (error instanceof Overtaken) throw error
    const row = await sendUnkept(keeper.unkept(answers), answers.files)
    if (row !== undefined) keeper.wasTried(row)
    if (row?.state !== 'sent') throw error
    keeper.drop()
    await markSent(row).catch(() => undefined)
    return { id: row.id, isUnkept: true, sent: Promise.resolve(row) }
  }
}

let isStarted = false

/** Once a page. */
export const startSending = (): void => {
  if (isStarted) return
  isStarted = true
  addEventListener('online', () => void attempt(true))
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'visible') void attempt(true)
  })
  onKept(() => void planNext())
  void attempt(true)
  void settleArrived()
    .then(() => forgetPast())
    .catch(() => undefined)
  marks.forgetPast()
}
