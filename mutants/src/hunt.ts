// Changes one after the other against the tests that reach them.
import type { Attempt, Lab, Result } from './lab.js'
import type { Mutant } from './mutant.js'

export interface Verdict {
  readonly mutant: Mutant
  readonly outcome: 'killed' | 'survived' | 'unreached'
  /** Which test noticed, or how many ran. */
  readonly by: string
}

export interface Prey {
  readonly mutant: Mutant
  /** In the order in which they are tried. */
  readonly tests: readonly string[]
}

/** So many share a process: what one leaves behind there can only hurt so many. */
const together = 12
/** How much longer a test may take that had no time the first time. */
const patience = 4

const verdictOf = ({ mutant, tests }: Prey, results: readonly Result[]): Verdict => {
  const found = results.find(({ hasFailed }) => hasFailed)
  if (found !== undefined) return { mutant, outcome: 'killed', by: `${found.test}: ${found.failure}` }
  const isReached = results.some(({ hits }) => hits > 0)
  return { mutant, outcome: isReached ? 'survived' : 'unreached', by: `${tests.length} test files` }
}

/** A test that had no time may have been kept waiting: by what another change left behind, or by a busy machine. */
const isOfTime = ({ by }: Verdict): boolean => /timed out in \d+ms/.test(by)

export class Hunt {
  readonly #lab: Lab
  readonly #withinMs: (test: string) => number
  readonly #tell: (verdict: Verdict) => void
  readonly verdicts: Verdict[] = []
  isStopped = false

  constructor(lab: Lab, withinMs: (test: string) => number, tell: (verdict: Verdict) => void) {
    this.#lab = lab
    this.#withinMs = withinMs
    this.#tell = tell
  }

  async all(prey: readonly Prey[]): Promise<void> {
    const untested = prey.filter(({ tests }) => tests.length === 0)
    for (const { mutant } of untested) this.#settle({ mutant, outcome: 'unreached', by: 'no test file' })
    const rest = prey.filter(({ tests }) => tests.length > 0)
    const switched = rest.filter(({ mutant }) => !mutant.isAtLoad)
    for (let from = 0; from < switched.length; from += together) await this.#some(switched.slice(from, from + together))
    for (const one of rest.filter(({ mutant }) => mutant.isAtLoad)) await this.#some([one])
  }

  #settle(verdict: Verdict): void {
    this.verdicts.push(verdict)
    this.#tell(verdict)
  }

  #attempts({ mutant, tests }: Prey, times: number): Attempt[] {
    return tests.map((test) => ({ test, mutant: mutant.id, withinMs: this.#withinMs(test) * times }))
  }

  /** In one process; where that comes to its end, whoever was on has brought it about, and the others go on in a new one. */
  async #some(prey: readonly Prey[], times = 1): Promise<void> {
    if (this.isStopped || prey.length === 0) return
    // At the end a test without any change: it shows that nothing stays behind.
    const [first] = prey as [Prey]
    const last: Attempt = { test: first.tests[0] as string, mutant: 0 }
    const results = await this.#lab.run([
      ...prey.flatMap((one) => this.#attempts(one, times)),
      ...(prey.length > 1 ? [last] : []),
    ])
    if (this.isStopped) return
    const isPoisoned = results.some(({ mutant, hasFailed }) => mutant === 0 && hasFailed)
    const isOf = ({ mutant }: Prey) => results.filter((result) => result.mutant === mutant.id)
    const ended = prey.findIndex((one) => isOf(one).length < one.tests.length)
    const done = ended === -1 ? prey : prey.slice(0, ended)
    for (const one of done) {
      const verdict = verdictOf(one, isOf(one))
      // It is evaluated at load after all, by something that is called there.
      if (verdict.outcome === 'unreached' && prey.length > 1) await this.#some([one])
      else if (verdict.outcome === 'killed' && isOfTime(verdict) && times < patience) await this.#some([one], patience)
      else if (verdict.outcome === 'killed' && isPoisoned && prey.length > 1) await this.#some([one])
      else this.#settle(verdict)
    }
    if (ended === -1) return
    const { mutant } = prey[ended] as Prey
    this.#settle({ mutant, outcome: 'killed', by: 'it does not end' })
    await this.#some(prey.slice(ended + 1))
  }
}
