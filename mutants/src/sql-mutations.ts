// Changes of the SQL in `sql` templates: a condition that is left out, a boundary, a lock, an order. What remains is a
// statement that the database takes: one that it refuses would be found by any test.
import { type Change, onOneLine } from './mutant.js'
import { child, children, type Node } from './syntax.js'

interface Word {
  /** In small letters; a value that is put in is `$`. */
  readonly word: string
  readonly start: number
  readonly end: number
  /** How many parentheses are open around it. */
  readonly depth: number
}

const pattern = /--[^\n]*|'(?:[^']|'')*'|"[^"]*"|\$+|[a-z_][a-z0-9_]*|<=|>=|<>|=>|<@|@>|<<|>>|::|->>|->|[^\s]/gi

/** The template with every value that is put in as one word of `$`, so that all others keep their places. */
const plainText = (template: Node, source: string): string => {
  let text = ' '
  let from = template.start + 1
  for (const value of children(template, 'expressions')) {
    const start = source.lastIndexOf('${', value.start)
    const end = source.indexOf('}', value.end) + 1
    text += source.slice(from, start) + '$'.repeat(end - start)
    from = end
  }
  return text + source.slice(from, template.end - 1)
}

/** The words of a template, by their places in the source. Comments are no words. */
const wordsOf = (template: Node, source: string): Word[] => {
  const text = plainText(template, source)
  const words: Word[] = []
  let depth = 0
  for (const found of text.matchAll(pattern)) {
    const word = found[0].toLowerCase().replace(/^\$+$/, '$')
    if (word.startsWith('--')) continue
    if (word === ')' || word === ']') depth -= 1
    const start = template.start + found.index
    words.push({ word, start, end: start + found[0].length, depth })
    if (word === '(' || word === '[') depth += 1
  }
  return words
}

/** Where a condition ends, if it stands no deeper. */
const ends = new Set(
  'and or where order group limit offset returning for on union having then else end when window join left inner cross full from as using set do select insert update delete values asc desc , ;'.split(
    ' ',
  ),
)

const opens = new Set(['where', 'and', 'or', 'on', 'having', 'when'])

interface Span {
  readonly start: number
  readonly end: number
}

/** Whether the condition that these words begin with has ended here. */
const isEnd = (words: readonly Word[], place: number, depth: number): boolean => {
  const one = words[place] as Word
  if (one.depth !== depth || !ends.has(one.word)) return false
  const before = words.slice(0, place).filter((word) => word.depth === depth)
  const count = (word: string) => before.filter((other) => other.word === word).length
  if (count('case') > count('end')) return false
  if (one.word === 'and' && count('between') > count('and')) return false
  // `is distinct from` is a comparison.
  return !(one.word === 'from' && before.at(-1)?.word === 'distinct')
}

/** From the word behind `at` to the last one that belongs to it. */
const operand = (words: readonly Word[], at: number): Span | undefined => {
  const { depth } = words[at] as Word
  const behind = words.slice(at + 1)
  const outside = behind.findIndex((word) => word.depth < depth)
  const inside = outside === -1 ? behind : behind.slice(0, outside)
  const end = inside.findIndex((_word, place) => isEnd(inside, place, depth))
  const own = end === -1 ? inside : inside.slice(0, end)
  const [first, last] = [own[0], own.at(-1)]
  return first === undefined || last === undefined ? undefined : { start: first.start, end: last.end }
}

/** `between a and b` has an `and` that joins no conditions. */
const joinsConditions = (words: readonly Word[], at: number): boolean => {
  const { word, depth } = words[at] as Word
  if (word === 'on') return words[at + 1]?.word !== 'conflict'
  if (word !== 'and') return true
  for (let before = at - 1; before >= 0; before -= 1) {
    const one = words[before] as Word
    if (one.depth < depth) return true
    if (one.depth > depth) continue
    if (one.word === 'between') return false
    if (opens.has(one.word) || one.word === 'and') return true
  }
  return true
}

/** Of `a or b`, either is left out by `false`. */
const isBeforeOr = (words: readonly Word[], { end }: Span, depth: number): boolean => {
  const next = words.find(({ start }) => start >= end)
  return next?.word === 'or' && next.depth === depth
}

/** The first of several that are joined by `or`, in parentheses: nothing opens it. */
const beforeOr = (words: readonly Word[], at: number): Span | undefined => {
  const { depth } = words[at] as Word
  const opening = words.findLastIndex((one, place) => place < at && one.depth < depth && one.word === '(')
  const isFirst = !words.slice(opening + 1, at).some((one) => one.depth === depth && opens.has(one.word))
  const [first, last] = [words[opening + 1], words[at - 1]]
  return opening === -1 || !isFirst || !first || !last ? undefined : { start: first.start, end: last.end }
}

const conditions = (words: readonly Word[]): { span: Span; by: string }[] =>
  words.flatMap(({ word, depth }, at) => {
    // `on delete cascade` and the like are no conditions.
    if (!opens.has(word) || !joinsConditions(words, at) || /^(delete|update)$/.test(words[at + 1]?.word ?? ''))
      return []
    const behind = operand(words, at)
    const before = word === 'or' ? beforeOr(words, at) : undefined
    const by = word === 'or' || (behind && isBeforeOr(words, behind, depth)) ? 'false' : 'true'
    return [...(behind ? [{ span: behind, by }] : []), ...(before ? [{ span: before, by: 'false' }] : [])]
  })

const others: Readonly<Record<string, string>> = {
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
  greatest: 'least',
  least: 'greatest',
  desc: 'asc',
}

const swaps = (words: readonly Word[]): { span: Span; by: string }[] =>
  words.flatMap(({ word, start, end }) => {
    const by = others[word]
    return by === undefined ? [] : [{ span: { start, end }, by }]
  })

/** `for update` and its likes, with all that belongs to it; what a row that is there already does. */
const locks = (words: readonly Word[]): { span: Span; by: string }[] =>
  words.flatMap(({ word, start, depth }, at) => {
    const following = words.slice(at + 1, at + 5).map((one) => one.word)
    if (word !== 'for' || !['update', 'no', 'share', 'key'].includes(following[0] ?? '')) return []
    let last = words[at] as Word
    for (const one of words.slice(at + 1)) {
      if (one.depth < depth || !/^(update|no|key|share|of|skip|locked|nowait|[a-z_]+)$/.test(one.word)) break
      last = one
    }
    return [{ span: { start, end: last.end }, by: '' }]
  })

/** An order that decides which rows come first. */
const orders = (words: readonly Word[]): { span: Span; by: string }[] =>
  words.flatMap(({ word, start, depth }, at) => {
    if (word !== 'order' || words[at + 1]?.word !== 'by') return []
    let last = words[at + 1] as Word
    for (const one of words.slice(at + 2)) {
      if (one.depth < depth) break
      if (one.depth === depth && /^(limit|offset|for|returning|on|rows|range|\))$/.test(one.word)) break
      last = one
    }
    return last.word === 'by' ? [] : [{ span: { start, end: last.end }, by: '' }]
  })

/** `at` is where the change is, for its line. */
export const sqlChanges = (tagged: Node, source: string): (Change & { at: number })[] => {
  const template = child(tagged, 'quasi')
  if (template === undefined) return []
  const words = wordsOf(template, source)
  return [...conditions(words), ...swaps(words), ...locks(words), ...orders(words)].map(({ span, by }) => ({
    start: tagged.start,
    end: tagged.end,
    replacement: source.slice(tagged.start, span.start) + by + source.slice(span.end, tagged.end),
    before: onOneLine(source.slice(span.start, span.end)),
    after: by,
    at: span.start,
  }))
}
