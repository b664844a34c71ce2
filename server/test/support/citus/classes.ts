// Columns that a statement says are equal, and whether one of them is equal to what is known before it runs.
import type { Item, Level } from './scopes.js'
import { conjunctsOf, isGiven, lastName, listOf, ofKind, textOf } from './tree.js'

/** one: a value that is given. several: one of those that are given. found: what another part of the statement finds first. */
export type Named = 'one' | 'several' | 'found' | 'not'

const strength: readonly Named[] = ['not', 'found', 'several', 'one']
const stronger = (a: Named, b: Named): Named => (strength.indexOf(a) > strength.indexOf(b) ? a : b)

export class Classes {
  readonly #parents = new Map<string, string>()
  readonly #named = new Map<string, Named>()

  of(item: number, column: string): Named {
    return this.#named.get(this.#root(`${item}.${column}`)) ?? 'not'
  }

  /** What a condition says for sure. */
  read(condition: unknown, level: Level): void {
    for (const part of conjunctsOf(condition)) this.#readOne(part, level)
  }

  /** `join … using (names)`: of everything so far. */
  readUsing(names: readonly string[], { items }: Level): void {
    for (const name of names) {
      const [first, ...others] = items.filter(({ columns }) => columns?.has(name))
      for (const other of others) if (first !== undefined) this.#tie(`${first.id}.${name}`, `${other.id}.${name}`)
    }
  }

  #readOne(node: unknown, level: Level): void {
    const link = ofKind(node, 'SubLink')
    const column = link?.subLinkType === 'ANY_SUBLINK' ? this.#column(link.testexpr, level) : undefined
    if (column !== undefined) this.#name(column.key, 'found')
    const comparison = ofKind(node, 'A_Expr')
    if (comparison === undefined || lastName(comparison.name) !== '=') return
    const { kind, lexpr, rexpr } = comparison
    const left = this.#column(lexpr, level)
    if (left === undefined) {
      if (kind === 'AEXPR_OP' && this.#column(rexpr, level) !== undefined) this.#readOne(turned(comparison), level)
      return
    }
    if (kind === 'AEXPR_OP_ANY') this.#name(left.key, isGiven(rexpr) ? 'several' : 'found')
    else if (kind === 'AEXPR_IN') this.#name(left.key, listOf(fieldList(rexpr)).every(isGiven) ? 'several' : 'found')
    else if (kind === 'AEXPR_OP') this.#equal(left, rexpr, level)
  }

  #equal(left: Column, node: unknown, level: Level): void {
    const right = this.#column(node, level)
    if (right !== undefined) {
      this.#tie(left.key, right.key)
      // Of a query of growing tables the planner has not seen the form yet: it has to be named here, too.
      for (const { item } of [left, right])
        if (item.kind !== 'growing' && !item.holdsGrowing) this.#name(left.key, 'found')
    } else this.#name(left.key, isGiven(node) ? 'one' : 'found')
  }

  #column(node: unknown, level: Level): Column | undefined {
    const fields = listOf(ofKind(node, 'ColumnRef')?.fields)
    const names = fields.map(textOf)
    const [first = '', second] = names
    if (fields.length === 0 || fields.length > 2) return undefined
    const name = second ?? first
    const isWhose = ({ alias, columns }: Item): boolean =>
      second === undefined ? (columns?.has(name) ?? false) : alias === first
    for (const { items } of [level, ...[...level.outer].reverse()]) {
      const item = items.find(isWhose)
      if (item !== undefined) return { item, key: `${item.id}.${name}` }
    }
    return undefined
  }

  #name(key: string, named: Named): void {
    const root = this.#root(key)
    this.#named.set(root, stronger(this.#named.get(root) ?? 'not', named))
  }

  #tie(a: string, b: string): void {
    const [one, other] = [this.#root(a), this.#root(b)]
    if (one === other) return
    this.#parents.set(other, one)
    this.#name(one, this.#named.get(other) ?? 'not')
  }

  #root(key: string): string {
    const parent = this.#parents.get(key)
    return parent === undefined ? key : this.#root(parent)
  }
}

interface Column {
  readonly item: Item
  readonly key: string
}

const fieldList = (node: unknown): unknown => ofKind(node, 'List')?.items

const turned = (comparison: Readonly<Record<string, unknown>>) => ({
  A_Expr: { ...comparison, lexpr: comparison.rexpr, rexpr: comparison.lexpr },
})
