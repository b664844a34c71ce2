// The keys of a sheet, while no cell is open.
import type { Ref } from 'vue'
import { direction } from '@/texts'
import { shapesOf } from './structure'
import type { Actions } from './use-actions'
import type { GridView } from './use-grid-view'
import type { useSelection } from './use-selection'
import type { WorkbookModel } from './use-workbook'
import type { Sheet } from './workbook'

export interface KeysOptions {
  readonly model: () => WorkbookModel
  readonly sheet: () => Sheet
  readonly box: Ref<HTMLElement | undefined>
  readonly isReadOnly: () => boolean
  readonly selection: ReturnType<typeof useSelection>
  readonly actions: Actions
  readonly view: GridView
  /** Opens the cell; with a text, that of it. */
  readonly edit: (text?: string) => void
  readonly find: () => void
  readonly focusCell: () => Promise<void>
}

export const useKeys = ({
  model,
  sheet,
  box,
  isReadOnly,
  selection,
  actions,
  view,
  edit,
  find,
  focusCell,
}: KeysOptions) => {
  /** After Escape, Tab leaves the grid. */
  let isLeaving = false
  const lastRow = () => Math.max(0, sheet().rows.length - 1)
  const back = (run: () => void) => () => {
    run()
    void focusCell()
  }
  const ctrlKeys = new Map<string, () => unknown>([
    ['z', back(() => model().undo())],
    ['shift z', back(() => model().redo())],
    ['y', back(() => model().redo())],
    ['d', back(actions.fillDownKey)],
    ['f', find],
    ['a', () => selection.choose({ top: 0, bottom: lastRow(), start: 0, end: sheet().columns.length - 1 })],
    [' ', () => selection.choose({ ...selection.range.value, top: 0, bottom: lastRow() })],
  ])
  const withCtrl = (event: KeyboardEvent): boolean => {
    const run = ctrlKeys.get(`${event.shiftKey ? 'shift ' : ''}${event.key.toLowerCase()}`)
    run?.()
    return run !== undefined
  }

  const openMenu = () =>
    box.value?.querySelector<HTMLElement>(`[data-cell="-1:${selection.at.value.column}"] [aria-haspopup]`)?.click()
  /** Whether the blank is a key here: it ticks, or it chooses the row. */
  const space = ({ shiftKey }: KeyboardEvent): boolean => {
    const { row, column } = selection.at.value
    const isMark = view.looks.value[column] === 'mark' && row < sheet().rows.length
    if (shiftKey) selection.chooseRows(selection.range.value.top, selection.range.value.bottom)
    else if (row < 0) openMenu()
    else if (isMark) actions.toggle(selection.at.value)
    else return false
    return true
  }
  const plainKeys = new Map<string, () => unknown>([
    ['Enter', () => (selection.at.value.row < 0 ? openMenu() : edit())],
    ['F2', () => edit()],
    ['Delete', actions.clear],
    ['Backspace', actions.clear],
    [
      'Escape',
      () => {
        selection.go(selection.at.value)
        isLeaving = true
      },
    ],
  ])
  const withoutCtrl = (event: KeyboardEvent): boolean => {
    if (event.key === ' ') return space(event)
    const run = plainKeys.get(event.key)
    run?.()
    return run !== undefined
  }

  const aside = (isForward: boolean): boolean => {
    const { row, column } = selection.at.value
    if (row < 0) view.widen(column, isForward ? 16 : -16)
    else if (shapesOf(sheet())[row]?.kind === 'begin') view.fold([row], !isForward)
    else return false
    return true
  }
  const withAlt = ({ key }: KeyboardEvent): boolean => {
    if (key === 'ArrowRight' || key === 'ArrowLeft')
      return aside((key === 'ArrowRight') === (direction.value !== 'rtl'))
    if (key !== 'ArrowUp' && key !== 'ArrowDown') return false
    actions.moveBy(key === 'ArrowUp' ? -1 : 1)
    void focusCell()
    return true
  }

  /** At the ends of a row Tab leaves, as it does after Escape: nobody is kept in. */
  const tabs = (event: KeyboardEvent): boolean => {
    const step = event.shiftKey ? -1 : 1
    const column = selection.at.value.column + step
    if (isLeaving || column < 0 || column >= sheet().columns.length) return false
    selection.step(0, step)
    void focusCell()
    return true
  }
  const handled = (event: KeyboardEvent): boolean => {
    if (event.key === 'Tab') return tabs(event)
    isLeaving = false
    if (selection.press(event)) {
      if (!event.shiftKey) void focusCell()
      return true
    }
    if (event.altKey) return withAlt(event)
    return event.ctrlKey || event.metaKey ? withCtrl(event) : withoutCtrl(event)
  }
  const press = (event: KeyboardEvent) => {
    const isCell = event.target instanceof HTMLElement && event.target.dataset.cell !== undefined
    if (!isCell || event.isComposing) return
    if (handled(event)) {
      event.preventDefault()
      event.stopPropagation()
      return
    }
    const isTyped = event.key.length === 1 && !event.ctrlKey && !event.metaKey && !event.altKey
    // The key itself, and whatever an input method makes of it, goes into the editor: it has the focus from here on.
    if ((isTyped || event.key === 'Process') && !isReadOnly() && selection.at.value.row >= 0) {
      event.stopPropagation()
      edit('')
    }
  }
  return press
}
