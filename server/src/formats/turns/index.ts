// Long work that lets others in between.
import { setImmediate } from 'node:timers/promises'

const longestTurnMilliseconds = 15

/** One for all who may go on: it is asked for every row of a file. */
const goOn = Promise.resolve()

/** Asked now and then by whoever works on: lets others have their turn when this one has taken long. */
export const takingTurns = (): (() => Promise<void>) => {
  let start = performance.now()
  const letOthersIn = async () => {
    await setImmediate()
    start = performance.now()
  }
  return () => (performance.now() - start < longestTurnMilliseconds ? goOn : letOthersIn())
}
