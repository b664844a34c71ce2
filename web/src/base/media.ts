// Whether the window is as a media query says, now and when it changes.
import { onScopeDispose, type Ref, ref } from 'vue'

export const followMedia = (query: string): Readonly<Ref<boolean>> => {
  const media = matchMedia(query)
  const matches = ref(media.matches)
  const hear = () => {
    matches.value = media.matches
  }
  media.addEventListener('change', hear)
  onScopeDispose(() => media.removeEventListener('change', hear))
  return matches
}
