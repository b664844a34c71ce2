// What people do on a sheet, by keys and by menus alike.
import { toast } from '@/base/toasts'
import { useTexts } from '@/texts'
import en from '@/texts/en/sheets'
import { readTable, tableAsHtml, tableAsText } from './clipboard'
import {
  cellsIn,
  clearCells,
  deleteRows,
  duplicateRows,
  fillDown,
  insertRows,
  moveRows,
  type Range,
  setCells,
} from './edits'
import { hasHeaders, pastedRange, pasteTable } from './paste'
import type { Edit } from './steps'
import { deleteWithEnds, shapesOf, wholeBlocks, wrapRows } from './structure'
import { freeName, namesOn, typeInto } from './typing'
import type { GridView } from './use-grid-view'
import type { useSelection } from './use-selection'
import type { WorkbookModel } from './use-workbook'
import { type Place, type Sheet, textAt } from './workbook'

export interface ActionsOptions {
  readonly model: () => WorkbookModel
  readonly sheet: () => Sheet
  readonly selection: ReturnType<typeof useSelection>
  readonly view: GridView
  readonly isReadOnly: () => boolean
}

export const useActions = ({ model, sheet, selection, view, isReadOnly }: ActionsOptions) => {
  const t = useTexts(en)
  const book = () => model().book.value
  const name = () => sheet().name

  const tell = ({ told }: Edit) => {
    if (told === undefined) return
    const text = t(told.kind, { n: told.count, from: told.from, to: told.to })
    toast(text, { kind: 'note', action: { label: t('undo'), run: () => model().undo() } })
  }
  const apply = (edit: Edit | null): boolean => {
    if (isReadOnly() || !model().apply(edit) || edit === null) return false
    tell(edit)
    return true
  }

  const type = (place: Place, text: string) => apply(typeInto(book(), name(), place, text, model().known.value))
  const clear = () => apply(clearCells(book(), name(), selection.range.value))
  const toggle = (place: Place) => {
    const text = textAt(sheet(), place).trim().toLowerCase()
    apply(setCells(book(), name(), [{ ...place, text: text === 'yes' || text === 'true' ? 'no' : 'yes' }]))
  }

  const chosenTable = (): string[][] => {
    const { top, bottom, start, end } = selection.range.value
    const cells = cellsIn(selection.range.value, (place) => textAt(sheet(), place)).map(({ text }) => text)
    const width = end - start + 1
    return Array.from({ length: bottom - top + 1 }, (_, at) => cells.slice(at * width, (at + 1) * width))
  }
  const copy = (event: ClipboardEvent) => {
    event.preventDefault()
    const table = chosenTable()
    event.clipboardData?.setData('text/plain', tableAsText(table))
    event.clipboardData?.setData('text/html', tableAsHtml(table))
  }
  const cut = (event: ClipboardEvent) => {
    copy(event)
    clear()
  }
  const paste = (event: ClipboardEvent) => {
    event.preventDefault()
    const table = readTable(event.clipboardData?.getData('text/plain') ?? '')
    const range = selection.range.value
    if (!apply(pasteTable(book(), name(), range, table)) || hasHeaders(name(), table)) return
    selection.choose(pastedRange(range, table))
  }
  const fill = (range: Range, source: number) => {
    if (apply(fillDown(book(), name(), range, source))) selection.choose(range)
  }
  /** Of one row, from the row above it, as spreadsheet programs do. */
  const fillDownKey = () => {
    const { top, bottom, start, end } = selection.range.value
    if (top !== bottom) fill({ top, bottom, start, end }, 1)
    else if (top > 0) apply(fillDown(book(), name(), { top: top - 1, bottom, start, end }))
  }

  const count = () => selection.range.value.bottom - selection.range.value.top + 1
  const insertAbove = () => {
    const { top } = selection.range.value
    if (apply(insertRows(book(), name(), top, count()))) selection.go({ row: top, column: 0 })
  }
  const insertBelow = () => {
    const { bottom } = selection.range.value
    // Below a closed group is below all of it.
    const after = view.isClosed(bottom) ? (shapesOf(sheet())[bottom]?.counterpart ?? bottom) : bottom
    if (apply(insertRows(book(), name(), after + 1, count()))) selection.go({ row: after + 1, column: 0 })
  }
  const block = () => wholeBlocks(sheet(), selection.range.value.top, selection.range.value.bottom)
  const duplicate = () => {
    const { from, to } = block()
    if (apply(duplicateRows(book(), name(), from, to))) selection.go({ row: to + 1, column: selection.at.value.column })
  }
  const removed = (edit: Edit | null) => {
    const { top } = selection.range.value
    if (apply(edit)) selection.go({ row: Math.min(top, sheet().rows.length), column: selection.at.value.column })
  }
  const remove = () => {
    const { top, bottom } = selection.range.value
    const closedLast = view.isClosed(bottom) ? block().to : bottom
    // What is not seen goes with the line that stands for it.
    removed(
      closedLast === bottom ? deleteWithEnds(book(), name(), top, bottom) : deleteRows(book(), name(), top, closedLast),
    )
  }
  const removeBlock = () => {
    const { from, to } = block()
    removed(deleteRows(book(), name(), from, to))
  }
  const wrap = (container: 'group' | 'repeat') => {
    const own = freeName(container, namesOn(sheet()))
    const { top, bottom } = selection.range.value
    const words = { name: own, label: t(container === 'group' ? 'newGroup' : 'newRepeat') }
    if (apply(wrapRows(book(), name(), top, bottom, container, words)))
      selection.go({ row: top, column: selection.at.value.column })
  }
  /** The rows before another, and what is chosen goes with them. */
  const moveTo = (from: number, to: number, before: number) => {
    const { column } = selection.at.value
    if (!apply(moveRows(book(), name(), from, to, before))) return
    const first = before > to ? before - (to - from + 1) : before
    selection.choose({ top: first, bottom: first + (to - from), start: column, end: column })
    view.show({ row: first, column })
  }
  const moveBy = (step: 1 | -1) => {
    const { from, to } = block()
    const line = step < 0 ? view.lineOf(from) - 1 : view.lineOf(to) + 1
    const row = line < 0 ? -1 : view.rowOf(line)
    if (row < 0 || row >= sheet().rows.length) return
    const past = view.isClosed(row) ? (shapesOf(sheet())[row]?.counterpart ?? row) : row
    moveTo(from, to, step < 0 ? row : past + 1)
  }

  return {
    apply,
    type,
    clear,
    toggle,
    copy,
    cut,
    paste,
    fill,
    fillDownKey,
    insertAbove,
    insertBelow,
    duplicate,
    remove,
    removeBlock,
    wrap,
    moveTo,
    moveBy,
    block,
  }
}

export type Actions = ReturnType<typeof useActions>
