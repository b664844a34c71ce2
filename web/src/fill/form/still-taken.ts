// Whether a link or a key still takes what is being typed. It is asked now and then, when somebody comes back to the page and when
// the line is back, so that nobody types on for nothing.
import { onBeforeUnmount, shallowRef } from 'vue'
import { askWhetherTaken, FormRefused, type KeptForm } from '../keep'
import { isByKey } from '../keep/form-fetching'
import { type Refusal, refusalOf } from './opening'

const pauseMilliseconds = 60_000

/** Undefined as long as it does. */
export const useEnd = (form: KeptForm) => {
  const end = shallowRef<Refusal>()
  if (!isByKey(form.door)) return end
  const look = async (): Promise<void> => {
    if (document.visibilityState === 'hidden') return
    try {
      await askWhetherTaken(form)
      end.value = undefined
    } catch (error) {
      // Without an answer nothing is known.
      if (error instanceof FormRefused) end.value = refusalOf(error, { kind: 'link', token: '' }, '')
    }
  }
  const hear = (): void => void look()
  const timer = setInterval(hear, pauseMilliseconds)
  document.addEventListener('visibilitychange', hear)
  addEventListener('online', hear)
  onBeforeUnmount(() => {
    clearInterval(timer)
    document.removeEventListener('visibilitychange', hear)
    removeEventListener('online', hear)
  })
  return end
}
