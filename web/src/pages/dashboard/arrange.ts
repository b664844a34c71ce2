// The order and width of widgets, and the link that shows some of them to anybody.
import { kindOf, type Widget, widthOf } from '@/api/widgets'

/** The list with one of them at another place; places beyond the ends are the ends. */
export const movedTo = <T>(list: readonly T[], from: number, to: number): T[] => {
  const rest = list.filter((_, place) => place !== from)
  const one = list[from]
  if (one === undefined) return [...list]
  const at = Math.max(0, Math.min(rest.length, to))
  return [...rest.slice(0, at), one, ...rest.slice(at)]
}

export const resized = (widget: Widget, by: 1 | -1): Widget => ({
  ...widget,
  metadata: { ...widget.metadata, width: Math.max(1, Math.min(3, widthOf(widget) + by)) },
})

const keyPattern = /^[0-9a-f]{32}$/
/** As many as a dashboard may have. */
const mostKeys = 100

/** Keys stand behind the #: that part of an address is sent to no server and stands in no log. */
export const publicAddress = (origin: string, widgets: readonly Widget[]): string | undefined => {
  const keys = widgets.flatMap((widget) => (kindOf(widget) !== 'table' && widget.key ? [widget.key] : []))
  return keys.length === 0 ? undefined : `${origin}/public/dashboard#${keys.join('.')}`
}

/** Each once, in their order; what is no key is left out. */
export const keysIn = (hash: string): string[] => [
  ...new Set(
    hash
      .replace(/^#/, '')
      .split('.', mostKeys)
      .filter((key) => keyPattern.test(key)),
  ),
]
