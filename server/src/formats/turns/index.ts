// Long work that lets others in between.
import { setImmediate } from 'node:timers/promises'

const longestTurnMilliseconds = 15

/** Asked now and then by whoever works on: lets others have their turn when this one has taken long. */
export const takingTurns = (): (() => Promise<void>) => {
  let start = performance.now()
  return async () => {
    if (performance.now() - start < longestTurnMilliseconds) return
    await setImmediate()
    start = performance.now()
  }
}
