// Words that stand in a template instead of a catalogue.
import { parse } from 'vue/compiler-sfc'

/** As the compiler numbers them. */
const kinds = { text: 2, interpolation: 5 }

/** Attributes that people read or hear. */
const spoken = new Set([
  'title',
  'alt',
  'placeholder',
  'label',
  'aria-label',
  'about',
  'hint',
  'text',
  'action',
  'error',
])

/** Two letters in a row, in any script, are a word. */
const isWord = (text: string): boolean => /\p{L}{2}/u.test(text)

/** Texts within an expression; keys of the catalogue are arguments of `t`. */
const quoted = (expression: string): string[] =>
  [...expression.replace(/\bt(\.raw)?\(\s*'[^']*'/g, '').matchAll(/'([^']*)'|`([^`$]*)`/g)].map(
    ([, a, b]) => a ?? b ?? '',
  )

interface Node {
  readonly type: number
  readonly content?: unknown
  readonly children?: readonly Node[]
  readonly props?: readonly {
    type: number
    name: string
    value?: { content: string }
    arg?: { content?: string }
    exp?: { content?: string }
  }[]
}

const wordsOf = (node: Node): string[] => {
  const inside = (node.children ?? []).flatMap(wordsOf)
  if (node.type === kinds.text) return isWord(String(node.content)) ? [String(node.content).trim()] : []
  if (node.type === kinds.interpolation) {
    const { content = '' } = node.content as { content?: string }
    // A single word may be compared with; two of them are for people.
    return quoted(content).filter((text) => /\p{L}{2}.*\s/u.test(text))
  }
  const attributes = (node.props ?? []).flatMap(({ name, value, arg, exp }) => {
    if (spoken.has(name) && value !== undefined) return isWord(value.content) ? [value.content] : []
    const isBound = name === 'bind' && spoken.has(arg?.content ?? '')
    return isBound ? quoted(exp?.content ?? '').filter((text) => /\p{L}{2}.*\s/u.test(text)) : []
  })
  return [...attributes, ...inside]
}

export const wordsIn = (component: string): string[] => {
  const { template } = parse(component).descriptor
  return template?.ast === undefined ? [] : wordsOf(template.ast as unknown as Node)
}
