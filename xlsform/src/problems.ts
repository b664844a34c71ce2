import { didYouMean } from './nearest.js'

/** One mistake or oddity, located the way the author sees the workbook: header = row 1. */
export interface Problem {
  /** Stable, for programs: `unknown-type`, `unknown-reference` … */
  code: string
  /** For people: what is wrong and what to do about it. */
  message: string
  sheet: string | null
  row: number | null
  column: string | null
  value: string | null
}

export interface Place {
  sheet?: string | null
  row?: number | null
  column?: string | null
  value?: string | null
}

const maxComparisons = 100_000

/** Gathers problems so that an author sees all of them at once, each only once. */
export class ProblemList {
  readonly items: Problem[] = []
  readonly #seen = new Set<string>()

  add(code: string, message: string, place: Place = {}): void {
    const problem: Problem = {
      code,
      message,
      sheet: place.sheet ?? null,
      row: place.row ?? null,
      column: place.column ?? null,
      value: place.value ?? null,
    }
    const key = JSON.stringify([code, problem.sheet, problem.row, problem.column, message])
    if (this.#seen.has(key)) return
    this.#seen.add(key)
    this.items.push(problem)
  }

  /** ` Did you mean 'age'?` or nothing; nothing, too, once hints have cost as much as a form's whole reading. */
  hint(word: string, known: { size: number; keys(): Iterable<string> }): string {
    return this.mayHint(known.size) ? didYouMean(word, known.keys()) : ''
  }

  /** Whether comparing with so many words is still worth a hint. */
  mayHint(words: number): boolean {
    this.#compared += words
    return this.#compared <= maxComparisons
  }
  #compared = 0

  get isEmpty(): boolean {
    return this.items.length === 0
  }

  /** In the order in which an author walks through the workbook. */
  sorted(): Problem[] {
    return [...this.items].sort((a, b) => sheetRank(a.sheet) - sheetRank(b.sheet) || (a.row ?? 0) - (b.row ?? 0) || 0)
  }
}

const sheetOrder = [null, 'survey', 'choices', 'external_choices', 'osm', 'entities', 'settings']
const sheetRank = (sheet: string | null): number => {
  const rank = sheetOrder.indexOf(sheet)
  return rank === -1 ? sheetOrder.length : rank
}

// For logs; all of them are in `problems`.
const shownProblems = 100

/** Thrown when a form cannot be compiled; `problems` lists every mistake found. */
export class XlsFormError extends Error {
  readonly problems: Problem[]

  constructor(problems: Problem[]) {
    const shown = problems.slice(0, shownProblems).map(formatProblem)
    if (problems.length > shownProblems) shown.push(`… and ${problems.length - shownProblems} more.`)
    super(shown.join('\n'))
    this.name = 'XlsFormError'
    this.problems = problems
  }
}

/** `survey row 5, column relevant: No question is named 'aeg' …` */
export const formatProblem = (problem: Problem): string => {
  const place = [
    problem.sheet === null ? '' : problem.row === null ? problem.sheet : `${problem.sheet} row ${problem.row}`,
    problem.column === null ? '' : `column ${problem.column}`,
  ].filter((part) => part !== '')
  return place.length === 0 ? problem.message : `${place.join(', ')}: ${problem.message}`
}

/** A few cells can ask for gigabytes of XML: long names deep in groups, long texts in every row. */
export const formTooLarge = (): never =>
  fail('form-too-large', 'The form would be larger than clients can read. Shorten names and texts, or split the form.')

/** For the few faults after which nothing more can be read. */
export const fail = (code: string, message: string, place: Place = {}): never => {
  const problems = new ProblemList()
  problems.add(code, message, place)
  throw new XlsFormError(problems.items)
}
