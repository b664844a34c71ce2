// Texts that nearly match a pattern, as long as one likes: made from the ways through it, so that an engine has the most
// to try before it gives up.
import { type Automaton, automatonOf } from './automaton.js'

type Texts = Map<number, string>

/** The shortest text from a set of places to each that can be reached; the places themselves are read too. */
const textsFrom = ({ reads, follow, letters }: Automaton, starts: Iterable<number>): Texts => {
  const texts: Texts = new Map()
  const queue: [number, string][] = [...starts].map((place) => [place, ''])
  for (const [place, before] of queue) {
    const [letter] = reads[place] ?? []
    if (texts.has(place) || letter === undefined) continue
    const text = before + letters[letter]
    texts.set(place, text)
    for (const next of follow[place]?.keys() ?? []) queue.push([next, text])
  }
  return texts
}

/** A letter that leads nowhere from a place. */
const breakerOf = ({ reads, follow, letters }: Automaton, place: number): string => {
  const next = [...(follow[place]?.keys() ?? [])]
  return letters.find((_, letter) => !next.some((one) => reads[one]?.has(letter))) ?? '\u0000'
}

export type NearMiss = (length: number) => string

const repeated = (text: string, length: number): string => text.repeat(Math.ceil(length / text.length))

/** More ways than these through one pattern are not tried. */
const mostLoops = 8

export const nearMissesOf = (source: string, flags: string): NearMiss[] => {
  const automaton = automatonOf(source, flags)
  const begin = textsFrom(automaton, automaton.first.keys())
  const misses: NearMiss[] = [(length) => repeated('x', length), (length) => repeated(' ', length)]
  const loops = [...begin].flatMap(([place, way]) => {
    const round = textsFrom(automaton, automaton.follow[place]?.keys() ?? []).get(place)
    return round === undefined ? [] : [{ place, way, round, breaker: breakerOf(automaton, place) }]
  })
  for (const { place, way, round, breaker } of loops.slice(0, mostLoops)) {
    misses.push((length) => way + repeated(round, length) + breaker)
    misses.push((length) => repeated(way + round, length) + breaker)
    misses.push((length) => repeated(way, length) + breaker)
    misses.push((length) => repeated(way + round + breaker, length))
    const onward = textsFrom(automaton, automaton.follow[place]?.keys() ?? [])
    for (const next of loops.slice(0, mostLoops)) {
      const bridge = onward.get(next.place)
      if (bridge === undefined || next.place <= place) continue
      misses.push(
        (length) => way + repeated(round, length / 2) + bridge + repeated(next.round, length / 2) + next.breaker,
      )
    }
  }
  return misses
}
