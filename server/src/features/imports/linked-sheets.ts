// The sheets of a workbook as records: each row of the first one with the rows of other sheets that belong to it. Which do is
// told by numbers, so the order of rows is nobody's concern; between rows of one entry it is that of the entries.
import { cutTo } from '@sheaf/xlsform/text'
import type { SheetTable } from '@sheaf/xlsform/thread'
import { budgets } from '../../budgets.js'
import {
  type Asked,
  type Columns,
  CsvParser,
  type EntryRow,
  type EntryTable,
  isCaption,
  isEmpty,
  meaningOf,
  mostCaptions,
} from '../../formats/import/index.js'
import { lostRows, recordTooLong, twoSheets, unknownSheet, unlinkedSheet } from './imports.errors.js'

export interface SheetRow {
  /** The first one below the header is 1. */
  readonly number: number
  readonly cells: readonly string[]
  readonly entries: readonly EntryRow[]
}

const decoder = new TextDecoder('utf-8')

/** One row's cells; a blank one at its end is as blank as one in the middle. */
const cellsOf = ({ csv, starts }: SheetTable, row: number, width: number): string[] => {
  const cells = CsvParser.lineOf(decoder.decode(csv.subarray(starts[row], starts[row + 1] ?? csv.length)))
  while (cells.length < width) cells.push('')
  return cells
}

export const headerOf = (sheet: SheetTable): string[] => {
  const header = sheet.starts.length === 0 ? [] : cellsOf(sheet, 0, 0)
  return header.map((cell) => cell.trim())
}

/** Names of sheets have at most 31 characters, and none of some. */
const shortened = (name: string): string => cutTo(name.replaceAll(/[[\]:*?/\\]/g, '_'), 31).toLowerCase()

type Chain = readonly string[]

const isSame = (some: Chain, others: Chain): boolean =>
  some.length === others.length && some.every((one, at) => one === others[at])

/** The repeat that most columns belong to; undefined where no column tells. */
const chainOfColumns = (header: readonly string[], asked: Asked): Chain | undefined => {
  const votes = new Map<string, { chain: Chain; votes: number }>()
  for (const heading of header) {
    const meaning = meaningOf(heading, asked, undefined)
    if (meaning === undefined || meaning.kind === 'unclear') continue
    const chain = meaning.question.repeats
    const key = chain.join('\n')
    votes.set(key, { chain, votes: (votes.get(key)?.votes ?? 0) + 1 })
  }
  const [most] = [...votes.values()].filter(({ chain }) => chain.length > 0).sort((a, b) => b.votes - a.votes)
  return most?.chain
}

/** Of each sheet the repeat whose entries it holds: by its columns, or else by its name, among those that are left. */
export const chainsOf = (sheets: readonly SheetTable[], asked: Asked): Chain[] => {
  const byColumns = sheets.map((sheet) => chainOfColumns(headerOf(sheet), asked))
  const left = asked.chains.filter((chain) => !byColumns.some((one) => one !== undefined && isSame(one, chain)))
  return sheets.map(({ name }, at) => {
    const chain = byColumns[at] ?? left.find((one) => shortened(one.at(-1) ?? '') === shortened(name))
    if (chain === undefined) throw unknownSheet(name)
    return chain
  })
}

/** Positions of rows by a number of theirs: sorted, since a map of a million takes more room than the rows. */
class ByNumber {
  readonly #keys: Float64Array
  readonly #size: number

  /** `first`: below the header. */
  constructor(numbers: Int32Array, first: number) {
    this.#size = numbers.length
    this.#keys = Float64Array.from(numbers.subarray(first), (number, at) => number * this.#size + at + first).sort()
  }

