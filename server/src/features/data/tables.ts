// The tables of a form for a workbook or an archive of CSVs: the records, and each repeat.
import { type FormShape, headingOf, plainHeadings, type Slot, tableColumns } from '../../formats/columns/index.js'
import type { Db, Sql } from '../../platform/db/index.js'
import { answerCell, builtinCell, cellsIn } from './cells.queries.js'
import type { ListRequest } from './list-request.js'
import { answersOf } from './records.queries.js'
import { measure, otherSlots } from './shapes.queries.js'
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
  isNumber: name === '_id',
  cell: builtinCell(name, { notesBetween }),
})

const columnsOf = (
  shape: FormShape,
  slots: readonly Slot[],
  chain: readonly string[],
  origin: string,
): TableColumn[] => {
  const language = shape.languages[0]
  const options = {
    chosen: 'words',
    filesAt: origin,
    hasChoiceLabels: false,
    language,
    source: cellsIn(entryColumn),
    notesBetween,
  } as const
  const answers = tableColumns(slots, chain, { choices: 'beside' }).map((column) => ({
    heading: headingOf(column, plainHeadings),
    isNumber: column.kind === 'part' || ['integer', 'decimal'].includes(column.slot.kind),
    cell: answerCell(column, options),
  }))
  const parent = chain.length === 0 ? '' : nameOf(shape, chain.slice(0, -1))
  return [
    ...answers,
    ...before.map(builtin),
    { heading: '_index', isNumber: true, cell: placeCell },
    { heading: '_parent_table_name', isNumber: false, cell: textCell(parent) },
    { heading: '_parent_index', isNumber: true, cell: parentCell },
    ...after.map(builtin),
  ]
}

const chainsOf = ({ repeats }: FormShape): string[][] => [[], ...repeats.map((one) => [...one.repeats, one.key])]

/** Within one snapshot: what is in the tables is what their columns were chosen for. */
export const tablesOf = async (
  tx: Db,
  { list, slice, origin }: { list: ListRequest; slice: Slice; origin: string },
): Promise<Table[]> => {
  const { shape } = list
  const others = otherSlots(await measure(tx, shape, answersOf(slice)), shape)
  const slots = [...shape.questions, ...others, ...shape.meta]
  return chainsOf(shape).map((chain) => {
    const columns = columnsOf(shape, slots, chain, origin)
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
