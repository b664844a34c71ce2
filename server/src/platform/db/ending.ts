// That something is to end, for whoever works on it. As AbortController and AbortSignal in one, of which each takes 20 µs: there
// is one for every statement of somebody who reads.

/** What is asked of a signal; an AbortSignal is one too. */
export interface Signal {
  readonly aborted: boolean
  readonly reason: unknown
  throwIfAborted(): void
  addEventListener(kind: 'abort', listener: () => void): void
  removeEventListener(kind: 'abort', listener: () => void): void
}

export class Ending implements Signal {
  reason: unknown
  #isAborted = false
  #listeners: (() => void)[] = []

  get aborted(): boolean {
    return this.#isAborted
  }

  /** The first reason counts. */
  abort(reason: unknown): void {
    if (this.#isAborted) return
    this.#isAborted = true
    this.reason = reason
    const listeners = this.#listeners
    this.#listeners = []
    for (const listener of listeners) listener()
  }

  throwIfAborted(): void {
    if (this.#isAborted) throw this.reason
  }

  addEventListener(_kind: 'abort', listener: () => void): void {
    this.#listeners.push(listener)
  }

  removeEventListener(_kind: 'abort', listener: () => void): void {
    this.#listeners = this.#listeners.filter((other) => other !== listener)
  }
}
