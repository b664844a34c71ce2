// Patterns that people write, run by an engine that reads a text once, whatever the pattern. Of three that were measured
// (re2js, re2-wasm, the database) it is the fastest on answers (2 µs each; the second 12 to 30) and the only one that is
// loaded by nobody else (35 ms, 2 MB). The database took 17 s for one pattern of 22 characters.
import { budgets } from '../../budgets.js'
import { NotEvaluated } from './xpath.js'

export interface LinearPattern {
  /** Whether the whole text matches, as devices have it. */
  matches(text: string): boolean
  /** What that takes at most. */
  stepsFor(text: string): number
}

/** Throws NotEvaluated for what the engine does not do, and for what it would make too much of: of all patterns of one
 * constraint together. */
export const linearPatterns = async (sources: readonly string[]): Promise<LinearPattern[]> => {
  if (sources.length === 0) return []
  const sum = (sizes: readonly number[]) => sizes.reduce((total, size) => total + size, 0)
  if (sum(sources.map(({ length }) => length)) > budgets.patterns.characters) {
    throw new NotEvaluated('Its pattern is too long.')
  }
  if (sum(sources.map(expandedSize)) > budgets.patterns.size) throw new NotEvaluated('Its pattern repeats too much.')
  for (const source of sources) {
    if (/\\[1-9]/.test(source)) throw new NotEvaluated('Its pattern refers back to a part of itself.')
    if (/\(\?<?[=!]/.test(source)) throw new NotEvaluated('Its pattern looks ahead or behind.')
  }
  const { RE2JS, RE2JSSyntaxException } = await import('re2js')
  try {
    return sources.map((source) => {
      const pattern = RE2JS.compile(source)
      const size = pattern.programSize()
      return { matches: (text) => pattern.testExact(text), stepsFor: (text) => size * (text.length + 1) }
    })
  } catch (error) {
    if (error instanceof RE2JSSyntaxException) throw new NotEvaluated('Its pattern is not understood here.')
    throw error
  }
}

/** How many characters it comes to when repetitions are written out, as engines do before they look at a text. What is no
 * pattern at all is left to the engine. */
const expandedSize = (source: string): number => {
  const groups: number[] = []
  let [sum, last] = [0, 0]
  const add = (size: number) => {
    sum += last
    last = size
  }
  const part = /\\(?:[pPx]\{[^}]*\}?|.)|\[\^?\]?(?:[^\]\\]|\\.)*\]?|\{(\d+)(?:(,)(\d*))?\}|./gsy
  for (const [text, least, comma, most] of source.matchAll(part)) {
    if (text === '(') {
      add(0)
      groups.push(sum)
      ;[sum, last] = [0, 0]
    } else if (text === ')') {
      const inside = sum + last
      ;[sum, last] = [groups.pop() ?? 0, inside]
    } else if (least !== undefined) {
      last *= Math.max(1, Number(most || least) + (comma !== undefined && most === '' ? 1 : 0))
    } else add(1)
  }
  return sum + last
}
