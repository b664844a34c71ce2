// Keys that do something anywhere on the page. `?` lists them.
import { onBeforeUnmount, shallowRef } from 'vue'

export interface Shortcut {
  /** `?`, `Ctrl K`, or one key after the other: `g h`. */
  readonly keys: string
  /** What it does, in words of the page's language. */
  readonly label: () => string
  readonly run: () => unknown
}

export const shortcuts = shallowRef<readonly Shortcut[]>([])

/** Answers what takes it away again. The last that was added wins. */
export const addShortcut = (shortcut: Shortcut): (() => void) => {
  shortcuts.value = [...shortcuts.value, shortcut]
  return () => {
    shortcuts.value = shortcuts.value.filter((other) => other !== shortcut)
  }
}

/** For as long as the component is on the page. */
export const useShortcut = (keys: string, label: () => string, run: () => unknown): void => {
  onBeforeUnmount(addShortcut({ keys, label, run }))
}

/** How a key that was pressed is written. */
export const written = ({
  key,
  ctrlKey,
  metaKey,
  altKey,
}: Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey'>): string => {
  const name = key.length === 1 && (ctrlKey || metaKey) ? key.toUpperCase() : key
  return `${ctrlKey || metaKey ? 'Ctrl ' : ''}${altKey ? 'Alt ' : ''}${name}`
}

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName))

/** Two keys that belong together come within this time. */
const togetherMilliseconds = 1000

export const startShortcuts = (): void => {
  let before = { key: '', at: 0 }
  addEventListener('keydown', (event) => {
    const key = written(event)
    if (event.defaultPrevented || event.isComposing || (isTyping(event.target) && !key.startsWith('Ctrl '))) return
    // A dialog or a menu has keys of its own.
    const isCovered = document.querySelector('[role="dialog"], [role="menu"]') !== null
    const pair = event.timeStamp - before.at < togetherMilliseconds ? `${before.key} ${key}` : ''
    before = { key, at: event.timeStamp }
    const found = shortcuts.value.findLast(({ keys }) => keys === key || keys === pair)
    if (found === undefined || isCovered) return
    event.preventDefault()
    found.run()
  })
}
