// The tables of a form for a workbook or an archive of CSVs: the records, and each repeat.
import { type FormShape, otherSlot, type Slot, tableColumns } from '../../../formats/columns/index.js'
import type { CellKind } from '../../../formats/xlsx/index.js'
import type { Db } from '../../../platform/db/index.js'
import { builtinFields } from '../../submissions/index.js'
import { answersOf } from '../reading/index.js'
import { chosenOf, type Slice } from '../selection/index.js'
import { reviewNames } from './cells.queries.js'
import {
  answerColumn,
  answerColumns,
  builtinFor,
  type ColumnsRequest,
  columnWith,
  emptyColumn,
  headerRows,
  isNamed,
  type TableColumn,
  unnamed,
} from './columns.js'
import { chainsOf, knownKeys, linkNames, otherSlots, othersName, withoutNamesakes } from './extents.js'
import { broughtForward, type ExtentAt, measure } from './extents.queries.js'
import { moreNames } from './more-names.js'
import { othersOfEntry } from './others.queries.js'
import { fillAddresses } from './row-files.js'
import { fillingOf } from './shown-cells.js'
import { entryCells, entryColumn, parentCell, placeCell, tableRows, textCell } from './tables.queries.js'

/** Of a row. */
export type Cells = (string | null)[]

/** Its cells are as they are stored, null without an answer: the writer of a format decides how they look. */
export interface Table {
  readonly name: string
  /** Names, labels, tags. */
  readonly header: readonly (readonly string[])[]
  readonly kinds: readonly CellKind[]
  /** Some hundred at a time: handed on one by one they cost as much as what is in them. */
  pages(): AsyncGenerator<Cells[]>
}

const notesBetween = '\r\n'
const builtinsBeforeLinks = ['_id', '_uuid', '_submission_time']
const builtinsAfterLinks = ['_tags', '_notes', '_version', '_duration', '_submitted_by', '_last_edited_by']

const nameOf = (shape: FormShape, chain: readonly string[]): string =>
  chain.at(-1)?.replaceAll('/', '_') ?? shape.rootName

/** The columns by which rows of one table are found from those of another. */
const links = (parent: string): TableColumn[] => [
  columnWith(linkNames.place, placeCell, 'number'),
  columnWith(linkNames.table, textCell(parent)),
  columnWith(linkNames.parent, parentCell, 'number'),
]

interface TablesRequest extends ColumnsRequest {
  /** What is directly within a chain of repeats. */
  slotsIn(chain: readonly string[]): readonly Slot[]
  /** Built-in fields that are shown because some record has them. */
  readonly more: readonly string[]
  /** There are names that no version knows and that have no column. */
  readonly hasMore: boolean
}

const answersIn = (request: TablesRequest, chain: readonly string[]): Promise<TableColumn[]> => {
  const choices = request.options.isSplit ? 'beside' : 'none'
  const answer = answerColumn(request, { source: entryCells, notesBetween })
  return answerColumns(tableColumns(request.slotsIn(chain), { choices }), answer)
}

const others = ({ list, slotsIn }: TablesRequest, chain: readonly string[]): TableColumn => {
  const shown = slotsIn(chain).map(({ key }) => key)
  return columnWith(othersName, othersOfEntry(entryColumn, [...knownKeys(list.shape, chain), ...shown]))
}

/** What a table of whole records, or entries, has beside its answers. */
const everythingIn = async (
  request: TablesRequest,
  chain: readonly string[],
  parent: string,
): Promise<TableColumn[]> => {
  const builtin = builtinFor(request, notesBetween)
  return [
    ...(await answersIn(request, chain)),
    ...builtinsBeforeLinks.map(builtin),
    ...links(parent),
    ...builtinsAfterLinks.map(builtin),
    ...request.more.map(builtin),
    ...(request.hasMore ? [others(request, chain)] : []),
  ]
}

/** The columns that a kept view shows of a table, in its order; and those that are asked for besides. */
const partIn = async (
  request: TablesRequest,
  chain: readonly string[],
  columns: readonly string[],
): Promise<TableColumn[]> => {
  const builtin = builtinFor(request, notesBetween)
  return [
    ...chosenOf([...(await answersIn(request, chain)), ...builtinFields.map(builtin)], columns),
    ...(request.options.hasReviews ? reviewNames.map(builtin) : []),
  ]
}

interface ChosenTable {
  readonly chain: readonly string[]
  readonly parent: string
  readonly columns: readonly TableColumn[]
}

const isWithin = (chain: readonly string[], outer: readonly string[]): boolean =>
  outer.every((repeat, depth) => chain[depth] === repeat)

/**
 * The records, and each repeat of which something is chosen, or of a repeat within it. Several are linked by their numbers;
 * where there is one alone, it has the chosen columns and nothing else.
 */
