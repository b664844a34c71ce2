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
  const withCtrl = (event: KeyboardEvent): boolean => {
    const key = event.key.toLowerCase()
    if (key === 'z') event.shiftKey ? model().redo() : model().undo()
    else if (key === 'y') model().redo()
    else if (key === 'd') actions.fillDownKey()
    else if (key === 'f') find()
    else if (key === 'a')
      selection.choose({
        top: 0,
        bottom: Math.max(0, sheet().rows.length - 1),
        start: 0,
        end: sheet().columns.length - 1,
      })
    else if (key === ' ')
      selection.choose({ ...selection.range.value, top: 0, bottom: Math.max(0, sheet().rows.length - 1) })
    else return false
    if (key === 'z' || key === 'y') void focusCell()
    return true
  }
  const isMark = () => view.looks.value[selection.at.value.column] === 'mark'
  const withoutCtrl = (event: KeyboardEvent): boolean => {
    if (selection.at.value.row < 0 && (event.key === 'Enter' || event.key === ' ')) {
      box.value?.querySelector<HTMLElement>(`[data-cell="-1:${selection.at.value.column}"] [aria-haspopup]`)?.click()
    } else if (event.key === 'Enter' || event.key === 'F2') edit()
    else if (event.key === ' ' && event.shiftKey)
      selection.chooseRows(selection.range.value.top, selection.range.value.bottom)
    else if (event.key === ' ' && isMark() && selection.at.value.row < sheet().rows.length)
      actions.toggle(selection.at.value)
    else if (event.key === 'Delete' || event.key === 'Backspace') actions.clear()
    else if (event.key === 'Escape') {
      selection.go(selection.at.value)
      isLeaving = true
    } else return false
    return true
  }
  const withAlt = (event: KeyboardEvent): boolean => {
    const isSideways = event.key === 'ArrowRight' || event.key === 'ArrowLeft'
    const forward = (event.key === 'ArrowRight') === (direction.value !== 'rtl')
    if (event.key === 'ArrowUp' || event.key === 'ArrowDown') actions.moveBy(event.key === 'ArrowUp' ? -1 : 1)
    else if (isSideways && selection.at.value.row < 0) view.widen(selection.at.value.column, forward ? 16 : -16)
    else if (isSideways && shapesOf(sheet())[selection.at.value.row]?.kind === 'begin')
      view.fold([selection.at.value.row], !forward)
    else return false
    if (!isSideways) void focusCell()
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
