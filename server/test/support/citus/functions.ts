// Rule 3: functions in statements over growing tables. The coordinator computes what is given; workers compute what is of columns:
// what depends on a session, or changes something, may not be left to them.
import type { Catalog } from './catalog.js'
import type { Violation } from './rules.js'
import type { Level, Scopes } from './scopes.js'
import { type Fields, lastName, walk } from './tree.js'

/** They change nothing, and any server may say it. */
const harmless = new Set(['random', 'clock_timestamp', 'gen_random_uuid', 'timeofday'])

interface Kinds {
  isVolatile(name: string): boolean
  isStable(name: string): boolean
}

const kindsOf = (catalog: Catalog): Kinds => {
  const volatile = new Set(catalog.volatile)
  const stable = new Set(catalog.stable)
  return { isVolatile: (name) => volatile.has(name), isStable: (name) => stable.has(name) }
}

/** There are three thousand names, and one catalog. */
const known = new WeakMap<Catalog, Kinds>()

const nameOf = ({ funcname }: Fields): string => lastName(funcname)

/** Of expressions, also within queries, except those in WITH. */
const callsIn = (node: unknown, goesInto: 'queries' | 'expressions'): Fields[] => {
  const calls: Fields[] = []
  walk(node, (kind, fields) => {
    if (kind === 'FuncCall') calls.push(fields)
    return kind !== 'CommonTableExpr' && (goesInto === 'queries' || (kind !== 'SubLink' && kind !== 'RangeSubselect'))
  })
  return calls
}

const hasColumn = (node: unknown): boolean => {
  let has = false
  walk(node, (kind) => {
    if (kind === 'ColumnRef') has = true
    return kind !== 'SubLink'
  })
  return has
}

const withoutWith = ({ withClause: _, ...fields }: Fields): Fields => fields

/** Of an UPDATE or DELETE of a growing table. */
const inChange = ({ fields, kind }: Level, { isVolatile, isStable }: Kinds): string[] => {
  const rules: string[] = []
  const verb = kind === 'UpdateStmt' ? 'UPDATE' : 'DELETE'
  for (const call of callsIn(withoutWith(fields), 'queries')) {
    if (isVolatile(nameOf(call))) rules.push(`the volatile function ${nameOf(call)} in an ${verb} of it`)
  }
  const own = [fields.targetList, fields.whereClause]
  for (const call of callsIn(own, 'expressions')) {
    if (isStable(nameOf(call)) && hasColumn(call.args)) rules.push(`${nameOf(call)} of a column in an ${verb} of it`)
  }
  walk(own, (kind, branch) => {
    if (kind === 'SubLink') return false
    if (kind !== 'CoalesceExpr' && kind !== 'CaseExpr') return true
    for (const call of callsIn(branch, 'expressions')) {
      if (isStable(nameOf(call))) rules.push(`${nameOf(call)} within CASE or COALESCE in an ${verb} of it`)
    }
    return true
  })
  return rules
}

const inReturning = ({ fields }: Level, { isVolatile, isStable }: Kinds): string[] =>
  callsIn(fields.returningList, 'queries')
    .map(nameOf)
    .filter((name) => isVolatile(name) || isStable(name))
    .map((name) => `${name}, which is not immutable, in RETURNING`)

const inConflict = ({ fields }: Level, { isVolatile, isStable }: Kinds): string[] =>
  callsIn(fields.onConflictClause, 'queries')
    .map(nameOf)
    .filter((name) => isVolatile(name) || isStable(name))
    .map((name) => `${name}, which is not immutable, in ON CONFLICT`)

const ofChanges = ({ levels }: Scopes, kinds: Kinds): Violation[] =>
  levels.flatMap((level) => {
    const [target] = level.items
    if (level.kind === 'SelectStmt' || target?.kind !== 'growing') return []
    const rules = [
      ...(level.kind === 'InsertStmt' ? inConflict(level, kinds) : inChange(level, kinds)),
      ...inReturning(level, kinds),
    ]
    return rules.map((rule) => ({ rule, table: target.table }))
  })

/** The query itself, without those within it. */
const ownCalls = ({ fields }: Level): string[] =>
  callsIn(withoutWith(fields), 'expressions')
    .map(nameOf)
    .filter((name) => !harmless.has(name))

/** A SELECT of a growing table is sent to its worker as it is, WITH included where nothing in it has to stay: sequences, locks and
 * settings of the worker are not those of the coordinator. */
const ofQueries = ({ levels, units }: Scopes, { isVolatile }: Kinds): Violation[] => {
  const changes = levels.some(({ kind }) => kind !== 'SelectStmt')
  const hasLocal = levels.some(({ items }) => items.some(({ kind }) => kind === 'local'))
  const sentWhole = !changes && !hasLocal
  const growing = levels.flatMap(({ items }) => items).find(({ kind }) => kind === 'growing')
  const isAsked = (level: Level): boolean =>
    sentWhole || units.some(({ items }) => items.some(({ kind }) => kind === 'growing') && sharesItems(items, level))
  if (growing === undefined) return []
  return levels
    .filter((level) => level.kind === 'SelectStmt' && isAsked(level))
    .flatMap(ownCalls)
    .filter(isVolatile)
    .map((name) => ({ rule: `the volatile function ${name} would run on its worker`, table: growing.table }))
}

const sharesItems = (items: readonly unknown[], level: Level): boolean => level.items.some((one) => items.includes(one))

export const brokenByFunctions = (scopes: Scopes, catalog: Catalog): Violation[] => {
  const kinds = known.get(catalog) ?? kindsOf(catalog)
  known.set(catalog, kinds)
  return [...ofChanges(scopes, kinds), ...ofQueries(scopes, kinds)]
}
