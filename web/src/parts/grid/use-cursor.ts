// The cell that the keyboard is at: one cell of the grid is in the order of Tab, arrow keys move it. Row -1 is the head.
import { nextTick, type Ref, shallowRef } from 'vue'

export interface Cell {
  readonly row: number
  readonly column: number
}

export interface CursorOptions {
  readonly rows: () => number
  readonly columns: () => number
  readonly page: () => number
  readonly isRightToLeft: () => boolean
  /** Brings it in sight, so that it is there to be focused. */
  readonly show: (cell: Cell) => void
}

const within = (value: number, least: number, most: number) => Math.max(least, Math.min(most, value))

/** Where a key leads; undefined for keys that move nothing. */
export const target = (
  { key, ctrlKey, metaKey }: Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey'>,
  at: Cell,
  { rows, columns, page, isRightToLeft }: Omit<CursorOptions, 'show'>,
): Cell | undefined => {
  const far = ctrlKey || metaKey
  const forward = isRightToLeft() ? -1 : 1
  const last = { row: rows() - 1, column: columns() - 1 }
  const move = (row: number, column: number): Cell => ({
    row: within(row, -1, last.row),
    column: within(column, 0, Math.max(0, last.column)),
  })
  switch (key) {
    case 'ArrowDown':
      return far ? move(last.row, at.column) : move(at.row + 1, at.column)
    case 'ArrowUp':
      return far ? move(0, at.column) : move(at.row - 1, at.column)
    case 'ArrowRight':
      return far ? undefined : move(at.row, at.column + forward)
    case 'ArrowLeft':
      return far ? undefined : move(at.row, at.column - forward)
    case 'PageDown':
      return move(at.row + page(), at.column)
    case 'PageUp':
      return move(Math.max(0, at.row - page()), at.column)
    case 'Home':
      return far ? move(0, 0) : move(at.row, 0)
    case 'End':
      return far ? move(last.row, last.column) : move(at.row, last.column)
    default:
      return undefined
  }
}

export const useCursor = (box: Ref<HTMLElement | undefined>, options: CursorOptions) => {
  const at = shallowRef<Cell>({ row: 0, column: 0 })

  const focus = async () => {
    await nextTick()
    const { row, column } = at.value
    box.value?.querySelector<HTMLElement>(`[data-cell="${row}:${column}"]`)?.focus({ preventScroll: true })
  }

  const go = (cell: Cell, hasFocus = true) => {
    at.value = cell
    options.show(cell)
    if (hasFocus) void focus()
  }

  /** Whether the key was one of the grid's. */
  const press = (event: KeyboardEvent): boolean => {
    const next = target(event, at.value, options)
    if (next === undefined || event.altKey) return false
    event.preventDefault()
    go(next)
    return true
  }

  return { at, go, focus, press }
}
