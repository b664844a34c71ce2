// A workbook as somebody has to see it who wants to mend it: what is wrong, with the row that it is in, and what it asks.
import { outlineOf, placeOf } from '@sheaf/xlsform/language'
import { checkSheets, type Problem, type RawRow, type RawSheet, XlsFormError } from '@sheaf/xlsform/sheets'
import { shortened } from '@sheaf/xlsform/text'
import { readSheets } from '@sheaf/xlsform/workbook'
import type { Asked, Checked, ShownCell, ShownProblem, ShownRow } from './messages'

/** More than anybody reads, and few enough to be shown at once. */
const mostProblems = 200
const mostRows = 1000
const mostCells = 6
const longestCell = 200

const cut = (text: string): string => shortened(text, longestCell)

/** The cell that is meant, and those that say which row it is. */
const cellsAround = (headings: Cells, row: Cells, meant: number | null): ShownCell[] => {
  const filled = [...row.keys()].filter((at) => at !== meant && headings.has(at))
  if (meant !== null) filled.push(meant)
  filled.sort((a, b) => a - b)
  const first = filled.slice(0, mostCells)
  const chosen = meant === null || first.includes(meant) ? first : [...first.slice(0, mostCells - 1), meant]
  return chosen.map((at) => ({
    heading: cut(headings.get(at) ?? ''),
    text: cut(row.get(at) ?? ''),
    isMeant: at === meant,
  }))
}

type Cells = ReadonlyMap<number, string>

const cellsOf = ({ columns, texts }: RawRow): Cells =>
  new Map(columns.map((column, index) => [column, texts[index] ?? '']))

const showing = (sheets: readonly RawSheet[]) => {
  // By sheet and number: a row may stand a million rows below the others.
  const rows = new Map<string, Map<number, RawRow>>()
  const rowsBy = (name: string): Map<number, RawRow> => {
    const found =
      rows.get(name) ?? new Map(sheets.find((one) => one.name === name)?.rows.map((row) => [row.number, row]))
    rows.set(name, found)
    return found
  }
  return (problem: Problem): ShownProblem => {
    const { message, sheet, row, column } = problem
    const place = placeOf(problem, sheets)
    const found = place === null ? undefined : rowsBy(place.sheet)
    const line = place?.row == null ? undefined : found?.get(place.row)
    const head = found?.get(1)
    const headings: Cells = head === undefined ? new Map() : cellsOf(head)
    const cells = line === undefined ? [] : cellsAround(headings, cellsOf(line), place?.column ?? null)
    // The line of headers needs none above it.
    const isHead = place?.row === 1
    return { message, sheet, row, column, cells: isHead ? cells.map((cell) => ({ ...cell, heading: '' })) : cells }
  }
}

const nothing = { outline: [], form: null, warnings: [], isNoWorkbook: false } as const

/** Without the rows that end something. */
const outlineIn = (sheets: readonly RawSheet[]): ShownRow[] =>
  outlineOf(sheets)
    .filter(({ row, counterpart }) => counterpart === null || counterpart > row)
    .map(({ row, type, name, label, within }) => ({
      row,
      type: type?.type?.name ?? null,
      name: cut(name),
      label: cut(label),
      depth: within.length,
    }))

/** A zip, as every .xlsx is. */
const isZip = (bytes: Uint8Array): boolean => bytes[0] === 0x50 && bytes[1] === 0x4b

export const lookAt = async (asked: Asked): Promise<{ checked: Checked; sheets: readonly RawSheet[] }> => {
  try {
    const sheets = 'sheets' in asked ? asked.sheets : await readSheets(asked.bytes)
    const { form, problems, warnings } = checkSheets(sheets, { fileName: asked.fileName })
    const show = showing(sheets)
    const outline = outlineIn(sheets)
    const checked = {
      problems: problems.slice(0, mostProblems).map(show),
      warnings: warnings.slice(0, mostProblems).map(show),
      counts: { problems: problems.length, warnings: warnings.length, rows: outline.length },
      outline: outline.slice(0, mostRows),
      isNoWorkbook: 'sheets' in asked || !isZip(asked.bytes),
      form: form === null ? null : { title: form.title, formId: form.formId, version: form.version, xform: form.xform },
    }
    return { checked, sheets }
  } catch (error) {
    if (!(error instanceof XlsFormError)) throw error
    const problems = error.problems.slice(0, mostProblems).map(showing([]))
    const counts = { problems: error.problems.length, warnings: 0, rows: 0 }
    return { checked: { ...nothing, problems, counts }, sheets: [] }
  }
}
