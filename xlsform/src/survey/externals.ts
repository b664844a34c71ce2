import type { ChoiceList } from '../choices/choice-lists.js'
import type { ProblemList } from '../problems.js'
import type { Source } from './node.js'

interface External {
  id: string
  src: string
  place: Source
}

/** Secondary instances that come from files, in the order in which the rows name them. */
export class Externals {
  readonly #byId = new Map<string, External>()
  readonly #problems: ProblemList

  constructor(problems: ProblemList) {
    this.#problems = problems
  }

  add(id: string, src: string, place: Source): void {
    const earlier = this.#byId.get(id)
    if (earlier === undefined) this.#byId.set(id, { id, src, place })
    else if (earlier.src !== src)
      this.#problems.add(
        'two-sources',
        `'${id}' stands for two files: ${fileOf(earlier.src)} (row ${earlier.place.row}) and ${fileOf(src)}. Rename one of them.`,
        { ...place, value: place.text },
      )
  }

  /** The last saved record is an instance of its own, so nothing else may have its id. */
  checkLastSaved(id: string, src: string): void {
    const earlier = this.#byId.get(id)
    if (earlier !== undefined) this.add(id, src, earlier.place)
  }

  has(id: string): boolean {
    return this.#byId.has(id)
  }

  list(): External[] {
    return [...this.#byId.values()]
  }

  /** A choice list and a file cannot both be the instance of one id. */
  checkAgainst(lists: ReadonlyMap<string, ChoiceList>): void {
    for (const { id, src, place } of this.#byId.values()) {
      const list = lists.get(id)
      if (list !== undefined && (list.searchRow === null || list.instanceRow !== null || list.isRead))
        this.#problems.add(
          'two-sources',
          `'${id}' stands for a list on the choices sheet and for the file ${fileOf(src)}. Rename one of them.`,
          { ...place, value: place.text },
        )
    }
  }
}

const fileOf = (src: string): string => src.slice(src.lastIndexOf('/') + 1)
