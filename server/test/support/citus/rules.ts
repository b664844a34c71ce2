// What Citus refuses, or runs where it must not run, of statements over tables that are distributed by form (ADR 0042). PostgreSQL
// itself takes all of it: so every statement that the tests run is read by PostgreSQL's parser and held against these rules.
import { parseSync } from 'libpg-query'
import { growingTables } from '../../../src/features/distribution/index.js'
import type { Catalog } from './catalog.js'
import { brokenByFunctions } from './functions.js'
import { type Item, type Level, ScopeReader, type Scopes } from './scopes.js'
import { type Fields, fieldsOf, lastName, listOf, ofKind, walk } from './tree.js'

export interface Violation {
  readonly rule: string
  readonly table: string
}

const growing: ReadonlySet<string> = new Set(growingTables)

const isGrowing = ({ kind }: Item): boolean => kind === 'growing'

/** Rule 1: what is on the workers and what is on the coordinator meet only through WITH, or a query of local tables alone. */
const joined = ({ units }: Scopes): Violation[] =>
  units.flatMap(({ items, fromQueries }) => {
    const local = items.find(({ kind }) => kind === 'local')
    if (local === undefined) return []
    const table = items.find(isGrowing)?.table ?? (fromQueries.length > 0 ? 'a query of a growing table' : undefined)
    return table === undefined ? [] : [{ rule: `joined directly with the local table ${local.table}`, table }]
  })

/** The table that a statement changes. */
const targetOf = ({ kind, fields, items }: Level): Item | undefined =>
  kind === 'SelectStmt' || fields.relation === undefined ? undefined : items[0]

/** Rule 2: a growing table is asked for the form that is meant, or for several that are known; one of it is changed. */
const withoutForm = ({ levels, formOf }: Scopes): Violation[] =>
  levels.flatMap((level) => {
    const target = targetOf(level)
    return level.items.filter(isGrowing).flatMap((item): Violation[] => {
      if (item === target && level.kind === 'InsertStmt') return []
      const named = formOf(item)
      if (item === target)
        return named === 'one' ? [] : [{ rule: 'changed without a constant form', table: item.table }]
      return named === 'not' ? [{ rule: 'asked without its form', table: item.table }] : []
    })
  })

/** Rule 4: a lock is taken on one shard. */
const lockedWithoutForm = ({ levels, formOf }: Scopes): Violation[] =>
  levels.flatMap(({ fields, items }) =>
    listOf(fields.lockingClause).flatMap((clause) => {
      const names = listOf(ofKind(clause, 'LockingClause')?.lockedRels).map((one) => {
        const { alias, relname } = ofKind(one, 'RangeVar') ?? {}
        return String(fieldsOf(alias).aliasname ?? relname)
      })
      return items
        .filter((item) => isGrowing(item) && (names.length === 0 || names.includes(item.alias)))
        .filter((item) => formOf(item) !== 'one')
        .map(({ table }) => ({ rule: 'FOR UPDATE without a constant form', table }))
    }),
  )

/** Rule 5: rows are written with their form, which never changes. */
const writtenWithoutForm = ({ levels }: Scopes): Violation[] =>
  levels.flatMap((level): Violation[] => {
    const target = targetOf(level)
    if (target === undefined || !isGrowing(target)) return []
    const { table } = target
    const columns = (list: unknown) => listOf(list).map((one) => String(ofKind(one, 'ResTarget')?.name))
    const { fields, kind } = level
    if (kind === 'MergeStmt') return [{ rule: 'written by MERGE', table }]
    if (kind === 'InsertStmt') {
      const set = columns(fieldsOf(fields.onConflictClause).targetList)
      if (set.includes('form_id')) return [{ rule: 'its form is changed', table }]
      return columns(fields.cols).includes('form_id') ? [] : [{ rule: 'inserted without its form', table }]
    }
    return kind === 'UpdateStmt' && columns(fields.targetList).includes('form_id')
      ? [{ rule: 'its form is changed', table }]
      : []
  })

/** Rule 6: `insert … values` takes values alone. */
const insertedQueries = ({ levels }: Scopes): Violation[] =>
  levels.flatMap((level) => {
    const target = targetOf(level)
    if (target === undefined || !isGrowing(target) || level.kind !== 'InsertStmt') return []
    let hasQuery = false
    walk(ofKind(level.fields.selectStmt, 'SelectStmt')?.valuesLists, (kind) => {
      if (kind === 'SubLink') hasQuery = true
      return true
    })
    return hasQuery ? [{ rule: 'a query within INSERT … VALUES', table: target.table }] : []
  })

