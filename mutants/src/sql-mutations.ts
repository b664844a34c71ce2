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

const pattern = /--[^\n]*|'(?:[^']|'')*'|"[^"]*"|\$|[a-z_][a-z0-9_]*|<=|>=|<>|=>|<@|@>|<<|>>|::|->>|->|[^\s]/gi

/** The words of a template, by their places in the source. Comments are no words. */
const wordsOf = (template: Node, source: string): Word[] => {
  // Values become a `$` and blanks, so that every word keeps its place.
  let text = ''
  let from = template.start
  const blank = (until: number, mark: string) => {
    text += mark.padEnd(until - from, ' ').slice(0, until - from)
    from = until
  }
  for (const part of children(template, 'quasis')) {
    if (part.start > from) blank(part.start, text === '' ? '' : '$')
    // Where the parser counts the marks around a part to it, they are blanks too.
    const raw = source.slice(part.start, part.end)
    text += raw.replace(/^[`}]/, ' ').replace(/(`|\$\{)$/, (mark) => ' '.repeat(mark.length))
    from = part.end
  }
  const words: Word[] = []
  let depth = 0
  for (const found of text.matchAll(pattern)) {
    const word = found[0].toLowerCase()
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

/** From the word behind `at` to the last one that belongs to it. */
const operand = (words: readonly Word[], at: number): Span | undefined => {
  const opening = words[at] as Word
  const first = words[at + 1]
  if (first === undefined || first.depth < opening.depth) return undefined
  let last: Word | undefined
  let hasCase = 0
  let isBetween = false
  for (const word of words.slice(at + 1)) {
    if (word.depth < opening.depth) break
    if (word.depth === opening.depth) {
      if (word.word === ')' && last === undefined) return undefined
      if (word.word === 'case') hasCase += 1
      else if (hasCase > 0) hasCase -= word.word === 'end' ? 1 : 0
      else if (word.word === 'between') isBetween = true
      else if (word.word === 'and' && isBetween) isBetween = false
      // `is distinct from` is a comparison.
      else if (ends.has(word.word) && !(word.word === 'from' && last?.word === 'distinct')) break
    }
    last = word
  }
  return last === undefined ? undefined : { start: first.start, end: last.end }
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

const conditions = (words: readonly Word[]): { span: Span; by: string }[] =>
  words.flatMap(({ word, depth }, at) => {
    if (!opens.has(word) || !joinsConditions(words, at)) return []
    const found: { span: Span; by: string }[] = []
    const behind = operand(words, at)
    const first = words[at + 1]?.word
    // `on delete cascade`, `when matched` and the like are no conditions.
    if (behind !== undefined && first !== 'delete' && first !== 'update')
      found.push({ span: behind, by: word === 'or' || isBeforeOr(words, behind, depth) ? 'false' : 'true' })
    // The first of several that are joined by `or`, in parentheses: nothing opens it.
    if (word === 'or') {
      const opening = words.findLastIndex((one, place) => place < at && one.depth < depth && one.word === '(')
      const isFirst = !words.slice(opening + 1, at).some((one) => one.depth === depth && opens.has(one.word))
      const begin = words[opening + 1]
      const last = words[at - 1]
      if (opening !== -1 && isFirst && begin && last)
        found.push({ span: { start: begin.start, end: last.end }, by: 'false' })
    }
    return found
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
