// How many stored answers break a constraint, by each different answer once.
import { setImmediate } from 'node:timers/promises'
import { budgets } from '../../budgets.js'
import {
  type Constraint,
  keepsConstraint,
  linearPatterns,
  NotEvaluated,
  OverBudget,
  parseConstraint,
  type StepMeter,
} from '../../formats/plan/index.js'
import type { Database } from '../../platform/db/index.js'
import { type Question, streamAnswers } from './plans.queries.js'

export interface ConstraintCount {
  /** null: it is not evaluated here. */
  readonly breaking: number | null
  readonly reason?: string
}

/** What all constraints of a plan share. */
export interface Counting {
  readonly now: Date
  readonly meter: StepMeter
}

export const countBreaking = async (
  db: Database,
  formId: number,
  question: Question,
  text: string,
  counting: Counting,
): Promise<ConstraintCount> => {
  try {
    return { breaking: await countOf(db, formId, question, parseConstraint(text), counting) }
  } catch (error) {
    if (error instanceof NotEvaluated) return { breaking: null, reason: error.message }
    throw error
  }
}

/** Only \n ends a line: others may stand in an answer. Each chunk is looked through once, however long a line is. */
async function* linesOf(stream: AsyncIterable<Buffer>): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  let pieces: string[] = []
  for await (const chunk of stream) {
    const [first = '', ...rest] = decoder.decode(chunk, { stream: true }).split('\n')
    pieces.push(first)
    for (const piece of rest) {
      yield pieces.join('')
      pieces = [piece]
    }
  }
}

const countOf = async (
  db: Database,
  formId: number,
  question: Question,
  constraint: Constraint,
  counting: Counting,
): Promise<number> => {
  const patterns = await linearPatterns(constraint.patterns)
  const longest = budgets.expressions.answerCharacters
  let breaking = 0
  let turn = performance.now()
  for await (const line of linesOf(await streamAnswers(db, formId, question, longest))) {
    const [text, count] = JSON.parse(line) as [string | null, number]
    if (text === null) throw new OverBudget(`an answer is longer than ${longest} characters.`)
    if (!keepsConstraint(constraint, { text, patterns, ...counting })) breaking += count
    if (performance.now() - turn < budgets.expressions.turnMs) continue
    await setImmediate()
    turn = performance.now()
  }
  return breaking
}
