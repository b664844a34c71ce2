// How many panes fit beside each other.
import { computed } from 'vue'
import { followMedia } from '@/base/media'

/** `wide`: sheet, row and form. `medium`: sheet, and one of the others. `narrow`: one at a time. */
export const useWidth = () => {
  const isWide = followMedia('(min-width: 76rem)')
  const isMedium = followMedia('(min-width: 50rem)')
  return computed(() => (isWide.value ? 'wide' : isMedium.value ? 'medium' : 'narrow'))
}