  of(number: number): number[] {
    const keys = this.#keys
    let [low, high] = [0, keys.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((keys[middle] as number) < number * this.#size) low = middle + 1
      else high = middle
    }
    const found: number[] = []
    for (let at = low; at < keys.length && (keys[at] as number) < (number + 1) * this.#size; at++) {
      found.push((keys[at] as number) % this.#size)
    }
    return found
  }
}

interface Linked {
  readonly sheet: SheetTable
  readonly width: number
  /** Of the tables, the one that its rows belong to; -1 for that of the records. */
  readonly parent: number
  readonly byParent: ByNumber
}

const mostTold = 20

/** Rows that belong to none, or to several, are told before anything is read. */
const checkLinks = ({ name, parents, numbers }: SheetTable, first: number, indices: Int32Array): void => {
  const known = new Set<number>()
  const several = new Set<number>()
  for (const index of indices.subarray(1)) {
    if (known.has(index)) several.add(index)
    known.add(index)
  }
  const lost: number[] = []
  for (let row = first; row < parents.length && lost.length < mostTold; row++) {
    const parent = parents[row] as number
    if (parent === -1 || !known.has(parent) || several.has(parent)) lost.push(numbers[row] as number)
  }
  if (lost.length > 0) throw lostRows(name, lost)
}

/** The first row behind the header and what captions there are. */
const firstRow = (sheet: SheetTable, columns: Columns): number => {
  let row = 1
  while (row <= mostCaptions && row < sheet.starts.length && isCaption(cellsOf(sheet, row, 0), columns)) row++
  return row
}

export class LinkedSheets {
  readonly #records: SheetTable
  readonly #width: number
  readonly #linked: readonly Linked[]

  constructor(sheets: readonly SheetTable[], tables: readonly EntryTable[]) {
    const chains = tables.map(({ chain }) => chain)
    const [records, ...others] = sheets as [SheetTable, ...SheetTable[]]
    this.#records = records
    this.#width = headerOf(records).length
    this.#linked = others.map((sheet, table): Linked => {
      const chain = chains[table] ?? []
      if (chains.findIndex((one) => isSame(one, chain)) !== table) throw twoSheets(sheet.name, chain.at(-1) ?? '')
      const around = chain.slice(0, -1)
      const parent = around.length === 0 ? -1 : chains.findIndex((one) => isSame(one, around))
      if (around.length > 0 && parent === -1) throw unlinkedSheet(sheet.name, around.at(-1) ?? '')
      const columns = (tables[table] as EntryTable).columns
      const first = firstRow(sheet, columns)
      checkLinks(sheet, first, (others[parent] ?? records).indices)
      return { sheet, width: columns.width, parent, byParent: new ByNumber(sheet.parents, first) }
    })
  }

  *rows(): Generator<SheetRow> {
    const { numbers, indices, starts } = this.#records
    for (let row = 1; row < starts.length; row++) {
      const cells = cellsOf(this.#records, row, this.#width)
      const entries: EntryRow[] = []
      const number = (numbers[row] as number) - (numbers[0] as number)
      const size = this.#collect(-1, indices[row] as number, [], entries, cells.join().length, number)
      if (size > budgets.imports.rowCharacters) throw recordTooLong(number)
      if (!isEmpty(cells) || entries.length > 0) yield { number, cells, entries }
    }
  }

  /** The entries that belong to a row, and to those in turn; answers how long all of it is. */
  #collect(
    parent: number,
    index: number,
    around: readonly number[],
    into: EntryRow[],
    length: number,
    number: number,
  ): number {
    let size = length
    for (const [table, linked] of this.#linked.entries()) {
      if (linked.parent !== parent || index === -1) continue
      for (const [place, row] of linked.byParent.of(index).entries()) {
        const cells = cellsOf(linked.sheet, row, linked.width)
        const entries = [...around, place]
        into.push({ table, entries, cells })
        size += cells.join().length
        if (size > budgets.imports.rowCharacters) throw recordTooLong(number)
        size = this.#collect(table, linked.sheet.indices[row] as number, entries, into, size, number)
      }
    }
    return size
  }
}
