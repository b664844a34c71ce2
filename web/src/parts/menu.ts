import type { RouteLocationRaw } from 'vue-router'
import type { Glyph } from '@/look/icons'

/** One line of a menu: an action (`run`), a link (`to`, `href`), a heading or a line between groups. */
export interface MenuItem {
  readonly kind?: 'item' | 'heading' | 'line'
  readonly label?: string
  readonly icon?: Glyph
  readonly run?: () => unknown
  readonly to?: RouteLocationRaw
  readonly href?: string
  readonly danger?: boolean
  readonly disabled?: boolean
  /** One of several, of which this is the chosen one. */
  readonly checked?: boolean
  /** The menu stays open: it says what the others do. */
  readonly stays?: boolean
  /** A shortcut, to be learned by the way. */
  readonly keys?: string
  /** The language of its words where it is another than the page's. */
  readonly lang?: string
}
