// The cell that the keyboard is at, and what is chosen from there. Places are those of the sheet; on the screen, rows of closed groups
// are left out, so steps are counted in lines.
import { computed, type Ref, shallowRef } from 'vue'
import { target } from '../grid/use-cursor'
import { type Range, rangeOf } from './edits'
import type { Place } from './workbook'

export interface SelectionOptions {
  /** Lines on the screen; those that hold something, and all. */
  readonly filled: () => number
  readonly lines: () => number
  readonly columns: () => number
  readonly page: () => number
  readonly isRightToLeft: () => boolean
  readonly isFilled: (place: Place) => boolean
  readonly lineOf: (row: number) => number
  readonly rowOf: (line: number) => number
  readonly show: (place: Place) => void
}

export const useSelection = (at: Ref<Place>, options: SelectionOptions) => {
  /** The other corner of what is chosen. */
  const to = shallowRef<Place>(at.value)
  const range = computed<Range>(() => rangeOf(at.value, to.value))
  const isMany = computed(() => at.value.row !== to.value.row || at.value.column !== to.value.column)

  const go = (place: Place) => {
    at.value = place
    to.value = place
    options.show(place)
  }
  const extend = (place: Place) => {
    to.value = { row: Math.max(0, place.row), column: place.column }
    options.show(to.value)
  }
  const choose = ({ top, bottom, start, end }: Range) => {
    at.value = { row: top, column: start }
    to.value = { row: bottom, column: end }
  }
  const chooseRows = (from: number, last: number) => {
    at.value = { row: from, column: at.value.column }
    to.value = { row: last, column: 0 }
    choose({ top: Math.min(from, last), bottom: Math.max(from, last), start: 0, end: options.columns() - 1 })
  }

  /** So many lines and columns further. */
  const stepped = (from: Place, rows: number, columns: number): Place => ({
    row: options.rowOf(Math.max(0, Math.min(options.lines() - 1, options.lineOf(from.row) + rows))),
    column: Math.max(0, Math.min(options.columns() - 1, from.column + columns)),
  })
  const step = (rows: number, columns: number) => go(stepped(at.value, rows, columns))

  const arrows = new Map([
    ['ArrowDown', { rows: 1, columns: 0 }],
    ['ArrowUp', { rows: -1, columns: 0 }],
    ['ArrowRight', { rows: 0, columns: 1 }],
    ['ArrowLeft', { rows: 0, columns: -1 }],
  ])
  /** As spreadsheet programs do: to the end of what is filled, or over what is empty to the next text. */
  const edge = (key: string, from: Place): Place | undefined => {
    const arrow = arrows.get(key)
    if (arrow === undefined) return undefined
    const columns = options.isRightToLeft() ? -arrow.columns : arrow.columns
    const isWithin = (line: number, column: number) =>
      line >= 0 && line < Math.max(1, options.filled()) && column >= 0 && column < options.columns()
    const isFilled = (line: number, column: number) => options.isFilled({ row: options.rowOf(line), column })
    let [line, column] = [Math.max(0, options.lineOf(Math.max(0, from.row))), from.column]
    const isAtEdge = !isFilled(line, column) || !isFilled(line + arrow.rows, column + columns)
    while (isWithin(line + arrow.rows, column + columns)) {
      const isNext = isFilled(line + arrow.rows, column + columns)
      if (!isAtEdge && !isNext) break
      line += arrow.rows
      column += columns
      if (isAtEdge && isNext) break
    }
    return { row: options.rowOf(line), column }
  }

  /** Whether the key was one that moves. */
  const press = (event: KeyboardEvent): boolean => {
    if (event.altKey) return false
    const from = event.shiftKey ? to.value : at.value
    const isFar = event.ctrlKey || event.metaKey
    const far = isFar ? edge(event.key, from) : undefined
    if (far !== undefined) {
      if (event.shiftKey) extend(far)
      else go(far)
      return true
    }
    const line = from.row < 0 ? -1 : options.lineOf(from.row)
    const moved = target(
      event,
      { row: line, column: from.column },
      {
        rows: () => (isFar ? Math.max(1, options.filled()) : options.lines()),
        columns: options.columns,
        page: options.page,
        isRightToLeft: options.isRightToLeft,
      },
    )
    if (moved === undefined) return false
    const place = { row: moved.row < 0 ? -1 : options.rowOf(moved.row), column: moved.column }
    if (event.shiftKey) extend(place)
    else go(place)
    return true
  }
  return { at, to, range, isMany, go, extend, choose, chooseRows, step, press }
}
