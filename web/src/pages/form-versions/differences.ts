// What changed from one version of a form to the next, question by question.
import type { Choice, TreeNode, Words } from '@/api/form-model'
import type { Tree } from '@/api/versions'

/** What may change of a question. */
export type Part =
  | 'label'
  | 'hint'
  | 'type'
  | 'relevant'
  | 'required'
  | 'constraint'
  | 'calculate'
  | 'default'
  | 'readonly'
  | 'appearance'

export interface Change {
  readonly part: Part
  /** Of texts: in which language. */
  readonly language?: string
  readonly from: string
  readonly to: string
}

export interface ChoiceChanges {
  readonly added: readonly Choice[]
  readonly removed: readonly Choice[]
  /** The same name with other words. */
  readonly reworded: readonly Choice[]
}

export interface Item {
  readonly key: string
  readonly type: string
  readonly label: Words
}

export interface Changed extends Item {
  readonly changes: readonly Change[]
  readonly choices: ChoiceChanges | undefined
}

export interface Differences {
  readonly added: readonly Item[]
  readonly removed: readonly Item[]
  readonly changed: readonly Changed[]
  /** The same questions, in another order. */
  readonly isReordered: boolean
}

interface Node extends Item {
  readonly node: TreeNode & { readonly default?: unknown; readonly control?: { readonly appearance?: unknown } }
  readonly choices: readonly Choice[]
  /** What paths of the form begin with. */
  readonly root: string
}

/** Written by the server or for it. */
const isInternal = (key: string): boolean => /^(form|meta)(\/|$)/.test(key)

const nodesOf = (tree: Tree): Map<string, Node> => {
  const lists = (tree.choices ?? {}) as Readonly<Record<string, readonly Choice[] | undefined>>
  const nodes = new Map<string, Node>()
  const read = (children: readonly TreeNode[], path: string) => {
    for (const node of children) {
      const key = path === '' ? (node.name ?? '') : `${path}/${node.name ?? ''}`
      if (isInternal(key)) continue
      const listed = node.itemset !== undefined && Object.hasOwn(lists, node.itemset) ? lists[node.itemset] : undefined
      const choices = listed ?? (Array.isArray(node.choices) ? (node.choices as Choice[]) : [])
      nodes.set(key, { key, type: node.type ?? 'text', label: node.label, node, choices, root: tree.name ?? 'data' })
      if (node.type === 'group' || node.type === 'repeat') read(node.children ?? [], key)
    }
  }
  read(tree.children ?? [], '')
  return nodes
}

const asText = (value: unknown): string => (value === undefined || value === null ? '' : String(value))

/** `/data/house/age > 5` as its author wrote it: `${age} > 5`. */
const readable = (expression: unknown, root: string): string => {
  const [start = '', ...pieces] = asText(expression).split(`/${root}/`)
  const named = pieces.map((piece) => {
    const path = /^[\w.\-/]*/.exec(piece)?.[0] ?? ''
    return path === '' ? `/${root}/${piece}` : `\${${path.split('/').at(-1)}}${piece.slice(path.length)}`
  })
  return start + named.join('')
}

const byLanguage = (words: Words): Readonly<Record<string, string>> =>
  typeof words === 'object' ? words : words === undefined ? {} : { default: words }

const wordChanges = (part: Part, from: Words, to: Words): Change[] => {
  const [before, after] = [byLanguage(from), byLanguage(to)]
  const languages = [...new Set([...Object.keys(before), ...Object.keys(after)])]
  return languages
    .filter((language) => (before[language] ?? '') !== (after[language] ?? ''))
    .map((language) => ({
      part,
      ...(language !== 'default' && { language }),
      from: before[language] ?? '',
      to: after[language] ?? '',
    }))
}

const valuesOf = ({ type, node, root }: Node): readonly (readonly [Part, string])[] => [
  ['type', type],
  ['relevant', readable(node.bind?.relevant, root)],
  ['required', readable(node.bind?.required, root)],
  ['constraint', readable(node.bind?.constraint, root)],
  ['calculate', readable(node.bind?.calculate, root)],
  ['readonly', readable(node.bind?.readonly, root)],
  ['default', asText(node.default)],
  ['appearance', asText(node.control?.appearance)],
]

type Compare = (from: readonly Choice[], to: readonly Choice[]) => ChoiceChanges | undefined

/** Many questions share one list: each pair of lists is compared once. */
const remembered = (compare: Compare): Compare => {
  const known = new Map<readonly Choice[], Map<readonly Choice[], ChoiceChanges | undefined>>()
  return (from, to) => {
    const ofFrom = known.get(from) ?? new Map<readonly Choice[], ChoiceChanges | undefined>()
    known.set(from, ofFrom)
    if (!ofFrom.has(to)) ofFrom.set(to, compare(from, to))
    return ofFrom.get(to)
  }
}

const choiceChanges: Compare = (from, to) => {
  const before = new Map(from.map((choice) => [choice.name, choice]))
  const names = new Set(to.map(({ name }) => name))
  const added = to.filter(({ name }) => !before.has(name))
  const removed = from.filter(({ name }) => !names.has(name))
  const reworded = to.filter(({ name, label }) => {
    const former = before.get(name)
    return former !== undefined && wordChanges('label', former.label, label).length > 0
  })
  return added.length + removed.length + reworded.length === 0 ? undefined : { added, removed, reworded }
}

const changesOf = (from: Node, to: Node): Change[] => {
  const after = valuesOf(to)
  return [
    ...wordChanges('label', from.label, to.label),
    ...wordChanges('hint', from.node.hint, to.node.hint),
    ...valuesOf(from).flatMap(([part, value], at) => {
      const now = after[at]?.[1] ?? ''
      return value === now ? [] : [{ part, from: value, to: now }]
    }),
  ]
}

const itemOf = ({ key, type, label }: Node): Item => ({ key, type, label })

export const differencesBetween = (former: Tree, next: Tree): Differences => {
  const [before, after] = [nodesOf(former), nodesOf(next)]
  const compareChoices = remembered(choiceChanges)
  const isIn = (nodes: ReadonlyMap<string, Node>) => (key: string) => nodes.has(key)
  const changed = [...after.values()].flatMap((to) => {
    const from = before.get(to.key)
    if (from === undefined) return []
    const [changes, choices] = [changesOf(from, to), compareChoices(from.choices, to.choices)]
    return changes.length === 0 && choices === undefined ? [] : [{ ...itemOf(to), changes, choices }]
  })
  const [kept, keptNow] = [[...before.keys()].filter(isIn(after)), [...after.keys()].filter(isIn(before))]
  return {
    added: [...after.values()].filter(({ key }) => !before.has(key)).map(itemOf),
    removed: [...before.values()].filter(({ key }) => !after.has(key)).map(itemOf),
    changed,
    isReordered: kept.some((key, at) => key !== keptNow[at]),
  }
}

export const isSame = ({ added, removed, changed, isReordered }: Differences): boolean =>
  added.length + removed.length + changed.length === 0 && !isReordered
