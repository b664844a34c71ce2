// The tables of a form for a workbook or an archive of CSVs: the records, and each repeat.
import { type FormShape, headingOf, plainHeadings, type Slot, tableColumns } from '../../formats/columns/index.js'
import type { Db, Sql } from '../../platform/db/index.js'
import { builtinFields } from '../submissions/index.js'
import { answerCell, builtinCell, cellsIn } from './cells.queries.js'
import { chainsOf, knownKeys, otherSlots } from './extents.js'
import type { ListRequest } from './list-request.js'
import { othersName, othersOfEntry } from './others.queries.js'
import { chosenOf, chosenSlots } from './parts.js'
import { answersOf } from './records.queries.js'
import { measure } from './shapes.queries.js'
import type { Slice } from './slices.queries.js'
import { entryColumn, parentCell, placeCell, tableRows, textCell } from './tables.queries.js'

/** Cells are as they are stored: whoever writes them defuses them. */
export interface Table {
  readonly name: string
  readonly headings: readonly string[]
  /** Which columns hold numbers. */
  readonly numeric: readonly boolean[]
  rows(): AsyncGenerator<string[]>
}

const notesBetween = '\r\n'
const before = ['_id', '_uuid', '_submission_time']
const after = ['_tags', '_notes', '_version', '_duration', '_submitted_by', '_last_edited_by']

const nameOf = (shape: FormShape, chain: readonly string[]): string =>
  chain.at(-1)?.replaceAll('/', '_') ?? shape.rootName

interface TableColumn {
  readonly heading: string
  readonly isNumber: boolean
  readonly cell: Sql
}

const builtin = (name: string): TableColumn => ({
  heading: name,
  isNumber: name === '_id' || name === '_xform_id',
  cell: builtinCell(name, { notesBetween }),
})

/** By which the rows of one table are found from those of another. */
const links = (parent: string): TableColumn[] => [
  { heading: '_index', isNumber: true, cell: placeCell },
  { heading: '_parent_table_name', isNumber: false, cell: textCell(parent) },
  { heading: '_parent_index', isNumber: true, cell: parentCell },
]

interface TableRequest {
  readonly list: ListRequest
  readonly slots: readonly Slot[]
  readonly chains: readonly (readonly string[])[]
  readonly origin: string
  /** There are names that no version knows and that have no column. */
  readonly hasMore: boolean
}

const answersIn = ({ list, slots, origin }: TableRequest, chain: readonly string[]) => {
  const options = {
    chosen: 'words',
    filesAt: origin,
    hasChoiceLabels: false,
    language: list.shape.languages[0],
    source: cellsIn(entryColumn),
    notesBetween,
  } as const
  return tableColumns(slots, chain, { choices: 'beside' }).map((column) => ({
    ...column.slot,
    heading: headingOf(column, plainHeadings),
    isNumber: column.kind === 'part' || ['integer', 'decimal'].includes(column.slot.kind),
    cell: answerCell(column, options),
  }))
}

const others = ({ list, slots }: TableRequest, chain: readonly string[]): TableColumn => ({
  heading: othersName,
  isNumber: false,
  cell: othersOfEntry(entryColumn, [...knownKeys(list.shape, chain), ...slots.map(({ key }) => key)]),
})

const columnsOf = (request: TableRequest, chain: readonly string[]): TableColumn[] => {
  const { list, chains } = request
  const answers = answersIn(request, chain)
  const parent = chain.length === 0 ? '' : nameOf(list.shape, chain.slice(0, -1))
  if (list.columns === undefined) {
    const all = [...answers, ...before.map(builtin), ...links(parent), ...after.map(builtin)]
    return request.hasMore ? [...all, others(request, chain)] : all
  }
  const builtins = builtinFields.map((key) => ({ key, repeats: [], ...builtin(key) }))
  const chosen = chosenOf([...answers, ...builtins], list.columns)
  return chains.length > 1 || chosen.length === 0 ? [...chosen, ...links(parent)] : chosen
}

/** The records, and each repeat of which something was chosen, or of a repeat within it. */
const chainsWithin = (shape: FormShape, columns: readonly string[]): string[][] => {
  const chosen = chosenSlots(shape, columns)
  return chainsOf(shape).filter(
    (chain) => chain.length === 0 || chosen.some(({ repeats }) => repeats.includes(chain.at(-1) ?? '')),
  )
}

/** Within one snapshot: what is in the tables is what their columns were chosen for. */
export const tablesOf = async (
  tx: Db,
  { list, slice, origin }: { list: ListRequest; slice: Slice; origin: string },
): Promise<Table[]> => {
  const { shape, columns: within } = list
  const extent = await measure(tx, shape, answersOf(slice))
  const slots = [...shape.questions, ...otherSlots(extent, shape), ...shape.meta]
  const chains = within === undefined ? chainsOf(shape) : chainsWithin(shape, within)
  return chains.map((chain) => {
    const columns = columnsOf({ list, slots, chains, origin, hasMore: extent.hasMore }, chain)
    async function* rows(): AsyncGenerator<string[]> {
      const cells = columns.map(({ cell }) => cell)
      for await (const row of tableRows(tx, slice, chain, cells)) yield row.map((text) => text ?? 'n/a')
    }
    return {
      name: nameOf(shape, chain),
      headings: columns.map(({ heading }) => heading),
      numeric: columns.map(({ isNumber }) => isNumber),
      rows,
    }
  })
}
