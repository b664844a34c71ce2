// How much a plan may evaluate. Constraints and answers are other people's, so neither may take what all others need.
import { budgets } from '../../budgets.js'
import { NotEvaluated } from './xpath.js'

/** Thrown in place of going on for ever. */
export class OverBudget extends NotEvaluated {
  constructor(reason: string) {
    super(`It could not be judged within its budget: ${reason}`)
  }
}

/** Looking through text is that much faster than a step. */
const charactersPerStep = 16

export class StepMeter {
  #ofAnswer = 0
  #ofPlan = 0

  beginAnswer(): void {
    this.#ofAnswer = 0
  }

  step(count: number): void {
    this.#ofAnswer += count
    this.#ofPlan += count
    const { stepsPerAnswer, stepsPerPlan } = budgets.expressions
    if (this.#ofAnswer > stepsPerAnswer) throw new OverBudget('an answer takes too many steps.')
    if (this.#ofPlan > stepsPerPlan) throw new OverBudget('the answers of the form take too many steps.')
  }

  /** For a walk through so many characters. */
  read(characters: number): void {
    this.step(Math.ceil(characters / charactersPerStep))
  }
}
