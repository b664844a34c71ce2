import type { PlacedEntity } from '../entities/place-entities.js'
import type { Settings } from '../settings.js'
import type { FormNode } from '../survey/node.js'
import type { WriteContext } from './write-context.js'

/** Everything the writer and the model are made from. */
export interface Form extends WriteContext {
  settings: Settings
  root: FormNode
  meta: FormNode
  entities: PlacedEntity[]
  /** The entity declared in the `meta` of a container. */
  entityOf: ReadonlyMap<FormNode, PlacedEntity>
  /** Prefix of the attribute that keeps the label of a question that is not shown; null where none is kept. */
  labelPrefix: string | null
}

/** The elements below a container in the instance: groups of flat forms are passed through. */
export function* instanceChildren(node: FormNode): Generator<FormNode> {
  for (const child of node.children) {
    if (child.isFlat) yield* instanceChildren(child)
    else yield child
  }
}

/** All elements in the order of the rows, containers before their contents. */
export function* allNodes(node: FormNode): Generator<FormNode> {
  for (const child of node.children) {
    yield child
    if (child.children.length > 0) yield* allNodes(child)
  }
}
