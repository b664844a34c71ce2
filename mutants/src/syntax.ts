// A source as a tree, by the parser that vite brings along, and a walk through it.
import { parseSync } from 'vite'

export interface Node {
  readonly type: string
  readonly start: number
  readonly end: number
  readonly [key: string]: unknown
}

export interface Place {
  readonly node: Node
  readonly parent: Place | undefined
  /** Under which name the parent has it. */
  readonly key: string
}

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof (value as Node).type === 'string'

/** Undefined where there is nothing, or something else than a node. */
export const child = (node: Node, key: string): Node | undefined => {
  const value = node[key]
  return isNode(value) ? value : undefined
}

export const children = (node: Node, key: string): Node[] => {
  const value = node[key]
  return Array.isArray(value) ? value.filter(isNode) : []
}

/** What wraps an expression for the type checker alone. */
const wrappers = new Set(['TSAsExpression', 'TSNonNullExpression', 'TSSatisfiesExpression'])

const isType = ({ type }: Node): boolean => type.startsWith('TS') && !wrappers.has(type)

export const parse = (file: string, text: string): Node => {
  const { program, errors } = parseSync(file, text, { lang: 'ts', sourceType: 'module' })
  if (errors.length > 0) throw new Error(`${file} cannot be read: ${errors[0]?.message}`)
  return program as unknown as Node
}

/** Everything that runs, from the outside in: types are left out. */
export function* walk(node: Node, parent?: Place, key = ''): Generator<Place> {
  if (isType(node)) return
  const place: Place = { node, parent, key }
  yield place
  for (const [name, value] of Object.entries(node)) {
    if (name === 'parent') continue
    for (const one of Array.isArray(value) ? value : [value]) if (isNode(one)) yield* walk(one, place, name)
  }
}

const functions = new Set(['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression'])

export const isFunction = ({ type }: Node): boolean => functions.has(type)

/** Runs when its module is loaded, not when something is called. */
export const runsAtLoad = (place: Place): boolean => {
  for (let outer = place.parent; outer !== undefined; outer = outer.parent) {
    if (isFunction(outer.node)) return false
    if (outer.node.type === 'PropertyDefinition' && outer.node.static !== true) return false
  }
  return true
}

/** In `a?.b.c()`, whatever stands before the last call is skipped as a whole: a part cannot be put into parentheses. */
export const isInsideChain = (place: Place): boolean => {
  for (let at: Place | undefined = place; at !== undefined; at = at.parent) {
    if (at.parent?.node.type === 'ChainExpression') return at !== place
    if (at.key !== 'object' && at.key !== 'callee') return false
  }
  return false
}
