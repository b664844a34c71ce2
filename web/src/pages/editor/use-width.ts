// How many panes fit beside each other.
import { computed, onScopeDispose, ref } from 'vue'

const follow = (query: string) => {
  const media = matchMedia(query)
  const matches = ref(media.matches)
  const hear = () => {
    matches.value = media.matches
  }
  media.addEventListener('change', hear)
  onScopeDispose(() => media.removeEventListener('change', hear))
  return matches
}

/** `wide`: sheet, row and form. `medium`: sheet, and one of the others. `narrow`: one at a time. */
export const useWidth = () => {
  const isWide = follow('(min-width: 76rem)')
  const isMedium = follow('(min-width: 50rem)')
  return computed(() => (isWide.value ? 'wide' : isMedium.value ? 'medium' : 'narrow'))
}
