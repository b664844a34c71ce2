// Whether a backtracking engine takes linear time for a pattern, whatever the text. It does when no two ways through the
// pattern read the same text again and again: neither from one place back to it (exponential), nor from one loop into
// another (quadratic or worse). Trying again from every character of the text is such a loop too.
import { type Automaton, automatonOf } from './automaton.js'

type Graph = ReadonlyMap<number, readonly number[]>

/** Before any attempt: stays there with every character. */
const outside = -1
/** Behind the end of a line. */
const lineStart = -2

/** Strongly connected parts that have a loop, by their members. */
const loopsOf = (graph: Graph): Map<number, ReadonlySet<number>> => {
  const reach = new Map([...graph.keys()].map((from) => [from, reachable(graph, graph.get(from) ?? [])]))
  const parts = new Map<number, ReadonlySet<number>>()
  for (const [from, reached] of reach) {
    if (reached.has(from)) parts.set(from, new Set([...reached].filter((to) => reach.get(to)?.has(from))))
  }
  return parts
}

const reachable = (graph: Graph, from: readonly number[]): Set<number> => {
  const reached = new Set(from)
  for (const place of reached) for (const next of graph.get(place) ?? []) reached.add(next)
  return reached
}

type Loop = readonly [place: number, around: ReadonlySet<number>]

/** Three walks that read one text. */
interface Walk {
  readonly places: readonly [number, number, number]
  readonly text: string
}

function* triples(firsts: readonly number[], seconds: readonly number[], thirds: readonly number[]) {
  for (const one of firsts) for (const next of seconds) for (const last of thirds) yield [one, next, last] as const
}

class Prover {
  readonly #automaton: Automaton
  /** Without the places after which nothing can fail: an engine does not come back from there. */
  readonly #failing: Graph
  readonly #all: Graph
  readonly #loops: Map<number, ReadonlySet<number>>
  /** Of each place, the letters that lead into it. */
  readonly #masks: ReadonlyMap<number, bigint>
  /** As a reader of tokens walks: from the end of one to the beginning of the next. */
  readonly #tokens: Graph

