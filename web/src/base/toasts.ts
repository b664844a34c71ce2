// Short messages at the edge of the page, with a way to take back what was done.
import { shallowRef } from 'vue'

export interface Toast {
  readonly id: number
  readonly kind: 'done' | 'fault' | 'note'
  readonly text: string
  /** Words on the button and what it does. */
  readonly action?: { readonly label: string; readonly run: () => unknown }
}

export const toasts = shallowRef<readonly Toast[]>([])

/** Long enough to read and to reach for "Undo"; a fault stays until it is closed. */
const showMilliseconds = 8000
const most = 4
let last = 0
const timers = new Map<number, ReturnType<typeof setTimeout>>()

export const closeToast = (id: number): void => {
  clearTimeout(timers.get(id))
  timers.delete(id)
  toasts.value = toasts.value.filter((toast) => toast.id !== id)
}

const leaveLater = (id: number) =>
  timers.set(
    id,
    setTimeout(() => closeToast(id), showMilliseconds),
  )

/** While somebody looks at them or has the focus in them, they stay. */
export const holdToasts = (): void => {
  for (const timer of timers.values()) clearTimeout(timer)
}

export const releaseToasts = (): void => {
  for (const { id, kind } of toasts.value) if (kind !== 'fault') leaveLater(id)
}

export const toast = (text: string, options: Partial<Pick<Toast, 'kind' | 'action'>> = {}): number => {
  const id = ++last
  const added: Toast = { id, kind: 'done', text, ...options }
  toasts.value = [...toasts.value, added].slice(-most)
  if (added.kind !== 'fault') leaveLater(id)
  return id
}
