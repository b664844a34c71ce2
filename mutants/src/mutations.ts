// Which changes a source offers. Each is one that somebody could make by mistake, and that stays a program.
import { type Change, type Mutant, onOneLine } from './mutant.js'
import { sqlChanges } from './sql-mutations.js'
import { child, children, isInsideChain, type Node, type Place, parse, runsAtLoad, walk } from './syntax.js'

type Mutator = (place: Place, text: (node: Node) => string) => readonly (readonly [Node, string])[]

const comparisons: Readonly<Record<string, string>> = {
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
  '===': '!==',
  '!==': '===',
}

const comparison: Mutator = ({ node }, text) => {
  const other = node.type === 'BinaryExpression' ? comparisons[String(node.operator)] : undefined
  const [left, right] = [child(node, 'left'), child(node, 'right')]
  if (other === undefined || left === undefined || right === undefined) return []
  return [[node, `${text(left)} ${other} ${text(right)}`]]
}

/** One of two conditions is dropped. */
const condition: Mutator = ({ node }, text) => {
  if (node.type !== 'LogicalExpression' || node.operator === '??') return []
  return [child(node, 'left'), child(node, 'right')].flatMap((side) => (side ? [[node, text(side)] as const] : []))
}

const negation: Mutator = ({ node }, text) => {
  const negated = child(node, 'argument')
  if (node.type !== 'UnaryExpression' || node.operator !== '!' || negated === undefined) return []
  return [[node, text(negated)]]
}

/** A guard, or what is done under a condition, is left out; of a choice, one side stays. */
const branch: Mutator = ({ node }) => {
  const test = child(node, 'test')
  if (test === undefined) return []
  if (node.type === 'ConditionalExpression') return [true, false].map((always) => [test, String(always)] as const)
  if (node.type !== 'IfStatement') return []
  const both = child(node, 'alternate') === undefined ? [false] : [true, false]
  return both.map((always) => [test, String(always)] as const)
}

const truth: Mutator = ({ node }) =>
  node.type === 'Literal' && typeof node.value === 'boolean' ? [[node, String(!node.value)]] : []

/** `+ 1` and `- 1` are left out; a number that is a constant of the module, or says how much to cut off, is one more. */
const limit: Mutator = (place, text) => {
  const { node, parent } = place
  const [left, right] = [child(node, 'left'), child(node, 'right')]
  if (node.type === 'BinaryExpression' && (node.operator === '+' || node.operator === '-')) {
    return left !== undefined && right?.type === 'Literal' && right.value === 1 ? [[node, text(left)]] : []
  }
  if (node.type !== 'Literal' || typeof node.value !== 'number' || parent === undefined) return []
  const isConstant = parent.node.type === 'VariableDeclarator' && runsAtLoad(place)
  const isCut =
    parent.node.type === 'CallExpression' &&
    place.key === 'arguments' &&
    ['slice', 'subarray', 'substring'].includes(methodOf(parent.node)?.name ?? '')
  return isConstant || isCut ? [[node, String(node.value + 1)]] : []
}

interface Method {
  readonly name: string
  readonly object: Node
}

const methodOf = (call: Node): Method | undefined => {
  const callee = child(call, 'callee')
  if (call.type !== 'CallExpression' || callee?.type !== 'MemberExpression' || callee.computed === true)
    return undefined
  const [object, property] = [child(callee, 'object'), child(callee, 'property')]
  return object && property ? { name: String(property.name), object } : undefined
}

/** A map: `toString` is a method of others, and of every object. */
const otherMethods = new Map([
  ['some', 'every'],
  ['every', 'some'],
  ['min', 'max'],
  ['max', 'min'],
])
/** What they are called on is as good a value without them. */
const filters = new Set(['filter', 'sort', 'toSorted', 'reverse', 'trim', 'toLowerCase', 'slice'])

const method: Mutator = (place, text) => {
  const found = methodOf(place.node)
  if (found === undefined || isInsideChain(place)) return []
  const { name, object } = found
  if (filters.has(name)) return [[place.node, text(object)]]
  const other = otherMethods.get(name)
  if (other === undefined) return []
  const [callee] = [child(place.node, 'callee') as Node]
  const called = children(place.node, 'arguments').map(text)
  const dot = callee.optional === true ? '?.' : '.'
  return [[place.node, `${text(object)}${dot}${other}(${called.join(', ')})`]]
}

/** What is only written down for whoever runs the server changes nothing that a caller could see. */
const isLogging = (source: string): boolean => /(^|[.#\s])(log|logger)\??\.\w+\(/.test(source)

/** A call for what it does is left out, or not waited for. */
const effect: Mutator = ({ node }, text) => {
  const expression = node.type === 'ExpressionStatement' ? child(node, 'expression') : undefined
  if (expression === undefined || isLogging(text(expression))) return []
  const awaited = expression.type === 'AwaitExpression' ? child(expression, 'argument') : undefined
  const call = awaited ?? expression
  if (call.type !== 'CallExpression' && call.type !== 'ChainExpression') return []
  const dropped = [expression, 'undefined'] as const
  return awaited === undefined ? [dropped] : [dropped, [expression, text(awaited)]]
}

/** Inside a `try`, what is returned without waiting fails outside of it. */
const returned: Mutator = (place, text) => {
  const argument = child(place.node, 'argument')
  const awaited = argument?.type === 'AwaitExpression' ? child(argument, 'argument') : undefined
  if (place.node.type !== 'ReturnStatement' || argument === undefined || awaited === undefined) return []
  for (let outer = place.parent; outer !== undefined; outer = outer.parent) {
    if (outer.node.type === 'TryStatement') return [[argument, text(awaited)]]
    if (outer.node.type.includes('Function')) return []
  }
  return []
}

const mutators = [comparison, condition, negation, branch, truth, limit, method, effect, returned]

const differing = (before: string, after: string, { start, end }: Node, replacement: string): Change => ({
  start,
  end,
  replacement,
  before: onOneLine(before),
  after: onOneLine(after),
})

/** All changes of a file; `isWanted` looks at lines. They are numbered by whoever has those of all files. */
export const mutantsOf = (file: string, source: string, isWanted: (line: number) => boolean = () => true) => {
  const text = ({ start, end }: Node) => source.slice(start, end)
  const lineAt = (offset: number) => source.slice(0, offset).split('\n').length
  const lines = source.split('\n')
  const found: Omit<Mutant, 'id'>[] = []
  const add = (place: Place, change: Change, offset: number) => {
    const line = lineAt(offset)
    if (isWanted(line))
      found.push({ file, line, lineText: lines[line - 1] ?? '', ...change, isAtLoad: runsAtLoad(place) })
  }
  for (const place of walk(parse(file, source))) {
    for (const mutator of mutators)
      for (const [node, replacement] of mutator(place, text))
        add(place, differing(text(node), replacement, node, replacement), node.start)
    if (place.node.type === 'TaggedTemplateExpression' && text(child(place.node, 'tag') as Node) === 'sql')
      for (const { at, ...change } of sqlChanges(place.node, source)) add(place, change, at)
  }
  return found
}
