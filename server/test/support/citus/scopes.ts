// Who stands where in a statement: the tables of each query within it, which queries look at columns of the query around them,
// and which forms the growing tables are asked for.
import type { Catalog } from './catalog.js'
import { Classes, type Named } from './classes.js'
import { type Fields, fieldsOf, lastName, listOf, ofKind, textOf, walk } from './tree.js'

/** One entry of a FROM, or the table that is changed. */
export interface Item {
  readonly id: number
  readonly alias: string
  /** of: a table that grows, one that does not, or something that is made on the way. */
  readonly kind: 'growing' | 'local' | 'made'
  readonly table: string
  /** undefined: not known. */
  readonly columns: ReadonlySet<string> | undefined
  /** Made of a growing table, in place. */
  readonly holdsGrowing: boolean
}

/** What is planned by itself: a query with those within it that look at its columns. */
export interface Unit {
  readonly items: Item[]
  /** Entries of a FROM that are queries of growing tables. */
  readonly fromQueries: Unit[]
}

/** One query. */
export interface Level {
  readonly fields: Fields
  readonly kind: string
  readonly items: Item[]
  readonly outer: readonly Level[]
  readonly children: Level[]
  readonly fromQueries: Level[]
  isCorrelated: boolean
}

export interface Scopes {
  readonly levels: readonly Level[]
  readonly units: readonly Unit[]
  /** How the form of an item is named. */
  readonly formOf: (item: Item) => Named
}

const queryKinds = ['SelectStmt', 'InsertStmt', 'UpdateStmt', 'DeleteStmt', 'MergeStmt'] as const

const queryOf = (node: unknown): { kind: string; fields: Fields } | undefined => {
  for (const kind of queryKinds) {
    const fields = ofKind(node, kind)
    if (fields !== undefined) return { kind, fields }
  }
  return undefined
}

type Made = ReadonlyMap<string, ReadonlySet<string> | undefined>

/** The names of the columns that a query gives; undefined: some are not known. */
const outputOf = (level: Level): ReadonlySet<string> | undefined => {
  const { fields, kind, children } = level
  if (kind === 'SelectStmt' && fields.larg !== undefined) return children[0] && outputOf(children[0])
  const names = new Set<string>()
  for (const target of listOf(kind === 'SelectStmt' ? fields.targetList : fields.returningList)) {
    const { name, val } = ofKind(target, 'ResTarget') ?? {}
    const column = listOf(ofKind(val, 'ColumnRef')?.fields)
    if (column.length > 0 && ofKind(column.at(-1), 'A_Star') !== undefined) {
      const whose = column.length > 1 ? textOf(column[0]) : undefined
      for (const item of level.items.filter(({ alias }) => whose === undefined || alias === whose)) {
        if (item.columns === undefined) return undefined
        for (const one of item.columns) names.add(one)
      }
    } else {
      const cast = fieldsOf(ofKind(val, 'TypeCast')).arg ?? val
      const own = lastName(ofKind(cast, 'ColumnRef')?.fields) || lastName(ofKind(cast, 'FuncCall')?.funcname)
      names.add(String(name ?? own))
    }
  }
  return names
}

/** Reads a whole statement. `growing`: names of tables. */
export class ScopeReader {
  readonly levels: Level[] = []
  readonly #classes = new Classes()
  readonly #growing: ReadonlySet<string>
  readonly #catalog: Catalog
  #items = 0

  constructor(growing: ReadonlySet<string>, catalog: Catalog) {
    this.#growing = growing
    this.#catalog = catalog
  }

  read(statement: unknown): Scopes {
    const query = queryOf(statement)
    if (query !== undefined) this.#level(query.kind, query.fields, [], new Map())
    const roots = this.levels.filter(({ isCorrelated }) => !isCorrelated)
    const unitOf = new Map<Level, Unit>(roots.map((level) => [level, { items: [], fromQueries: [] }]))
    const collect = (level: Level, unit: Unit): void => {
      unit.items.push(...level.items)
      for (const child of level.children) {
        if (child.isCorrelated) collect(child, unit)
      }
      for (const child of level.fromQueries) {
        const own = unitOf.get(child)
        if (own !== undefined) unit.fromQueries.push(own)
      }
    }
    for (const [level, unit] of unitOf) collect(level, unit)
    return { levels: this.levels, units: [...unitOf.values()], formOf: (item) => this.#classes.of(item.id, 'form_id') }
  }

  #level(kind: string, fields: Fields, outer: readonly Level[], known: Made): Level {
    const level: Level = { fields, kind, items: [], outer, children: [], fromQueries: [], isCorrelated: false }
    const made = this.#with(level, known)
    this.levels.push(level)
    const inner = [...outer, level]
    if (fields.larg !== undefined) {
      for (const arm of [fields.larg, fields.rarg]) level.children.push(this.#level(kind, fieldsOf(arm), outer, made))
      for (const child of level.children) if (child.isCorrelated) level.isCorrelated = true
      return level
    }
    if (kind !== 'SelectStmt') this.#target(level, fieldsOf(fields.relation))
    for (const from of [...listOf(fields.fromClause), ...listOf(fields.usingClause)])
      this.#from(level, from, inner, made)
    if (kind === 'InsertStmt') this.#inserted(level, inner, made)
    const rest = Object.entries(fields).filter(
      ([key]) => !['fromClause', 'usingClause', 'withClause', 'relation', 'selectStmt'].includes(key),
    )
    this.#expressions(
      level,
      rest.map(([, value]) => value),
      inner,
      made,
    )
    this.#classes.read(fields.whereClause, level)
    return level
  }

