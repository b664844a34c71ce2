// Texts that a workbook holds once and its cells name by number. Those that come again and again alone: what every record has
// for itself would fill the memory and help nobody. It is written last, so that sheets can be written as they come.

/** Longer texts stand in their cells. */
const longest = 200
const most = 30_000
/** So many texts of a column are taken before it is asked whether they come again. */
const trial = 500

/** The texts of one column. */
export class SharedColumn {
  readonly #all: SharedTexts
  #fresh = 0
  #again = 0
  #isGivenUp = false

  constructor(all: SharedTexts) {
    this.#all = all
  }

  /** Undefined: it stands in its cell. */
  numberOf(text: string): number | undefined {
    if (this.#isGivenUp || text.length > longest) return undefined
    const known = this.#all.find(text)
    if (known !== undefined) {
      this.#again++
      return known
    }
    this.#fresh++
    this.#isGivenUp = this.#fresh > trial && this.#again < this.#fresh
    return this.#all.add(text)
  }
}

export class SharedTexts {
  readonly #numbers = new Map<string, number>()

  column(): SharedColumn {
    return new SharedColumn(this)
  }

  find(text: string): number | undefined {
    return this.#numbers.get(text)
  }

  /** Undefined when there is no room for more. */
  add(text: string): number | undefined {
    if (this.#numbers.size >= most) return undefined
    const number = this.#numbers.size
    this.#numbers.set(text, number)
    return number
  }

  /** In the order of their numbers. */
  get all(): Iterable<string> {
    return this.#numbers.keys()
  }
}
