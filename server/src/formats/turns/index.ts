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

/** Work of several steps, which yields where others may have a turn. */
export type Turns<T> = Generator<undefined, T>

/** All of it, with others in between. */
export const inTurns = async <T>(work: Turns<T>): Promise<T> => {
  const pause = takingTurns()
  for (;;) {
    const step = work.next()
    if (step.done === true) return step.value
    await pause()
  }
}

/** All of it now: for work that is known to be short. */
export const atOnce = <T>(work: Turns<T>): T => {
  for (;;) {
    const step = work.next()
    if (step.done === true) return step.value
  }
}
