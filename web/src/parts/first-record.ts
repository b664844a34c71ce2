// An empty form waits for its first record: whoever looks at it sees it come, on every page of the form, without a reload.
import { useQueryCache } from '@pinia/colada'
import { onScopeDispose, watch } from 'vue'
import { type Form, formKey } from '@/api/forms'

const askAgainMilliseconds = 5000

export const useFirstRecord = (formId: () => number, form: () => Form | undefined, ask: () => unknown): void => {
  const cache = useQueryCache()
  const isEmpty = () => form()?.num_of_submissions === 0
  const look = () => {
    if (isEmpty() && document.visibilityState === 'visible') ask()
  }
  const timer = setInterval(look, askAgainMilliseconds)
  onScopeDispose(() => clearInterval(timer))
  // What is kept from the page before may be of a moment ago: too old for the person who has just sent one.
  look()
  // Lists, places and counts were empty, too.
  watch(isEmpty, (now, before) => {
    if (before && !now && form() !== undefined) void cache.invalidateQueries({ key: formKey(formId()) })
  })
}
