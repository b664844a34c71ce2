// A pattern as an automaton of its characters: which of them may follow which, and in how many ways. What a backtracking
// engine does is a walk through it, so how its work grows can be read from it.
import { type AST, RegExpParser } from '@eslint-community/regexpp'

/** Thrown for a pattern that says more than can be proved here. */
class Unprovable extends Error {}

type Ways = Map<number, number>

/** A part of a pattern: where it begins and ends, and whether it may be empty. */
interface Part {
  readonly first: Ways
  readonly last: Ways
  /** In how many ways it matches nothing. Two stand for any more. */
  readonly empty: number
  /** Whether nothing can keep it from matching nothing: no `$`, no look ahead. */
  readonly isEmptyFreely: boolean
  /** Where it may end with nothing in the way. */
  readonly lastFreely: ReadonlySet<number>
}

export interface Automaton {
  /** Of each place, the numbers of the letters that lead into it. */
  readonly reads: readonly ReadonlySet<number>[]
  /** Of each place, where it goes on, and in how many ways. */
  readonly follow: readonly Ways[]
  readonly first: Ways
  /** Places after which the pattern has matched, whatever comes. */
  readonly accepting: ReadonlySet<number>
  readonly isAlwaysMatched: boolean
  /** One character for each kind that the pattern tells apart. */
  readonly letters: readonly string[]
  /** The letters that end a line. */
  readonly lineEnds: ReadonlySet<number>
  /** It is tried again from every character of the text. */
  readonly isSearched: boolean
  /** From the beginning of every line only. */
  readonly isSearchedByLine: boolean
  /** After a match it is searched again behind it. */
  readonly isRepeated: boolean
  /** Where it is tried again at the end of every match, and only there: the places that a match may end with. */
  readonly tokenEnds: ReadonlySet<number>
}

/** Counted repetitions of one character up to this are written out; beyond, and of anything longer, they are loops. */
const mostCopies = 30
/** Of what a look around or a back reference may span. */
const longestBounded = 30

const add = (into: Ways, from: Ways, times = 1): void => {
  if (times === 0) return
  for (const [place, ways] of from) into.set(place, Math.min(2, (into.get(place) ?? 0) + ways * times))
}

const nothing: Part = { first: new Map(), last: new Map(), empty: 1, isEmptyFreely: true, lastFreely: new Set() }
const barrier: Part = { ...nothing, isEmptyFreely: false }

/** Characters of every kind that patterns tell apart, and the borders of those that this one does. */
const sampleOf = (pattern: AST.Pattern, flags: AST.Flags): string[] => {
  const codes = new Set<number>([
    0xa0, 0xe9, 0xd7, 0x301, 0x661, 0x2028, 0x2029, 0x3000, 0x4e2d, 0xd800, 0xfeff, 0xffff,
  ])
  for (let code = 0; code < 128; code++) codes.add(code)
  if (flags.unicode || flags.unicodeSets) codes.add(0x1f600)
  const look = (value: number) => {
    for (const code of [value - 1, value, value + 1]) if (code >= 0 && code <= 0x10ffff) codes.add(code)
  }
  walk(pattern, (node) => {
    if (node.type === 'Character') look(node.value)
  })
  return [...codes].map((code) => String.fromCodePoint(code))
}

const walk = (node: unknown, visit: (node: AST.Node) => void): void => {
  if (Array.isArray(node)) for (const one of node) walk(one, visit)
  else if (typeof node === 'object' && node !== null && 'type' in node) {
    visit(node as AST.Node)
    for (const [key, value] of Object.entries(node)) {
      if (key !== 'parent' && key !== 'references' && key !== 'resolved') walk(value, visit)
    }
  }
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, one) => total + one, 0)

/** How many characters it spans at most. */
const spanOf = (node: AST.Element | AST.Alternative): number => {
  switch (node.type) {
    case 'Alternative':
      return sum(node.elements.map(spanOf))
    case 'Group':
    case 'CapturingGroup':
      return Math.max(...node.alternatives.map(spanOf))
    case 'Quantifier':
      return spanOf(node.element) === 0 ? 0 : node.max * spanOf(node.element)
    case 'Assertion':
      return 0
    case 'Backreference':
      return longestBounded
    default:
      return 1
  }
}

class Builder {
  readonly reads: Set<number>[] = []
  readonly follow: Ways[] = []
  readonly #sample: readonly string[]
  readonly #flags: string

  constructor(sample: readonly string[], flags: string) {
    this.#sample = sample
    this.#flags = flags
  }

  alternatives(nodes: readonly AST.Alternative[]): Part {
    const parts = nodes.map((node) => this.#sequence(node.elements.map((element) => this.#element(element))))
    const first: Ways = new Map()
    const last: Ways = new Map()
    for (const part of parts) {
      add(first, part.first)
      add(last, part.last)
    }
    return {
      first,
      last,
      empty: Math.min(2, sum(parts.map(({ empty }) => empty))),
      isEmptyFreely: parts.some(({ isEmptyFreely }) => isEmptyFreely),
      lastFreely: new Set(parts.flatMap(({ lastFreely }) => [...lastFreely])),
    }
  }

  #sequence(parts: readonly Part[]): Part {
    return parts.reduce((left, right) => this.#joined(left, right), nothing)
  }

  #joined(left: Part, right: Part): Part {
    for (const [from, ways] of left.last) add(this.follow[from] as Ways, right.first, ways)
    const first: Ways = new Map(left.first)
    add(first, right.first, left.empty)
    const last: Ways = new Map(right.last)
    add(last, left.last, right.empty)
    return {
      first,
      last,
      empty: Math.min(2, left.empty * right.empty),
      isEmptyFreely: left.isEmptyFreely && right.isEmptyFreely,
      lastFreely: new Set([...right.lastFreely, ...(right.isEmptyFreely ? left.lastFreely : [])]),
    }
  }

