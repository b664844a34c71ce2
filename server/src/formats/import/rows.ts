// One row of a file as a record: its answers, and what it says about itself.
import { answerOf, cellText, Faults, type GeoPart, geoParts, isChosen, placeOfParts, timeIn } from './cells.js'
import type { Columns, Slot } from './columns.js'

export interface Row {
  /** Answers by the number of the slot. */
  readonly values: readonly (string | undefined)[]
  /** Without `uuid:`; null: a new record. */
  readonly instanceId: string | null
  readonly submittedAt: Date | null
  /** As the file names him. */
  readonly submittedBy: string | null
  /** What is wrong with it, in words. */
  readonly faults: readonly string[]
}

const longestInstanceId = 249
const noNull = 'Null characters are not allowed'

const answerIn = ({ field, column, choices, parts }: Slot, cells: readonly string[], faults: Faults) => {
  const text = column === undefined ? '' : cellText(cells[column])
  if (text !== '') return answerOf(text, field, faults)
  const chosen = choices.filter((choice) => isChosen(cellText(cells[choice.column]), choice.name, faults))
  if (chosen.length > 0) return chosen.map(({ name }) => name).join(' ')
  return Object.keys(parts).length === 0 ? undefined : placeOfParts(partTexts(parts, cells), faults)
}

const partTexts = (parts: Slot['parts'], cells: readonly string[]): Record<GeoPart, string> => {
  const texts = { latitude: '', longitude: '', altitude: '', precision: '' }
  for (const part of geoParts) {
    const column = parts[part]
    if (column !== undefined) texts[part] = cellText(cells[column])
  }
  return texts
}

/** Undefined for a row without any text. */
export const readRow = (cells: readonly string[], columns: Columns): Row | undefined => {
  if (cells.every((cell) => cell.trim() === '')) return undefined
  const faults = new Faults()
  if (cells.slice(columns.width).some((cell) => cell.trim() !== '')) {
    faults.add(`More cells than the header has columns (${columns.width})`, String(cells.length))
  }
  // What no database stores; neither an id nor a name with it is looked for.
  for (const cell of cells) if (cell.includes('\0')) faults.add(noNull, cell.replaceAll('\0', '\ufffd'))
  const text = (column: number | undefined) => (column === undefined ? '' : cellText(cells[column]))
  const id = (text(columns.instanceId) || text(columns.uuid)).replace(/^uuid:/, '')
  if (id.length > longestInstanceId) faults.add('Too long for an instance id', id)
  const values = columns.slots.map((slot) => answerIn(slot, cells, faults))
  return {
    values,
    instanceId: id === '' || id.includes('\0') ? null : id,
    submittedAt: timeIn(text(columns.submittedAt), faults),
    submittedBy: text(columns.submittedBy).replaceAll('\0', '') || null,
    faults: faults.messages,
  }
}
