import type { ProblemList } from '../problems.js'
import type { Resolver } from '../references/resolver.js'
import { FormNode, type Source } from '../survey/node.js'
import type { EntityList } from './read-entities.js'

/** An entity list with the container whose `meta` declares it. */
export interface PlacedEntity extends EntityList {
  container: FormNode
  /** Stand-ins for the generated elements, so that references resolve as seen from them. */
  meta: FormNode
  element: FormNode
}

interface Wish {
  list: EntityList
  scope: FormNode
  container: FormNode
}

/** Finds for every list the element that declares its entities. */
export const placeEntities = (
  lists: readonly EntityList[],
  root: FormNode,
  resolver: Resolver,
  problems: ProblemList,
): PlacedEntity[] => {
  const wishes = lists.map((list) => wishFor(list, lists.length === 1, root, resolver, problems))
  const taken = new Map<FormNode, EntityList>()
  // Lists with save_to have less freedom, so they choose first; within each kind the sheet's order decides.
  const byFreedom = [...wishes].sort(
    (a, b) => Number(a.list.savedNodes.length === 0) - Number(b.list.savedNodes.length === 0),
  )
  const places = new Map<EntityList, FormNode>()
  for (const wish of byFreedom) {
    const container = freeContainer(wish, taken)
    if (container === undefined) {
      problems.add(
        'no-place-for-entity',
        `There is no group or repeat left to hold the entity '${wish.list.dataset}': each can hold one. Put its questions into a group of their own.`,
        { sheet: 'entities', row: wish.list.row, column: 'list_name', value: wish.list.dataset },
      )
      continue
    }
    taken.set(container, wish.list)
    places.set(wish.list, container)
  }
  checkOwners(lists, places, taken, problems)
  return lists.flatMap((list) => {
    const container = places.get(list)
    if (container === undefined) return []
    const meta = new FormNode('group', 'meta', 0).attach(container)
    return [{ ...list, container, meta, element: new FormNode('group', 'entity', 0).attach(meta) }]
  })
}

const scopeOf = (node: FormNode, root: FormNode): FormNode => node.repeat ?? root

const isWithin = (node: FormNode | null, ancestor: FormNode): boolean => {
  for (let current = node; current !== null; current = current.parent) if (current === ancestor) return true
  return false
}

const wishFor = (
  list: EntityList,
  isOnly: boolean,
  root: FormNode,
  resolver: Resolver,
  problems: ProblemList,
): Wish => {
  const columns = [list.label, list.entityId, list.createIf, list.updateIf]
  const referred = columns.flatMap((source) => referredNodes(source, root, resolver))
  const repeat = referredNodes(list.repeat, root, resolver).find((node) => node.kind === 'repeat')
  const scopes = [...list.savedNodes, ...referred].map((node) => scopeOf(node, root))
  if (repeat !== undefined) scopes.push(repeat)
  const scope = scopes.reduce((deepest, one) => (one.depth > deepest.depth ? one : deepest), root)
  const place = { sheet: 'entities', row: list.row, column: 'list_name', value: list.dataset }
  if (!scopes.every((one) => isWithin(scope, one)))
    problems.add(
      'entity-scopes',
      `The entity '${list.dataset}' refers to questions of different repeats. Keep them within one repeat and what is around it.`,
      place,
    )
  else if (list.savedNodes.some((node) => scopeOf(node, root) !== scope))
    problems.add(
      'entity-scopes',
      `All questions saved to '${list.dataset}' must be in ${scope === root ? 'no repeat' : `the repeat '${scope.name}'`}, like the rest of the entity.`,
      place,
    )
  if (isOnly && scope === root) return { list, scope, container: root }
  return { list, scope, container: wantedContainer(list, referred, scope, root) }
}

const wantedContainer = (list: EntityList, referred: FormNode[], scope: FormNode, root: FormNode): FormNode => {
  const [first, ...others] = list.savedNodes
  let container = scope
  if (first !== undefined) {
    container = first.parent ?? root
    for (const node of others)
      while (!isWithin(node, container) && container.parent !== null) container = container.parent
  } else {
    const deepest = referred
      .filter((node) => scopeOf(node, root) === scope)
      .reduce<FormNode | null>((best, node) => (best === null || node.depth > best.depth ? node : best), null)
    if (deepest !== null) container = deepest.parent ?? root
  }
  return isWithin(container, scope) ? container : scope
}

// An entity nearer to a question than its own would take the question over.
const freeContainer = (
  { list, scope, container }: Wish,
  taken: ReadonlyMap<FormNode, EntityList>,
): FormNode | undefined => {
  let current: FormNode | null = container
  while (current !== null) {
    if (!taken.has(current)) return current
    if (current === scope || list.savedNodes.length > 0) return undefined
    current = current.parent
  }
  return undefined
}

const checkOwners = (
  lists: readonly EntityList[],
  places: ReadonlyMap<EntityList, FormNode>,
  taken: ReadonlyMap<FormNode, EntityList>,
  problems: ProblemList,
): void => {
  for (const list of lists)
    for (const node of list.savedNodes) {
      let owner = node.parent
      while (owner !== null && !taken.has(owner)) owner = owner.parent
      const nearest = owner === null ? undefined : taken.get(owner)
      if (nearest === undefined || nearest === list || !places.has(list)) continue
      problems.add(
        'save-to-taken-over',
        `'${node.name}' is saved to '${list.dataset}' but stands in a group that holds the entity '${nearest.dataset}'. Move it out of there.`,
        { sheet: 'survey', row: node.row, column: 'save_to', value: node.bind.get('entities:saveto')?.text ?? null },
      )
    }
}

const referredNodes = (source: Source | null, root: FormNode, resolver: Resolver): FormNode[] => {
  if (source === null) return []
  const names = [...source.text.matchAll(/\$\{([^{}]*)\}/g)].map((match) => match[1] ?? '')
  return names
    .filter((name) => !name.startsWith('last-saved#'))
    .map((name) => resolver.target(name, source, root))
    .filter((node) => node !== undefined)
}
