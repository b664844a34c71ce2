// One vitest that stays open, on one PostgreSQL: test files are run in it with one change on, or with none.
import { readFileSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Plugin } from 'vite'
import { createVitest, type Reporter, type TestModule, type TestSpecification, type Vitest } from 'vitest/node'
import type { FileMeta } from './worker.js'

export interface Attempt {
  /** From the root of the project, with slashes. */
  readonly test: string
  /** 0 for none. */
  readonly mutant: number
  /** How long one of its tests may take. */
  readonly withinMs?: number
}

export interface Result extends Attempt {
  readonly hasFailed: boolean
  /** What failed, for people. */
  readonly failure: string
  readonly ms: number
  /** Of its longest test. */
  readonly longestMs: number
  readonly hits: number
  readonly marks: Readonly<Record<number, number>>
}

/** A source, by its path from the root, as it is to be run. */
export type Rewrite = (file: string, source: string) => string

const worker = fileURLToPath(new URL('./worker.js', import.meta.url))

const withSlashes = (path: string): string => path.split(sep).join('/')

const rewriting = (root: string, rewrite: Rewrite): Plugin => ({
  name: 'sheaf-mutants',
  enforce: 'pre',
  load(id) {
    const [path = ''] = id.split('?')
    const file = withSlashes(relative(root, path))
    if (!file.startsWith('src/') || !file.endsWith('.ts') || file.endsWith('.test.ts')) return null
    const source = readFileSync(path, 'utf8')
    const rewritten = rewrite(file, source)
    return rewritten === source ? null : { code: rewritten, map: null }
  },
})

/** As they are given: what is worth trying first comes first. */
class Given {
  shard(files: TestSpecification[]): TestSpecification[] {
    return files
  }
  sort(files: TestSpecification[]): TestSpecification[] {
    return files
  }
}

const failureOf = (module: TestModule): string => {
  for (const test of module.children.allTests('failed')) {
    return `${test.fullName}: ${test.result().errors?.[0]?.message ?? ''}`
  }
  return module.errors()[0]?.message ?? ''
}

export class Lab {
  readonly #root: string
  readonly #vitest: Vitest
  readonly #ended: Map<string, Result>

  private constructor(root: string, vitest: Vitest, ended: Map<string, Result>) {
    this.#root = root
    this.#vitest = vitest
    this.#ended = ended
  }

  static async open(root: string, rewrite: Rewrite, onResult: (result: Result) => void = () => {}): Promise<Lab> {
    const ended = new Map<string, Result>()
    const reporter: Reporter = {
      onTestModuleEnd: (module) => {
        const attempt = attemptOf(root, module.moduleId)
        const { hits = 0, marks = {} } = module.meta() as FileMeta
        const ms = module.diagnostic().duration + module.diagnostic().collectDuration
        const longestMs = Math.max(
          0,
          ...[...module.children.allTests()].map((test) => test.diagnostic()?.duration ?? 0),
        )
        const hasFailed = module.state() === 'failed'
        const result = {
          ...attempt,
          hasFailed,
          failure: hasFailed ? failureOf(module) : '',
          ms,
          longestMs,
          hits,
          marks,
        }
        ended.set(keyOf(attempt), result)
        onResult(result)
      },
    }
    const vitest = await createVitest(
      'test',
      {
        root,
        watch: false,
        runner: worker,
        reporters: [reporter],
        // In one process, one after the other: what the files of a change share is loaded once.
        maxWorkers: 1,
        isolate: false,
        passWithNoTests: true,
        sequence: { sequencer: Given },
        // Whatever is printed is about changes that nobody keeps.
        silent: true,
      },
      { plugins: [rewriting(root, rewrite)], logLevel: 'silent' },
    )
    return new Lab(root, vitest, ended)
  }

  /** The paths of all test files. */
  async tests(): Promise<string[]> {
    const found = await this.#vitest.globTestSpecifications()
    return found.map(({ moduleId }) => withSlashes(relative(this.#root, moduleId))).sort()
  }

  /** Runs them in a process of their own, in this order; of one change, nothing more behind the first failure. What was not
   * run because the process came to its end has no result. */
  async run(attempts: readonly Attempt[]): Promise<Result[]> {
    this.#ended.clear()
    const project = this.#vitest.projects[0]
    if (project === undefined) throw new Error('There are no tests')
    const specifications = attempts.map(({ test, mutant, withinMs }) => {
      const query = `?mutant=${mutant}${withinMs === undefined ? '' : `&within=${withinMs}`}`
      return project.createSpecification(join(this.#root, test) + query)
    })
    const { unhandledErrors } = await this.#vitest.runTestSpecifications(specifications)
    const unhandled = new Map(
      unhandledErrors.map((error) => {
        const { VITEST_TEST_PATH: path, message } = error as { VITEST_TEST_PATH?: string; message?: string }
        return [path === undefined ? '' : keyOf(attemptOf(this.#root, path)), message ?? ''] as const
      }),
    )
    return attempts.flatMap((attempt) => {
      const result = this.#ended.get(keyOf(attempt))
      if (result === undefined) return []
      const failure = unhandled.get(keyOf(attempt))
      return failure === undefined ? [result] : [{ ...result, hasFailed: true, failure: result.failure || failure }]
    })
  }

  async close(): Promise<void> {
    await this.#vitest.close()
  }

  async cancel(): Promise<void> {
    await this.#vitest.cancelCurrentRun('keyboard-input')
  }
}

const keyOf = ({ test, mutant }: Attempt): string => `${mutant} ${test}`

const attemptOf = (root: string, moduleId: string): Attempt => {
  const [path = '', query = ''] = moduleId.split('?')
  return { test: withSlashes(relative(root, path)), mutant: Number(/mutant=(\d+)/.exec(query)?.[1] ?? 0) }
}
