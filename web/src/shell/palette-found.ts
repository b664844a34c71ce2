// What the sources of the palette find for what is typed. Those that ask the server wait for a short rest, and stop when it is
// typed on.
import { type Ref, ref, shallowRef, watch } from 'vue'
import { isSignedIn } from '@/api'
import { matching, type PaletteEntry, type PaletteSource, paletteSources } from '@/parts/palette'

export interface FoundGroup {
  readonly name: string
  readonly label: string
  readonly entries: readonly PaletteEntry[]
}

const restMilliseconds = 150
const mostOfAGroup = 8

const findIn = async (source: PaletteSource, text: string, signal: AbortSignal): Promise<FoundGroup> => {
  const found = await Promise.resolve(source.find(text, signal)).catch(() => [])
  const entries = (source.isRemote ? found : matching(found, text)).slice(0, mostOfAGroup)
  return { name: source.name, label: source.label(), entries }
}

export const useFound = (typed: Ref<string>, isOpen: Ref<boolean>) => {
  const groups = shallowRef<readonly FoundGroup[]>([])
  const isSearching = ref(false)
  let under = new AbortController()
  let rest: ReturnType<typeof setTimeout> | undefined

  const find = async (text: string) => {
    under.abort()
    under = new AbortController()
    const { signal } = under
    const sources = paletteSources.value.filter(({ forAnyone }) => forAnyone === true || isSignedIn.value)
    const found = new Map<string, FoundGroup>()
    isSearching.value = true
    // Each is shown as it comes, in the order of the sources.
    const show = () => {
      groups.value = sources.flatMap(({ name }) => found.get(name) ?? []).filter(({ entries }) => entries.length > 0)
    }
    await Promise.all(
      sources.map(async (source) => {
        const group = await findIn(source, text, signal)
        if (signal.aborted) return
        found.set(source.name, group)
        // What was found before stays until there is something else.
        if (group.entries.length > 0) show()
      }),
    )
    if (signal.aborted) return
    show()
    isSearching.value = false
  }

  watch(
    [typed, isOpen],
    ([text, open]) => {
      clearTimeout(rest)
      if (!open) under.abort()
      else if (text === '') void find('')
      else rest = setTimeout(() => void find(text.trim()), restMilliseconds)
    },
    { immediate: true },
  )

  return { groups, isSearching }
}
