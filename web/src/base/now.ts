// The time, a few times a minute, for all that say how long something is ago.
import { ref } from 'vue'

export const now = ref(Date.now())

/** Seconds are not counted on the page. */
const everyMilliseconds = 20_000

export const startNow = (): void => {
  setInterval(() => {
    if (document.visibilityState === 'visible') now.value = Date.now()
  }, everyMilliseconds)
}
