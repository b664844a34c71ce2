// A small thing that is remembered on this device, the same in every tab.
import { type Ref, ref, watch } from 'vue'

const read = (key: string): unknown => {
  try {
    const text = localStorage.getItem(key)
    if (text === null) return undefined
    return text.startsWith('{') || text.startsWith('[') ? JSON.parse(text) : text
  } catch {
    return undefined
  }
}

const write = (key: string, value: unknown): void => {
  try {
    localStorage.setItem(key, typeof value === 'string' ? value : JSON.stringify(value))
  } catch {
    // Storage may be full or forbidden: then it is remembered for as long as the page is open.
  }
}

const known = new Map<string, Ref<unknown>>()

/** `isValid` judges what was stored: an older version, or somebody else, may have written it. */
export const kept = <T>(key: string, initial: T, isValid: (value: unknown) => value is T): Ref<T> => {
  const existing = known.get(key)
  if (existing !== undefined) return existing as Ref<T>
  const stored = read(key)
  const value = ref(isValid(stored) ? stored : initial) as Ref<T>
  known.set(key, value as Ref<unknown>)
  watch(value, (now) => write(key, now), { deep: true })
  globalThis.addEventListener?.('storage', (event) => {
    if (event.key !== key) return
    const other = read(key)
    if (isValid(other) && JSON.stringify(other) !== JSON.stringify(value.value)) value.value = other
  })
  return value
}
