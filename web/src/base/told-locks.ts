// Locks for pages that the browser gives none to (http to another machine): tabs tell each other what they have. A tab that is asleep
// does not answer, so whoever changes something there also looks whether it is still as they left it.
import type { Held } from './locks'

interface Word {
  readonly kind: 'wants' | 'has' | 'takes'
  readonly name: string
  /** Of two that want it in the same moment the lower one has it. */
  readonly rank: number
}

interface Claim {
  readonly rank: number
  isHeld: boolean
  isRefused: boolean
  readonly lose: () => void
}

/** As much of a `BroadcastChannel` as is needed. */
export interface Channel {
  postMessage(word: Word): void
  addEventListener(kind: 'message', hear: (event: { readonly data: unknown }) => void): void
}

/** Below all that is wanted. */
const heldRank = -1

/** In which a tab that is awake has answered. */
const answerMilliseconds = 200

const pause = (milliseconds: number): Promise<void> => new Promise((done) => setTimeout(done, milliseconds))

const isWord = (value: unknown): value is Word => typeof value === 'object' && value !== null && 'rank' in value

export class ToldLocks {
  readonly #channel: Channel
  readonly #claims = new Map<string, Claim>()

  constructor(channel: Channel) {
    this.#channel = channel
    channel.addEventListener('message', ({ data }) => {
      if (isWord(data)) this.#hear(data)
    })
  }

  #hear({ kind, name, rank }: Word): void {
    const claim = this.#claims.get(name)
    if (claim === undefined) return
    if (kind === 'takes') {
      this.#claims.delete(name)
      claim.isRefused = true
      claim.lose()
    } else if (kind === 'wants' && (claim.isHeld || claim.rank < rank)) {
      this.#channel.postMessage({ kind: 'has', name, rank: claim.isHeld ? heldRank : claim.rank })
    } else if (!claim.isHeld && rank < claim.rank) claim.isRefused = true
  }

  async #claim(name: string, byForce: boolean): Promise<Held | undefined> {
    const rank = Math.random()
    const own: Word = { kind: 'takes', name, rank }
    if (byForce) this.#hear(own)
    if (this.#claims.has(name)) return undefined
    let lose = (): void => undefined
    const lost = new Promise<void>((done) => {
      lose = done
    })
    const claim: Claim = { rank, isHeld: byForce, isRefused: false, lose }
    this.#claims.set(name, claim)
    const release = (): void => {
      if (this.#claims.get(name) === claim) this.#claims.delete(name)
    }
    this.#channel.postMessage(byForce ? own : { ...own, kind: 'wants' })
    if (!byForce) await pause(answerMilliseconds)
    if (claim.isRefused) {
      release()
      return undefined
    }
    claim.isHeld = true
    return { release, lost }
  }

  async hold(name: string, { wait = 0, byForce = false } = {}): Promise<Held | undefined> {
    const until = performance.now() + wait
    for (;;) {
      const held = await this.#claim(name, byForce)
      if (held !== undefined || performance.now() >= until) return held
      await pause(answerMilliseconds)
    }
  }
}
