// Fields that somebody changes while others may, too: only what they changed is sent, so that nothing of others is overwritten.
import { computed, reactive, ref, watch } from 'vue'

/** The fields that differ. */
export const changedFields = <T extends object>(before: T, now: T): Partial<T> =>
  Object.fromEntries(Object.entries(now).filter(([name, value]) => before[name as keyof T] !== value)) as Partial<T>

/** What is typed into fields that come from `source`. What others change meanwhile is shown where nothing was typed. */
export const useChanges = <T extends Record<string, string>>(source: () => T) => {
  const began = ref({ ...source() }) as { value: T }
  const typed = reactive({ ...source() }) as T
  const changes = computed(() => changedFields(began.value, { ...typed }))
  const isChanged = computed(() => Object.keys(changes.value).length > 0)

  /** As the server has it now: nothing is typed any more. */
  const takeOver = (now: T) => {
    began.value = { ...now }
    Object.assign(typed, now)
  }
  watch(source, (now) => {
    const kept = changes.value
    began.value = { ...now }
    Object.assign(typed, now, kept)
  })
  return { typed, changes, isChanged, takeOver }
}