  constructor(automaton: Automaton) {
    this.#automaton = automaton
    const places = automaton.follow.map((_, place) => place)
    this.#all = new Map(places.map((place) => [place, [...(automaton.follow[place]?.keys() ?? [])]]))
    const isFailing = (place: number) => !automaton.accepting.has(place)
    this.#failing = new Map(
      places.filter(isFailing).map((place) => [place, (this.#all.get(place) ?? []).filter(isFailing)]),
    )
    this.#loops = loopsOf(this.#failing)
    const mask = (letters: Iterable<number>) => [...letters].reduce((sum, letter) => sum | (1n << BigInt(letter)), 0n)
    const { reads, lineEnds } = automaton
    this.#masks = new Map([...reads.map((set, place) => [place, mask(set)] as const), [lineStart, mask(lineEnds)]])
    this.#tokens = new Map(
      places.map((place) => {
        const again = automaton.tokenEnds.has(place) ? automaton.first.keys() : []
        return [place, [...new Set([...(this.#all.get(place) ?? []), ...again])]]
      }),
    )
  }

  /** What grows, as a text that shows it; undefined for a pattern that is linear. */
  fault(): string | undefined {
    return this.#exponential() ?? this.#polynomial()
  }

  #maskOf(place: number): bigint {
    return place === outside ? -1n : (this.#masks.get(place) ?? 0n)
  }

  /** A letter that leads into all of them. */
  #common(one: number, other: number, last = outside): number | undefined {
    const mask = this.#maskOf(one) & this.#maskOf(other) & this.#maskOf(last)
    return mask === 0n ? undefined : [...mask.toString(2)].reverse().indexOf('1')
  }

  #exponential(): string | undefined {
    for (const part of new Set([...this.#loops.values()].map((set) => [...set].join()))) {
      const members = new Set(part.split(',').map(Number))
      for (const from of members) {
        for (const [to, ways] of this.#automaton.follow[from] ?? []) {
          if (ways > 1 && members.has(to)) return 'exponential: a loop within a loop'
        }
      }
      if (this.#isAmbiguous(members)) return 'exponential: two ways round the same loop'
    }
    return undefined
  }

  /** Two walks that part and meet again, on one text, within one loop. */
  #isAmbiguous(members: ReadonlySet<number>): boolean {
    const key = (left: number, right: number) => left * this.#automaton.follow.length + right
    const graph = new Map<number, number[]>()
    const visit = [...members].map((place): [number, number] => [place, place])
    for (const [left, right] of visit) {
      if (graph.has(key(left, right))) continue
      const next: [number, number][] = []
      for (const one of this.#failing.get(left) ?? []) {
        for (const other of this.#failing.get(right) ?? []) {
          if (members.has(one) && members.has(other) && this.#common(one, other) !== undefined) next.push([one, other])
        }
      }
      graph.set(
        key(left, right),
        next.map(([one, other]) => key(one, other)),
      )
      visit.push(...next)
    }
    const isSame = (pair: number) => pair % (this.#automaton.follow.length + 1) === 0
    return [...loopsOf(graph).values()].some((part) => [...part].some(isSame) && ![...part].every(isSame))
  }

  #polynomial(): string | undefined {
    const { isSearched, isSearchedByLine, isAlwaysMatched, isRepeated, tokenEnds, first, accepting } = this.#automaton
    const attempts = this.#growth(this.#failing, this.#loops)
    if (attempts !== undefined || (tokenEnds.size === 0 && !isSearched)) return attempts
    if (tokenEnds.size > 0) {
      // Whoever reads tokens starts again at the end of one.
      return this.#growth(this.#tokens, new Map([...loopsOf(this.#tokens)].filter(([place]) => tokenEnds.has(place))))
    }
    if (isAlwaysMatched && !isRepeated) return undefined
    const begin = [...first.keys()].filter((place) => isRepeated || !accepting.has(place))
    const search = new Map([
      ...(isRepeated ? this.#all : this.#failing),
      ...(isSearchedByLine
        ? ([
            [outside, [outside, lineStart]],
            [lineStart, begin],
          ] as const)
        : ([[outside, [outside, ...begin]]] as const)),
    ])
    return this.#growth(search, new Map([[outside, new Set([outside])]]))
  }

  /** Whether the text of a loop of the graph is read by another loop that the graph leads to, and that may fail. */
  #growth(graph: Graph, loops: ReadonlyMap<number, ReadonlySet<number>>): string | undefined {
    for (const [start, around] of loops) {
      for (const [end, within] of this.#loops) {
        if (start === end || (graph === this.#failing && around.has(end))) continue
        const text = this.#textInto(graph, [start, around], [end, within])
        if (text !== undefined) return `polynomial: ${JSON.stringify(text)} again and again`
      }
    }
    return undefined
  }

  /** A text that leads from the start back to it, from the start to the end, and from the end back to it. */
  #textInto(graph: Graph, [start, around]: Loop, [end, within]: Loop): string | undefined {
    const seen = new Set<string>()
    const queue: Walk[] = [{ places: [start, start, end], text: '' }]
    for (const walk of queue) {
      for (const next of this.#onward(graph, walk, around, within)) {
        const key = next.places.join()
        if (key === `${start},${end},${end}`) return next.text
        if (!seen.has(key)) queue.push(next)
        seen.add(key)
      }
    }
    return undefined
  }

  *#onward(graph: Graph, { places, text }: Walk, around: ReadonlySet<number>, within: ReadonlySet<number>) {
    const [first, second, third] = places
    const firsts = (graph.get(first) ?? []).filter((place) => around.has(place))
    const thirds = (this.#failing.get(third) ?? []).filter((place) => within.has(place))
    for (const [one, next, last] of triples(firsts, graph.get(second) ?? [], thirds)) {
      const letter = this.#common(one, next, last)
      if (letter !== undefined) {
        yield { places: [one, next, last], text: text + this.#automaton.letters[letter] } satisfies Walk as Walk
      }
    }
  }
}

/** Why a pattern is not linear; undefined for one that is. Throws Unprovable where it cannot tell. */
export const growthOf = (source: string, flags: string): string | undefined =>
  new Prover(automatonOf(source, flags)).fault()