const linked = (tables: readonly ChosenTable[]): ChosenTable[] => {
  const isShown = ({ chain }: ChosenTable) =>
    chain.length === 0 ||
    tables.some((table) => isWithin(table.chain, chain) && table.columns.some(({ repeats }) => repeats.length > 0))
  const shown = tables.filter(isShown)
  const names = new Set(links('').map(({ key }) => key))
  return shown.map((table) => {
    if (shown.length === 1 && table.columns.length > 0) return table
    return { ...table, columns: [...table.columns.filter(({ key }) => !names.has(key)), ...links(table.parent)] }
  })
}

/** The column for a name that no column of a form's tables goes by. */
const columnFor = (request: TablesRequest, name: string): TableColumn => {
  const { list, hasMore } = request
  if (list.columns !== undefined) return emptyColumn(name)
  if (builtinFields.includes(name) || reviewNames.includes(name)) return builtinFor(request, notesBetween)(name)
  if (!hasMore || knownKeys(list.shape, []).has(name)) return emptyColumn(name)
  const answer = answerColumn(request, { source: entryCells, notesBetween })
  return answer({ kind: 'answer', slot: otherSlot(name, []), entries: [] })
}

/** The columns that are asked for. A name that nothing goes by has an empty column, as JSON shows null. */
const amongNames = (
  request: TablesRequest,
  tables: readonly ChosenTable[],
  names: ReadonlySet<string>,
): ChosenTable[] => {
  const missing = unnamed(
    names,
    tables.flatMap(({ columns }) => columns),
  ).map((name) => columnFor(request, name))
  return tables.map((table) => ({
    ...table,
    columns: [...table.columns.filter(isNamed(names)), ...(table.chain.length === 0 ? missing : [])],
  }))
}

const tablesFor = async (request: TablesRequest): Promise<readonly ChosenTable[]> => {
  const { list, options } = request
  const { shape, columns: part } = list
  const names = options.fields === undefined ? undefined : new Set(options.fields)
  const tables: ChosenTable[] = []
  for (const chain of chainsOf(shape)) {
    const parent = chain.length === 0 ? '' : nameOf(shape, chain.slice(0, -1))
    const columns = await (part === undefined ? everythingIn(request, chain, parent) : partIn(request, chain, part))
    tables.push({ chain, parent, columns })
  }
  if (part === undefined && names === undefined) return tables
  return linked(names === undefined ? tables : amongNames(request, tables, names))
}

const byChain = (slots: readonly Slot[]): TablesRequest['slotsIn'] => {
  const groups = new Map<string, Slot[]>()
  for (const slot of slots) {
    const chain = JSON.stringify(slot.repeats)
    const same = groups.get(chain)
    if (same === undefined) groups.set(chain, [slot])
    else same.push(slot)
  }
  return (chain) => groups.get(JSON.stringify(chain)) ?? []
}

/** The rows of a table, with labels and addresses in place of names. */
async function* filledPages(
  tx: Db,
  { slice, list, origin }: ColumnsRequest & { readonly slice: Slice },
  chain: readonly string[],
  columns: readonly TableColumn[],
): AsyncGenerator<Cells[]> {
  const fill = fillingOf(columns)
  const files = columns.flatMap(({ shown }, place) => (shown === 'address' ? [place] : []))
  const cells = columns.map(({ cell }) => cell)
  for await (const rows of tableRows(tx, slice, chain, cells, files.length === 0)) {
    if (files.length > 0) await fillAddresses(tx, list.seen.form.id, rows, { files, origin })
    if (fill !== undefined) for (const row of rows) fill(row.cells)
    yield rows.map((row) => row.cells)
  }
}

/** Call it within one snapshot: the columns are chosen for just the records that the rows show. `known` is what is known of
 * them from before. */
export const tablesOf = async (
  tx: Db,
  request: ColumnsRequest & { readonly slice: Slice },
  known: ExtentAt | undefined,
): Promise<Table[]> => {
  const { list, options, slice } = request
  const { shape } = list
  const found =
    known === undefined
      ? await measure(tx, shape, answersOf(slice))
      : await broughtForward(tx, list.seen.form.id, shape, known)
  const extent = withoutNamesakes(found, shape)
  const slots = [...shape.questions, ...otherSlots(extent, shape), ...shape.meta]
  const more = await moreNames(tx, request)
  const slotsIn = byChain(slots)
  const tables = await tablesFor({ ...request, slotsIn, more, hasMore: extent.hasMore })
  return tables.map(({ chain, columns }) => ({
    name: nameOf(shape, chain),
    header: headerRows(columns, options),
    kinds: columns.map(({ kind }) => kind),
    pages: () => filledPages(tx, request, chain, columns),
  }))
}
