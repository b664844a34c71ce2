// Three orders of the same things as one.

export interface Orders<T> {
  readonly base: readonly T[]
  readonly mine: readonly T[]
  readonly theirs: readonly T[]
}

const isSame = <T>(a: readonly T[], b: readonly T[]): boolean =>
  a.length === b.length && a.every((one, at) => one === b[at])

/** What stands behind each thing of the spine that is not of the spine itself; `undefined` for what comes first. */
const runsBehind = <T>(list: readonly T[], isOfSpine: ReadonlySet<T>): Map<T | undefined, T[]> => {
  const runs = new Map<T | undefined, T[]>()
  let anchor: T | undefined
  for (const one of list) {
    if (isOfSpine.has(one)) anchor = one
    else runs.set(anchor, [...(runs.get(anchor) ?? []), one])
  }
  return runs
}

const without = <T>(list: readonly T[], others: readonly T[], keyOf: (one: T) => string): T[] => {
  const left = new Map<string, number>()
  for (const one of others) left.set(keyOf(one), (left.get(keyOf(one)) ?? 0) + 1)
  return list.filter((one) => {
    const count = left.get(keyOf(one)) ?? 0
    left.set(keyOf(one), count - 1)
    return count <= 0
  })
}

/** What both have added at one place: the same once, the rest in an order that does not depend on who is who. */
const joined = <T>(mine: readonly T[], theirs: readonly T[], keyOf: (one: T) => string): readonly T[] => {
  const [more, own] = [without(theirs, mine, keyOf), without(mine, theirs, keyOf)]
  const isFirst = JSON.stringify(mine.map(keyOf)) <= JSON.stringify(theirs.map(keyOf))
  if (more.length === 0 || (own.length > 0 && isFirst)) return [...mine, ...more]
  // In their order, but with my own where both have the same.
  const shared = mine.filter((one) => !own.includes(one))
  const inTheirOrder = theirs.map((one) => {
    if (more.includes(one)) return one
    const at = shared.findIndex((twin) => keyOf(twin) === keyOf(one))
    return shared.splice(at, 1)[0] ?? one
  })
  return [...inTheirOrder, ...own]
}

/** The things of the base that are there on any side: in the order of the first, the others behind what they stood behind. */
const spineOf = <T>(base: readonly T[], leading: readonly T[], following: readonly T[]): T[] => {
  const isBase = new Set(base)
  const spine = leading.filter((one) => isBase.has(one))
  const there = new Set(spine)
  let before: T | undefined
  for (const one of [...following.filter((each) => isBase.has(each)), ...base]) {
    if (!there.has(one)) {
      spine.splice(before === undefined ? 0 : spine.indexOf(before) + 1, 0, one)
      there.add(one)
    }
    before = one
  }
  return spine
}

/**
 * All that any of them has, each once. Things are the same where they are identical; what was added on both sides also where
 * `keyOf` is equal. Where both have ordered anew, mine stands and `isSettled` is false.
 */
export const orderOf = <T>(
  { base, mine, theirs }: Orders<T>,
  keyOf: (one: T) => string,
): { order: T[]; isSettled: boolean } => {
  const [isBase, ofMine, ofTheirs] = [new Set(base), new Set(mine), new Set(theirs)]
  const inAll = (one: T) => isBase.has(one) && ofMine.has(one) && ofTheirs.has(one)
  const [common, own, other] = [base.filter(inAll), mine.filter(inAll), theirs.filter(inAll)]
  const isTheirs = isSame(own, common) && !isSame(other, common)
  const isSettled = isTheirs || isSame(other, common) || isSame(own, other)
  const spine = isTheirs ? spineOf(base, theirs, mine) : spineOf(base, mine, theirs)
  const there = new Set(spine)
  const [mineBehind, theirsBehind] = [runsBehind(mine, there), runsBehind(theirs, there)]
  const order = new Set<T>()
  for (const anchor of [undefined, ...spine]) {
    if (anchor !== undefined) order.add(anchor)
    for (const one of joined(mineBehind.get(anchor) ?? [], theirsBehind.get(anchor) ?? [], keyOf)) order.add(one)
  }
  return { order: [...order], isSettled }
}