  #loop(part: Part): Part {
    for (const [from, ways] of part.last) add(this.follow[from] as Ways, part.first, ways)
    return part
  }

  #optional(part: Part): Part {
    return { ...part, empty: 1, isEmptyFreely: true }
  }

  #element(node: AST.Element): Part {
    switch (node.type) {
      case 'Group':
      case 'CapturingGroup':
        return this.alternatives(node.alternatives)
      case 'Assertion':
        if ('alternatives' in node && Math.max(...node.alternatives.map(spanOf)) > longestBounded) {
          throw new Unprovable(`it looks around without a bound: ${node.raw}`)
        }
        return barrier
      case 'Backreference':
        return this.#backreference(node)
      case 'Quantifier':
        return this.#quantified(node)
      default:
        return this.#character(node.raw)
    }
  }

  #character(raw: string): Part {
    const pattern = new RegExp(`^(?:${raw})$`, this.#flags)
    const letters = this.#sample.flatMap((letter, number) => (pattern.test(letter) ? [number] : []))
    const place = this.reads.push(new Set(letters)) - 1
    this.follow.push(new Map())
    return {
      first: new Map([[place, 1]]),
      last: new Map([[place, 1]]),
      empty: 0,
      isEmptyFreely: false,
      lastFreely: new Set([place]),
    }
  }

  /** Anything as long as the group that it refers to. */
  #backreference({ resolved }: AST.Backreference): Part {
    const spans = [resolved].flat().flatMap((group) => group.alternatives.map(spanOf))
    if (Math.max(...spans) > longestBounded) throw new Unprovable('it refers back to a part without a bound')
    const copies = Array.from({ length: Math.max(...spans) }, () => this.#optional(this.#character('[^]')))
    return this.#sequence([...copies, barrier])
  }

  #quantified({ element, min, max }: AST.Quantifier): Part {
    const make = () => this.#element(element)
    if (max <= 1) return max === 0 ? nothing : min === 1 ? make() : this.#optional(make())
    const isPlain = !['Group', 'CapturingGroup', 'Backreference', 'Assertion', 'Quantifier'].includes(element.type)
    const isEndless = max === Number.POSITIVE_INFINITY
    if (isPlain && (isEndless ? min : max) <= mostCopies) return this.#writtenOut(make, min, max)
    const loop = this.#loop(make())
    if (min === 0) return this.#optional(loop)
    return min === 1 ? loop : { ...loop, isEmptyFreely: false, lastFreely: new Set() }
  }

  #writtenOut(make: () => Part, min: number, max: number): Part {
    const needed = Array.from({ length: min }, make)
    if (max !== Number.POSITIVE_INFINITY) {
      let rest = nothing
      for (let more = min; more < max; more++) rest = this.#optional(this.#joined(make(), rest))
      return this.#sequence([...needed, rest])
    }
    if (min === 0) return this.#optional(this.#loop(make()))
    return this.#sequence([...needed.slice(0, -1), this.#loop(needed.at(-1) as Part)])
  }
}

/** Letters that lead into the same places are one. */
const merged = (reads: readonly ReadonlySet<number>[], sample: readonly string[]) => {
  const kinds = new Map<string, number>()
  const letters: string[] = []
  const kindOf = sample.map((letter, number) => {
    const key = reads.map((set) => (set.has(number) ? '1' : '0')).join('')
    const known = kinds.get(key)
    if (known !== undefined) return known
    kinds.set(key, letters.length)
    return letters.push(letter) - 1
  })
  const kindsOf = (numbers: Iterable<number>) => new Set([...numbers].map((number) => kindOf[number] as number))
  return {
    letters,
    reads: reads.map(kindsOf),
    lineEnds: kindsOf(sample.flatMap((letter, number) => ('\n\r\u2028\u2029'.includes(letter) ? [number] : []))),
  }
}

const startsAtBeginning = ({ elements }: AST.Alternative): boolean => {
  const [first] = elements
  if (first?.type === 'Assertion') return first.kind === 'start'
  return (first?.type === 'Group' || first?.type === 'CapturingGroup') && first.alternatives.every(startsAtBeginning)
}

/** Throws Unprovable. */
export const automatonOf = (source: string, flagText: string): Automaton => {
  const parser = new RegExpParser({ ecmaVersion: 2025 })
  const flags = parser.parseFlags(flagText)
  const pattern = parser.parsePattern(source, 0, source.length, {
    unicode: flags.unicode,
    unicodeSets: flags.unicodeSets,
  })
  const sample = sampleOf(pattern, flags)
  const builder = new Builder(sample, flagText.replace(/[gymd]/g, ''))
  const whole = builder.alternatives(pattern.alternatives)
  const hasBeginning = pattern.alternatives.every(startsAtBeginning)
  const isAnchored = hasBeginning && !flags.multiline
  return {
    ...merged(builder.reads, sample),
    follow: builder.follow,
    first: whole.first,
    accepting: whole.lastFreely,
    isAlwaysMatched: whole.isEmptyFreely,
    isSearched: !isAnchored && !flags.sticky,
    isSearchedByLine: hasBeginning && flags.multiline,
    isRepeated: !isAnchored && flags.global,
    tokenEnds: new Set(flags.sticky ? whole.last.keys() : []),
  }
}