  /** What stands in WITH is planned by itself, and sees nothing of the query that it belongs to. */
  #with(level: Level, known: Made): Made {
    const made = new Map(known)
    for (const node of listOf(fieldsOf(level.fields.withClause).ctes)) {
      const { ctename, ctequery, aliascolnames } = ofKind(node, 'CommonTableExpr') ?? {}
      const query = queryOf(ctequery)
      if (query === undefined) continue
      if (fieldsOf(level.fields.withClause).recursive === true) made.set(String(ctename), undefined)
      const body = this.#level(query.kind, query.fields, level.outer, made)
      const renamed = listOf(aliascolnames).map(textOf)
      made.set(String(ctename), renamed.length > 0 ? new Set(renamed) : outputOf(body))
    }
    return made
  }

  #add(level: Level, item: Omit<Item, 'id'>): Item {
    this.#items += 1
    const added = { id: this.#items, ...item }
    level.items.push(added)
    return added
  }

  #table(level: Level, { relname, schemaname, alias }: Fields, made: Made): void {
    const table = String(relname)
    const name = String(fieldsOf(alias).aliasname ?? table)
    if (schemaname === undefined && made.has(table)) {
      this.#add(level, { alias: name, kind: 'made', table, columns: made.get(table), holdsGrowing: false })
      return
    }
    const kind = this.#growing.has(table) ? 'growing' : 'local'
    const columns = Object.hasOwn(this.#catalog.columns, table) ? this.#catalog.columns[table] : undefined
    this.#add(level, {
      alias: name,
      kind,
      table,
      columns: columns && new Set(columns),
      holdsGrowing: kind === 'growing',
    })
  }

  #target(level: Level, relation: Fields): void {
    this.#table(level, relation, new Map())
    if (level.fields.onConflictClause === undefined) return
    this.#add(level, { alias: 'excluded', kind: 'made', table: '', columns: new Set(), holdsGrowing: false })
  }

  #inserted(level: Level, inner: readonly Level[], made: Made): void {
    const query = queryOf(level.fields.selectStmt)
    if (query === undefined) return
    const lists = listOf(query.fields.valuesLists)
    if (lists.length > 0) this.#expressions(level, lists, inner, made)
    else this.#level(query.kind, query.fields, level.outer, made)
  }

  #from(level: Level, node: unknown, inner: readonly Level[], made: Made): void {
    const table = ofKind(node, 'RangeVar')
    const join = ofKind(node, 'JoinExpr')
    const query = ofKind(node, 'RangeSubselect')
    const call = ofKind(node, 'RangeFunction')
    const sample = ofKind(node, 'RangeTableSample')
    if (table !== undefined) this.#table(level, table, made)
    if (sample !== undefined) this.#from(level, sample.relation, inner, made)
    if (join !== undefined) {
      this.#from(level, join.larg, inner, made)
      this.#from(level, join.rarg, inner, made)
      this.#expressions(level, [join.quals], inner, made)
      this.#classes.read(join.quals, level)
      this.#classes.readUsing(listOf(join.usingClause).map(textOf), level)
    }
    if (query !== undefined) this.#subselect(level, query, inner, made)
    if (call !== undefined) this.#call(level, call, inner, made)
  }

  #subselect(level: Level, { subquery, alias }: Fields, inner: readonly Level[], made: Made): void {
    const query = queryOf(subquery)
    if (query === undefined) return
    const from = this.levels.length
    const child = this.#level(query.kind, query.fields, inner, made)
    level.children.push(child)
    const holdsGrowing = this.levels.slice(from).some(({ items }) => items.some(({ kind }) => kind === 'growing'))
    if (holdsGrowing) level.fromQueries.push(child)
    const renamed = listOf(fieldsOf(alias).colnames).map(textOf)
    const columns = renamed.length > 0 ? new Set(renamed) : outputOf(child)
    // One that looks at others beside it is asked for each of their rows: it is no table to be joined with.
    const isTable = holdsGrowing && !child.isCorrelated
    this.#add(level, {
      alias: String(fieldsOf(alias).aliasname),
      kind: 'made',
      table: '',
      columns,
      holdsGrowing: isTable,
    })
  }

  #call(level: Level, { functions, alias, coldeflist }: Fields, inner: readonly Level[], made: Made): void {
    this.#expressions(level, [functions], inner, made)
    const names = [
      ...listOf(fieldsOf(alias).colnames).map(textOf),
      ...listOf(coldeflist).map((one) => String(ofKind(one, 'ColumnDef')?.colname)),
    ]
    const columns = names.length > 0 ? new Set(names) : undefined
    const name = String(fieldsOf(alias).aliasname ?? '')
    this.#add(level, { alias: name, kind: 'made', table: '', columns, holdsGrowing: false })
  }

  /** Columns that are named here, and queries within. */
  #expressions(level: Level, nodes: readonly unknown[], inner: readonly Level[], made: Made): void {
    walk(nodes, (kind, fields) => {
      if (kind === 'ColumnRef') this.#column(fields, inner)
      const query = kind === 'SubLink' ? queryOf(fields.subselect) : undefined
      if (query === undefined) return true
      level.children.push(this.#level(query.kind, query.fields, inner, made))
      this.#expressions(level, [fields.testexpr], inner, made)
      return false
    })
  }

  /** Every query between a column and whose it is looks at the query around it. */
  #column({ fields }: Fields, levels: readonly Level[]): void {
    const names = listOf(fields).map(textOf)
    const [first = '', second] = names
    if (first === '') return
    const isThere = ({ items }: Level): boolean =>
      items.some(({ alias, columns }) => alias === first || (second === undefined && (columns?.has(first) ?? true)))
    const at = levels.findLastIndex(isThere)
    if (at === -1) return
    for (const level of levels.slice(at + 1)) level.isCorrelated = true
  }
}
