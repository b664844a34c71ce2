// Jobs of some kinds wait for somebody else: mails for the mail server. If it lets them wait, they would take every place,
// and no export, import or picture would be made. Others take very long, as exports and imports of a million records: those
// of four accounts would let no mail through for an hour. So only a few of a kind are in hand at once; the rest is left in
// the queue, and other jobs pass by.
import type { WorkerEvents } from 'graphile-worker'

export type Kind = 'mail' | 'long'

interface Asker {
  readonly workerId: string
}

/** A worker asks for flags that it shall leave alone, then for a job, and gets one or none. Until it is known what it got,
 * a worker that may take such a job counts as one that has. */
export class FewAtOnce {
  readonly #kind: Kind
  readonly #most: number
  /** Whether those who asked for flags, and not yet for a job, may take one; in their order. */
  readonly #asked: boolean[] = []
  readonly #holding = new Set<string>()

  constructor(kind: Kind, most: number) {
    this.#kind = kind
    this.#most = most
  }

  /** What the next worker that asks leaves alone. */
  readonly forbiddenFlags = (): string[] => {
    const mayTake = this.#holding.size + this.#asked.filter(Boolean).length < this.#most
    this.#asked.push(mayTake)
    return mayTake ? [] : [this.#kind]
  }

  follow(events: WorkerEvents): void {
    const letGo = ({ worker }: { worker: Asker }) => void this.#holding.delete(worker.workerId)
    events.on('worker:getJob:start', ({ worker }) => {
      if (this.#asked.shift()) this.#holding.add(worker.workerId)
    })
    events.on('worker:getJob:empty', letGo)
    events.on('worker:getJob:error', letGo)
    events.on('job:start', ({ worker, job }) => {
      if (job.flags?.[this.#kind] !== true) letGo({ worker })
    })
    events.on('job:complete', letGo)
  }
}
