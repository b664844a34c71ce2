// Names of questions in paths that authors write themselves: `../age`, `/data/person/age`, `current()/../age`.
import { SyntaxFault, type Token, tokenize } from '../xpath/tokens.js'

/** Where a path leads: into the record, behind its root or still before it, or into something else, such as a list. */
type Path = 'record' | 'root' | 'elsewhere'

interface Bracket {
  readonly before: Path
  /** The function whose arguments these are. */
  readonly call: string
  /** Names and dots in here are those of an item. */
  readonly isInItem: boolean
}

const operators = new Set(['and', 'or', 'div', 'mod'])
const stepEnds = new Set(['.', '..', ')', ']'])
const lastSaved = /^["']__last-saved["']$/

/** A name of the same length, so that what stands behind it stays in its place. */
const withoutReferences = (text: string): string => text.replace(/\$\{[^{}]*\}/g, (whole) => 'a'.repeat(whole.length))

/** The expression with the question renamed in all paths into the record. */
export const renameSteps = (text: string, from: string, to: string): string => {
  if (!text.includes('/') || !text.includes(from)) return text
  try {
    const bare = withoutReferences(text)
    return replaceAt(text, bare, new StepFinder(tokenize(bare), from), to)
  } catch (error) {
    if (error instanceof SyntaxFault) return text
    throw error
  }
}

/** Walks through an expression and takes note of the steps of one name, by the numbers of their tokens. */
class StepFinder {
  readonly tokens: readonly Token[]
  readonly found = new Set<number>()
  readonly #name: string
  readonly #open: Bracket[] = []
  #path: Path = 'elsewhere'

  constructor(tokens: readonly Token[], name: string) {
    this.tokens = tokens
    this.#name = name
    for (const index of tokens.keys()) this.#read(index)
  }

  #read(index: number): void {
    const { kind, text } = this.tokens[index] as Token
    const before = this.tokens[index - 1]
    if (text === '[' || text === '(') this.#start(text, before)
    else if (text === ']') this.#path = this.#open.pop()?.before ?? 'elsewhere'
    else if (text === ')') this.#path = afterCall(this.#open.pop()?.call ?? '', before)
    else if (isSlash(text)) {
      if (!endsStep(this.tokens, index - 1)) this.#begin('root')
    } else if (text === '.' || text === '..') {
      if (!isSlash(before?.text)) this.#begin('record')
    } else if (kind === 'name') this.#step(index, text, isSlash(before?.text))
  }

  get #isInItem(): boolean {
    return this.#open.at(-1)?.isInItem === true
  }

  #begin(path: Path): void {
    this.#path = this.#isInItem ? 'elsewhere' : path
  }

  #start(bracket: string, before: Token | undefined): void {
    const call = bracket === '(' && before?.kind === 'name' ? before.text : ''
    const isInItem = this.#isInItem || (bracket === '[' && this.#path === 'elsewhere')
    this.#open.push({ before: this.#path, call, isInItem })
  }

  #step(index: number, name: string, isStep: boolean): void {
    if (!isStep) this.#path = 'elsewhere'
    else if (this.#path === 'root') this.#path = 'record'
    else if (this.#path === 'record' && name === this.#name) this.found.add(index)
  }
}

const isSlash = (text: string | undefined): boolean => text === '/' || text === '//'

const endsStep = (tokens: readonly Token[], index: number): boolean => {
  const token = tokens[index]
  if (token === undefined) return false
  if (token.kind === 'name') return !operators.has(token.text)
  if (token.text === '*') return ['/', '//', '::', '@'].includes(tokens[index - 1]?.text ?? '')
  return stepEnds.has(token.text)
}

const afterCall = (call: string, argument: Token | undefined): Path => {
  if (call === 'current') return 'record'
  return call === 'instance' && lastSaved.test(argument?.text ?? '') ? 'root' : 'elsewhere'
}

const replaceAt = (text: string, bare: string, { tokens, found }: StepFinder, to: string): string => {
  const pieces: string[] = []
  let done = 0
  let position = 0
  for (const [index, token] of tokens.entries()) {
    const start = bare.indexOf(token.text, position)
    position = start + token.text.length
    if (!found.has(index)) continue
    pieces.push(text.slice(done, start), to)
    done = position
  }
  return [...pieces, text.slice(done)].join('')
}
