// The tree of a statement as PostgreSQL's own parser gives it: plain objects, each below the name of its kind.

/** Of some kind: its fields. */
export type Fields = Readonly<Record<string, unknown>>

export const fieldsOf = (value: unknown): Fields =>
  typeof value === 'object' && value !== null ? (value as Fields) : {}

export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

/** The fields of a node of this kind; undefined of any other. */
export const ofKind = (node: unknown, kind: string): Fields | undefined => {
  const fields = fieldsOf(node)[kind]
  return fields === undefined ? undefined : fieldsOf(fields)
}

export const textOf = (node: unknown): string => String(ofKind(node, 'String')?.sval ?? '')

/** The last part of a name: of a column, a function, an operator. */
export const lastName = (parts: unknown): string => textOf(listOf(parts).at(-1))

/** A value that is known before the statement runs: bound, written, or either of them converted. */
export const isGiven = (node: unknown): boolean => {
  const cast = ofKind(node, 'TypeCast')
  if (cast !== undefined) return isGiven(cast.arg)
  const array = ofKind(node, 'A_ArrayExpr')
  if (array !== undefined) return listOf(array.elements).every(isGiven)
  return ofKind(node, 'ParamRef') !== undefined || ofKind(node, 'A_Const') !== undefined
}

/** What `and` puts together. */
export const conjunctsOf = (node: unknown): readonly unknown[] => {
  const words = ofKind(node, 'BoolExpr')
  return words?.boolop === 'AND_EXPR' ? listOf(words.args).flatMap(conjunctsOf) : [node]
}

/** Every node below, and itself; not below those that `goesOn` declines. */
export const walk = (node: unknown, visit: (kind: string, fields: Fields) => boolean): void => {
  if (Array.isArray(node)) {
    for (const one of node) walk(one, visit)
    return
  }
  if (typeof node !== 'object' || node === null) return
  for (const [key, value] of Object.entries(node)) {
    if (typeof value !== 'object' || value === null) continue
    if (/^[A-Z]/.test(key) && !visit(key, value as Fields)) continue
    walk(value, visit)
  }
}
