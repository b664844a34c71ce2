// How many stored answers break a constraint, by each different answer once.
import { type Constraint, keepsConstraint, NotEvaluated, parseConstraint } from '../../formats/plan/index.js'
import type { Database } from '../../platform/db/index.js'
import { type Question, streamAnswers } from './plans.queries.js'

export interface ConstraintCount {
  /** null: it is not evaluated here. */
  readonly breaking: number | null
  readonly reason?: string
}

/** The database refuses a pattern that it does not understand. */
const badPattern = '2201B'

const isBadPattern = (error: unknown): boolean => {
  const { code, cause } = error as { code?: string; cause?: { code?: string } }
  return code === badPattern || cause?.code === badPattern
}

export const countBreaking = async (
  db: Database,
  formId: number,
  question: Question,
  text: string,
  now: Date,
): Promise<ConstraintCount> => {
  try {
    return { breaking: await countOf(db, formId, question, parseConstraint(text), now) }
  } catch (error) {
    if (error instanceof NotEvaluated) return { breaking: null, reason: error.message }
    if (isBadPattern(error)) return { breaking: null, reason: 'Its pattern is not understood here.' }
    throw error
  }
}

/** Only \n ends a line: others may stand in an answer. */
async function* linesOf(stream: AsyncIterable<Buffer>): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  let rest = ''
  for await (const chunk of stream) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n')
    rest = lines.pop() ?? ''
    yield* lines
  }
}

const countOf = async (db: Database, formId: number, question: Question, constraint: Constraint, now: Date) => {
  let breaking = 0
  for await (const line of linesOf(await streamAnswers(db, formId, question, constraint.patterns))) {
    const [answer, count, matches] = JSON.parse(line) as [string, number, boolean[]]
    if (!keepsConstraint(constraint, { text: answer, matches, now })) breaking += count
  }
  return breaking
}
