// Whether the server is reached, and whether it is slow. Browsers believe to be online on every network, so what counts is what
// became of the last call.
import { ref } from 'vue'

export const isOffline = ref(false)
export const isSlow = ref(false)

/** Calls that take longer make the connection a slow one, in words on the page. */
const slowAfterMilliseconds = 6000
const askAgainMilliseconds = 5000

const waiting = new Set<object>()
const whenBack = new Set<() => void>()
let timer: ReturnType<typeof setTimeout> | undefined

const isThere = async (): Promise<boolean> => {
  try {
    await fetch('/healthz', { cache: 'no-store', signal: AbortSignal.timeout(askAgainMilliseconds) })
    return true
  } catch {
    return false
  }
}

const lookAgain = async (): Promise<void> => {
  clearTimeout(timer)
  if (!isOffline.value) return
  if (await isThere()) reached()
  else timer = setTimeout(lookAgain, askAgainMilliseconds)
}

export const reached = (): void => {
  if (!isOffline.value) return
  isOffline.value = false
  for (const tell of whenBack) tell()
}

export const lost = (): void => {
  if (isOffline.value) return
  isOffline.value = true
  timer = setTimeout(lookAgain, askAgainMilliseconds)
}

/** Called each time the server is reached again. */
export const onBack = (tell: () => void): (() => void) => {
  whenBack.add(tell)
  return () => whenBack.delete(tell)
}

/** Looks at one call for as long as it takes. */
export const watchSlowness = async <T>(call: Promise<T>): Promise<T> => {
  const mark = {}
  const late = setTimeout(() => {
    waiting.add(mark)
    isSlow.value = true
  }, slowAfterMilliseconds)
  try {
    return await call
  } finally {
    clearTimeout(late)
    waiting.delete(mark)
    isSlow.value = waiting.size > 0
  }
}

export const startConnection = (): void => {
  addEventListener('online', () => void lookAgain())
  addEventListener('offline', lost)
}
