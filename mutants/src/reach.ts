// Which test file comes to which function, how often, and how long it takes: recorded once, kept beside what is installed.
import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { functionsOf, withMarks } from './instrument.js'
import { Lab, type Result } from './lab.js'
import type { Mutant } from './mutant.js'

interface Reached {
  /** Of the source as it was. */
  readonly hash: string
  /** Number of the function within its file → how often it was called. */
  readonly calls: Readonly<Record<number, number>>
}

interface Recorded {
  readonly hash: string
  readonly ms: number
  readonly longestMs: number
  /** Empty when nothing did. */
  readonly failure: string
  readonly files: Readonly<Record<string, Reached>>
}

type Kept = Record<string, Recorded>

const leastMs = 5_000

const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 12)

const readKept = (path: string): Kept => {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as Kept
  } catch {
    return {}
  }
}

export interface Choice {
  readonly test: string
  readonly ms: number
}

export class Reach {
  readonly #root: string
  readonly #path: string
  readonly #kept: Kept

  constructor(root: string) {
    this.#root = root
    this.#path = join(root, 'node_modules/.cache/sheaf-mutants/reach.json')
    this.#kept = readKept(this.#path)
  }

  #hashOfTest(test: string): string {
    return hashOf(readFileSync(join(this.#root, test), 'utf8'))
  }

  /** Those that are new or have changed since. */
  missing(tests: readonly string[]): string[] {
    return tests.filter((test) => this.#kept[test]?.hash !== this.#hashOfTest(test))
  }

  async record(tests: readonly string[], signal: AbortSignal, onTest: () => void): Promise<void> {
    const firsts: { first: number; file: string; hash: string }[] = []
    let next = 1
    const rewrite = (file: string, source: string) => {
      const first = next
      next += functionsOf(file, source).length
      firsts.push({ first, file, hash: hashOf(source) })
      return withMarks(file, source, first)
    }
    const lab = await Lab.open(this.#root, rewrite, onTest)
    signal.addEventListener('abort', () => void lab.cancel())
    try {
      // Some at a time, so that an end in between loses little.
      for (let from = 0; from < tests.length; from += 20) {
        if (signal.aborted) return
        const part = tests.slice(from, from + 20)
        for (const result of await lab.run(part.map((test) => ({ test, mutant: 0 })))) this.#keep(result, firsts)
        this.#write()
      }
    } finally {
      await lab.close()
    }
  }

  #keep(result: Result, firsts: readonly { first: number; file: string; hash: string }[]): void {
    const files: Record<string, { hash: string; calls: Record<number, number> }> = {}
    for (const [mark, count] of Object.entries(result.marks)) {
      const found = firsts.findLast(({ first }) => first <= Number(mark))
      if (found === undefined) continue
      files[found.file] ??= { hash: found.hash, calls: {} }
      const { calls } = files[found.file] as { calls: Record<number, number> }
      calls[Number(mark) - found.first] = count
    }
    const { test, ms, longestMs, hasFailed, failure } = result
    const kept = { hash: this.#hashOfTest(test), ms: Math.round(ms), longestMs: Math.round(longestMs), files }
    this.#kept[test] = { ...kept, failure: hasFailed ? failure || 'it fails' : '' }
  }

  #write(): void {
    mkdirSync(dirname(this.#path), { recursive: true })
    writeFileSync(this.#path, JSON.stringify(this.#kept))
  }

  /** A test that fails by itself says nothing of a change. */
  failing(tests: readonly string[]): { test: string; failure: string }[] {
    return tests
      .map((test) => ({ test, failure: this.#kept[test]?.failure ?? '' }))
      .filter(({ failure }) => failure !== '')
  }

  msOf(test: string): number {
    return this.#kept[test]?.ms ?? 0
  }

  /** A test that takes several times as long as it ever did is not waited for. */
  withinMs(test: string): number {
    return leastMs + 4 * (this.#kept[test]?.longestMs ?? 0)
  }

  /** Tests that come to where a change is: those that come there most for their time first. */
  reaching(mutant: Mutant, source: string, tests: readonly string[]): Choice[] {
    const innermost = functionsOf(mutant.file, source)
      .map(({ start, end }, ordinal) => ({ start, end, ordinal }))
      .filter(({ start, end }) => start <= mutant.start && mutant.end <= end)
      .at(-1)
    const hash = hashOf(source)
    const worth = (test: string): number => {
      const recorded = this.#kept[test]
      const reached = recorded?.files[mutant.file]
      if (recorded === undefined || reached === undefined || recorded.failure !== '') return 0
      // What is evaluated at load, or has changed since: every test that calls anything of the file.
      const isKnown = innermost !== undefined && !mutant.isAtLoad && reached.hash === hash
      const calls = isKnown ? (reached.calls[innermost.ordinal] ?? 0) : Object.keys(reached.calls).length
      return Math.log2(1 + calls) / Math.max(recorded.ms, 50)
    }
    return tests
      .map((test) => ({ test, ms: this.msOf(test), worth: worth(test) }))
      .filter((one) => one.worth > 0)
      .sort((a, b) => b.worth - a.worth)
  }
}
