// Sources as they are run: with all chosen changes in them, each behind a switch, or with a mark at the beginning of each
// function. Lines stay where they are. Nothing is written to the disk.
import type { Mutant } from './mutant.js'
import { stateName } from './state-name.js'
import { child, isFunction, type Node, parse, walk } from './syntax.js'

interface Site {
  readonly start: number
  readonly end: number
  readonly mutants: Mutant[]
  readonly inner: Site[]
}

/** Sites within sites: the outermost ones. */
const nested = (mutants: readonly Mutant[]): Site[] => {
  const outermost: Site[] = []
  const ordered = [...mutants].sort((a, b) => a.start - b.start || b.end - a.end)
  for (const mutant of ordered) {
    let among = outermost
    for (let last = among.at(-1); last !== undefined && last.end >= mutant.end; last = among.at(-1)) {
      if (last.start === mutant.start && last.end === mutant.end) break
      among = last.inner
    }
    const same = among.at(-1)
    if (same?.start === mutant.start && same.end === mutant.end) same.mutants.push(mutant)
    else among.push({ start: mutant.start, end: mutant.end, mutants: [mutant], inner: [] })
  }
  return outermost
}

/** Where statements that are an expression begin: a parenthesis there would go on with the line before, which has no
 * semicolon. */
const beginnings = (file: string, source: string): Set<number> =>
  new Set(
    [...walk(parse(file, source))]
      .map(({ node }) => node)
      .filter(isExpression)
      .map(({ start }) => start),
  )

const isExpression = ({ type }: Node): boolean => type === 'ExpressionStatement'

interface Text {
  readonly source: string
  readonly beginnings: ReadonlySet<number>
}

const rendered = (whole: Text, start: number, end: number, sites: readonly Site[]): string => {
  const { source } = whole
  let text = ''
  let from = start
  for (const site of sites) {
    const original = rendered(whole, site.start, site.end, site.inner)
    const choices = site.mutants.map(({ id, replacement }) => `__isOn(${id}) ? (${replacement}) : `)
    const opening = whole.beginnings.has(site.start) ? 'void (' : '('
    text += `${source.slice(from, site.start)}${opening}${choices.join('')}(${original}))`
    from = site.end
  }
  return text + source.slice(from, end)
}

/** A declaration: modules that import each other in a circle call it before anything else of this one is there. */
const switchCode = `function __isOn(id) { const s = globalThis.${stateName}; return s !== undefined && s.isOn(id) } `

export const withSwitches = (file: string, source: string, mutants: readonly Mutant[]): string =>
  mutants.length === 0
    ? source
    : switchCode + rendered({ source, beginnings: beginnings(file, source) }, 0, source.length, nested(mutants))

const markCode = `function __mark(id) { const s = globalThis.${stateName}; if (s !== undefined) s.mark(id) } `

/** The functions of a source, in order, by where they begin and end. */
export const functionsOf = (file: string, source: string): Node[] =>
  [...walk(parse(file, source))].map(({ node }) => node).filter((node) => isFunction(node) && child(node, 'body'))

/** `first` is the number of the first function's mark. */
export const withMarks = (file: string, source: string, first: number): string => {
  const edits = functionsOf(file, source).flatMap((node, index) => {
    const body = child(node, 'body') as Node
    const mark = `__mark(${first + index})`
    if (body.type === 'BlockStatement') return [{ at: body.start + 1, text: ` ${mark};`, isEnd: false }]
    return [
      { at: body.start, text: `(${mark}, `, isEnd: false },
      { at: body.end, text: ')', isEnd: true },
    ]
  })
  // Of functions that end at one place, the inner ones end first, which come last.
  const ordered = edits
    .map((edit, order) => ({ ...edit, order }))
    .sort(
      (a, b) => a.at - b.at || Number(b.isEnd) - Number(a.isEnd) || (a.isEnd ? b.order - a.order : a.order - b.order),
    )
  let text = markCode
  let from = 0
  for (const { at, text: added } of ordered) {
    text += source.slice(from, at) + added
    from = at
  }
  return text + source.slice(from)
}
