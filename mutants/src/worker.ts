// Runs in the processes that run tests. A test file is asked for with the number of the change that is on while it runs,
// as a part of its name, so that it can be run again and again beside what it has loaded.
import { Worker } from 'node:worker_threads'
import { type RunnerTask, type RunnerTestFile, type RunnerTestSuite, TestRunner } from 'vitest'
import { stateName } from './state-name.js'

export interface FileMeta {
  /** How often the change was reached. */
  hits?: number
  /** Number of a mark → how often it was passed. */
  marks?: Record<number, number>
}

/** A test that takes longer than this by a change that runs without end, without ever giving way, ends with its process. */
const silentMs = 60_000
const longestMs = 45_000

class State {
  on = 0
  hits = 0
  marks = new Map<number, number>()
  #since = performance.now()

  begin(on: number): void {
    this.on = on
    this.hits = 0
    this.marks = new Map()
    this.#since = performance.now()
  }

  isOn(id: number): boolean {
    if (id !== this.on) return false
    this.hits += 1
    // A loop that the change keeps from ending passes here each time.
    if (this.hits % 4096 === 0 && performance.now() - this.#since > longestMs) throw new Error('This does not end')
    return true
  }

  mark(id: number): void {
    this.marks.set(id, (this.marks.get(id) ?? 0) + 1)
  }
}

/** Ends the process when it has not come to itself for long. */
const watch = (): void => {
  const beat = new Int32Array(new SharedArrayBuffer(4))
  setInterval(() => Atomics.add(beat, 0, 1), 1000).unref()
  const code = `
    const { workerData: beat } = require('node:worker_threads')
    let last = -1
    setInterval(() => {
      const now = Atomics.load(beat, 0)
      if (now === last) process.kill(process.pid, 'SIGKILL')
      last = now
    }, ${silentMs})`
  new Worker(code, { eval: true, workerData: beat }).unref()
}

const global = globalThis as unknown as Record<string, State | undefined>

const stateOf = (): State => {
  const present = global[stateName]
  if (present !== undefined) return present
  watch()
  const made = new State()
  global[stateName] = made
  return made
}

const numberIn = (file: string, name: string): number | undefined => {
  const found = new RegExp(`[?&]${name}=(\\d+)`).exec(file)?.[1]
  return found === undefined ? undefined : Number(found)
}

export default class extends TestRunner {
  readonly #state = stateOf()
  readonly #usualTimeout = this.config.testTimeout
  /** Changes that a test has found: nothing more is asked of them. */
  readonly #found = new Set<number>()

  #isFound(): boolean {
    return this.#state.on !== 0 && this.#found.has(this.#state.on)
  }

  override importFile(file: string, source: 'collect' | 'setup'): unknown {
    if (source === 'collect') {
      this.#state.begin(numberIn(file, 'mutant') ?? 0)
      this.config.testTimeout = numberIn(file, 'within') ?? this.#usualTimeout
    }
    return this.#isFound() ? undefined : super.importFile(file, source)
  }

  override async onBeforeRunTask(test: RunnerTask): Promise<void> {
    if (this.#isFound()) test.mode = 'skip'
    await super.onBeforeRunTask(test)
  }

  override async onBeforeRunSuite(suite: RunnerTestSuite): Promise<void> {
    if (this.#isFound() && !('filepath' in suite)) suite.mode = 'skip'
    await super.onBeforeRunSuite(suite)
  }

  override onAfterRunTask(test: RunnerTask): void {
    if (test.result?.state === 'fail') this.#found.add(this.#state.on)
    super.onAfterRunTask(test)
  }

  override async onAfterRunSuite(suite: RunnerTestSuite): Promise<void> {
    if (suite.result?.state === 'fail') this.#found.add(this.#state.on)
    if ('filepath' in suite) {
      const meta = (suite as RunnerTestFile).meta as FileMeta
      meta.hits = this.#state.hits
      if (this.#state.on === 0) meta.marks = Object.fromEntries(this.#state.marks)
    }
    await super.onAfterRunSuite(suite)
  }
}