const physical = new Set(['ctid', 'xmin', 'xmax', 'cmin', 'cmax', 'tableoid'])

/** Rule 7: where a row lies is told by the shard, of which there are many; a sample of a shell is empty. */
const physicalPlaces = ({ levels }: Scopes): Violation[] =>
  levels.flatMap(({ fields, items }) => {
    const item = items.find(isGrowing)
    if (item === undefined) return []
    const rules: string[] = []
    walk(fields, (kind, { fields: names }) => {
      if (kind === 'ColumnRef' && physical.has(lastName(names))) rules.push(`its ${lastName(names)} is asked for`)
      if (kind === 'RangeTableSample') rules.push('sampled')
      return kind !== 'SubLink' && kind !== 'RangeSubselect' && kind !== 'CommonTableExpr'
    })
    return rules.map((rule) => ({ rule, table: item.table }))
  })

/** Rule 8: across forms, a query that looks at rows of what was found first would have to be sent wherever they are. */
const followed = ({ levels, formOf }: Scopes): Violation[] =>
  levels.flatMap(({ isCorrelated, items, outer }) => {
    const item = items.find((one) => isGrowing(one) && formOf(one) !== 'one')
    const around = outer.at(-1)
    return isCorrelated &&
      item !== undefined &&
      around !== undefined &&
      !around.items.some(({ holdsGrowing }) => holdsGrowing)
      ? [{ rule: 'asked for each row of something else, across forms', table: item.table }]
      : []
  })

/** Rule 9: an INSERT into it has no other change in its WITH; a SELECT around both may have. */
const insertedBeside = ({ levels }: Scopes): Violation[] =>
  levels.flatMap((level) => {
    const target = targetOf(level)
    if (target === undefined || !isGrowing(target) || level.kind !== 'InsertStmt') return []
    const parts = listOf(fieldsOf(level.fields.withClause).ctes).map((one) => ofKind(one, 'CommonTableExpr')?.ctequery)
    return parts.some((query) => query !== undefined && ofKind(query, 'SelectStmt') === undefined)
      ? [{ rule: 'an INSERT into it with another change in its WITH', table: target.table }]
      : []
  })

/** Rule 10: what calls itself is not taken apart. */
const recursive = ({ levels }: Scopes): Violation[] => {
  const item = levels.flatMap(({ items }) => items).find(isGrowing)
  const isRecursive = levels.some(({ fields }) => fieldsOf(fields.withClause).recursive === true)
  return item !== undefined && isRecursive ? [{ rule: 'in a recursive WITH', table: item.table }] : []
}

/** A plain COPY names the table alone. */
const copiedTable = (copy: Fields): unknown => copy.query

const statementOf = (node: unknown): unknown => {
  const copy = ofKind(node, 'CopyStmt')
  if (copy !== undefined) return copiedTable(copy)
  return ofKind(node, 'ExplainStmt')?.query ?? ofKind(node, 'DeclareCursorStmt')?.query ?? node
}

const mentions = new RegExp(`\\b(?:${growingTables.join('|')})\\b`)

export interface CheckOptions {
  /** It is marked: it looks through all forms, on purpose. */
  readonly isAcrossForms?: boolean
}

interface Parsed {
  readonly stmts: readonly { readonly stmt: unknown }[]
}

/** COPY takes no bound values: they stand in it, quoted, before it is sent. */
const parsed = (text: string): Parsed => parseSync(/^\s*copy\b/i.test(text) ? text.replace(/\$\d+/g, "''") : text)

/** What is wrong with a statement, each once. */
export const violationsOf = (text: string, catalog: Catalog, options: CheckOptions = {}): Violation[] => {
  if (!mentions.test(text)) return []
  const found = parsed(text).stmts.flatMap(({ stmt }) => {
    const scopes = new ScopeReader(growing, catalog).read(statementOf(stmt))
    return [
      ...joined(scopes),
      ...(options.isAcrossForms === true ? [] : withoutForm(scopes)),
      ...lockedWithoutForm(scopes),
      ...writtenWithoutForm(scopes),
      ...insertedQueries(scopes),
      ...insertedBeside(scopes),
      ...recursive(scopes),
      ...physicalPlaces(scopes),
      ...followed(scopes),
      ...brokenByFunctions(scopes, catalog),
    ]
  })
  return [...new Map(found.map((one) => [`${one.table} ${one.rule}`, one])).values()]
}
