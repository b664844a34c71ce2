// What lies in this browser for whoever is here, as it is now.
import { onBeforeUnmount, shallowRef, watch } from 'vue'
import { session } from '@/api/session'
import { countOthers, type Filled, listFilled, onKept, recover, whoIsHere } from '@/fill/keep'

export const useKept = () => {
  const rows = shallowRef<readonly Filled[]>([])
  const others = shallowRef(0)
  const whose = shallowRef('')
  const username = shallowRef('')
  /** It has been looked; before that nothing is said. */
  const isKnown = shallowRef(false)

  const list = async (): Promise<void> => {
    try {
      rows.value = await listFilled(whose.value)
      others.value = await countOthers(whose.value)
    } catch {
      // The browser keeps nothing: there is nothing to list.
    }
  }
  const look = async (): Promise<void> => {
    const person = await whoIsHere()
    whose.value = person.whose
    username.value = person.username
    await recover().catch(() => [])
    await list()
    isKnown.value = true
  }

  watch(session, look, { immediate: true })
  onBeforeUnmount(onKept(() => void list()))
  return { rows, others, whose, username, isKnown }
}
