// What `Ctrl K` finds. Sources are added by pages: in their `routes.ts` for what is found from everywhere, or by
// `usePaletteSource` for as long as a page is open.
import { onBeforeUnmount, shallowRef } from 'vue'
import type { RouteLocationRaw } from 'vue-router'
import type { Glyph } from '@/look/icons'

export interface PaletteEntry {
  readonly id: string
  readonly label: string
  readonly about?: string
  readonly icon?: Glyph
  readonly to?: RouteLocationRaw
  readonly run?: () => unknown
}

export interface PaletteSource {
  readonly name: string
  /** The heading over what it finds. */
  readonly label: () => string
  /** Whether it searches by itself: then it is asked for every text, after a short rest. Otherwise its entries are searched here. */
  readonly isRemote?: boolean
  /** True where it has something for people who are not signed in, too. */
  readonly forAnyone?: boolean
  /** What can be done with things stands below the things: whoever types a name and presses Enter means the thing. */
  readonly isLast?: boolean
  readonly find: (text: string, signal: AbortSignal) => readonly PaletteEntry[] | Promise<readonly PaletteEntry[]>
}

export const paletteSources = shallowRef<readonly PaletteSource[]>([])
export const isPaletteOpen = shallowRef(false)

export const addPaletteSource = (source: PaletteSource): (() => void) => {
  const others = paletteSources.value.filter(({ name }) => name !== source.name)
  paletteSources.value = [...others, source].sort((a, b) => Number(a.isLast ?? false) - Number(b.isLast ?? false))
  return () => {
    paletteSources.value = paletteSources.value.filter((other) => other !== source)
  }
}

export const usePaletteSource = (source: PaletteSource): void => {
  onBeforeUnmount(addPaletteSource(source))
}

/** Entries in which every word of the text occurs; those that begin with it first. */
export const matching = (entries: readonly PaletteEntry[], text: string): readonly PaletteEntry[] => {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean)
  const isFound = ({ label, about }: PaletteEntry) => {
    const all = `${label} ${about ?? ''}`.toLowerCase()
    return words.every((word) => all.includes(word))
  }
  const begins = ({ label }: PaletteEntry) => (label.toLowerCase().startsWith(words[0] ?? '') ? 0 : 1)
  return entries.filter(isFound).sort((a, b) => begins(a) - begins(b))
}
