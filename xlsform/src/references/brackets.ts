interface Bracket {
  isPredicate: boolean
  isIndexed: boolean
  /** Commas met so far, which is the position of the argument being read. */
  argument: number
}

/** The brackets that are open while an expression is read; what is asked of them takes no walk through all of them. */
export class Brackets {
  readonly #open: Bracket[] = []
  readonly #calls: Bracket[] = []
  #predicates = 0

  /** Takes note of `(`, `[`, `indexed-repeat(`, `)`, `]` or `,`; false for any other token. */
  read(token: string): boolean {
    if (token === ',') {
      const innermost = this.#open.at(-1)
      if (innermost !== undefined) innermost.argument += 1
    } else if (token === ')' || token === ']') this.#close()
    else if (token === '[' || token.endsWith('(')) this.#start(token)
    else return false
    return true
  }

  get isInPredicate(): boolean {
    return this.#predicates > 0
  }

  /** The argument of the innermost indexed-repeat; undefined outside of one. */
  get indexedArgument(): number | undefined {
    return this.#calls.at(-1)?.argument
  }

  #start(token: string): void {
    const bracket = { isPredicate: token === '[', isIndexed: token.length > 1, argument: 0 }
    this.#open.push(bracket)
    if (bracket.isIndexed) this.#calls.push(bracket)
    if (bracket.isPredicate) this.#predicates += 1
  }

  #close(): void {
    const closed = this.#open.pop()
    if (closed?.isIndexed === true) this.#calls.pop()
    if (closed?.isPredicate === true) this.#predicates -= 1
  }
}
