// The pointer on a sheet: choosing cells and rows, drawing rows and corners, a finger that touches twice.
import { computed, type Ref, shallowRef } from 'vue'
import type { Range } from './edits'
import type { Actions } from './use-actions'
import { useDrag } from './use-drag'
import { type GridView, headHeight, lineHeight } from './use-grid-view'
import type { useSelection } from './use-selection'
import type { Place, Sheet } from './workbook'

export interface PointerOptions {
  readonly sheet: () => Sheet
  readonly box: Ref<HTMLElement | undefined>
  readonly selection: ReturnType<typeof useSelection>
  readonly actions: Actions
  readonly view: GridView
  readonly edit: () => void
  readonly focusCell: () => Promise<void>
}

export const usePointer = ({ sheet, box, selection, actions, view, edit, focusCell }: PointerOptions) => {
  const rangeAt = (row: number): Range | undefined => {
    const { top, bottom } = selection.range.value
    return row >= top && row <= bottom ? selection.range.value : undefined
  }
  const placeOf = (element: Element | null): Place | undefined => {
    const cell = element?.closest<HTMLElement>('[data-cell]')?.dataset.cell
    const [row = 0, column = 0] = (cell ?? '').split(':').map(Number)
    if (cell !== undefined) return { row, column }
    const number = element?.closest<HTMLElement>('[data-row]')?.dataset.row
    return number === undefined ? undefined : { row: Number(number), column: selection.to.value.column }
  }
  /** Beside the grid, what is at its edge. */
  const elementNear = ({ clientX, clientY }: PointerEvent): Element | null => {
    const rect = box.value?.getBoundingClientRect()
    if (rect === undefined) return null
    const x = Math.max(rect.left + 4, Math.min(rect.right - 20, clientX))
    const y = Math.max(rect.top + headHeight + 4, Math.min(rect.bottom - 20, clientY))
    return document.elementFromPoint(x, y)
  }
  const { drag, begin, filling } = useDrag({
    placeAt: (event) => placeOf(elementNear(event)),
    extend: (place) => selection.extend(place),
    moveRows: (from, to, before) => {
      actions.moveTo(from, to, before)
      void focusCell()
    },
    fill: (range, to) => actions.fill({ ...range, bottom: to }, range.bottom - range.top + 1),
    scrollNear: ({ clientY }) => {
      const element = box.value
      if (element === undefined) return
      const { top, bottom } = element.getBoundingClientRect()
      if (clientY > bottom - 24) element.scrollTop += lineHeight / 2
      else if (clientY < top + headHeight + 12) element.scrollTop -= lineHeight / 2
    },
  })
  const dropLine = computed(() => {
    const now = drag.value
    if (now?.kind !== 'rows' || now.before === null) return undefined
    return view.lineOf(Math.min(now.before, sheet().rows.length)) * lineHeight
  })
  const pressNumber = (event: PointerEvent, row: number, isHandle: boolean) => {
    const { top, bottom } = selection.range.value
    const isChosen = selection.isMany.value && row >= top && row <= bottom
    if (!isHandle || !isChosen) selection.chooseRows(event.shiftKey && !isHandle ? selection.at.value.row : row, row)
    void focusCell()
    if (!isHandle) return begin(event, { kind: 'choose' })
    event.preventDefault()
    const { from, to } = actions.block()
    begin(event, { kind: 'rows', from, to, before: null })
  }
  /** The whole column, and with shift all from where the cursor is. */
  const pressHeader = (event: PointerEvent, column: number) => {
    event.preventDefault()
    const other = event.shiftKey ? selection.at.value.column : column
    const bottom = Math.max(0, sheet().rows.length - 1)
    selection.choose({ top: 0, bottom, start: Math.min(column, other), end: Math.max(column, other) })
    void focusCell()
  }
  const pressCell = (event: PointerEvent, place: Place) => {
    // A finger may be about to scroll: what it means is known when it is lifted.
    if (event.pointerType === 'touch') return
    if (event.shiftKey && place.row >= 0) {
      event.preventDefault()
      return selection.extend(place)
    }
    if (place.row < 0) return pressHeader(event, place.column)
    selection.go(place)
    begin(event, { kind: 'choose' })
  }
  const isChosen = ({ row, column }: Place): boolean => {
    const range = rangeAt(row)
    return range !== undefined && column >= range.start && column <= range.end
  }
  const pointerDown = (event: PointerEvent) => {
    const element = event.target as HTMLElement
    const place = placeOf(element)
    if (place === undefined || element.closest('.more, .edge') !== null) return
    if (event.button !== 0) {
      // A menu is for what is chosen, or for what it is opened on.
      if (!isChosen(place) && place.row >= 0) selection.go(place)
    } else if (element.closest('[data-row]') !== null) {
      pressNumber(event, place.row, element.closest('[data-handle]') !== null)
    } else if (element.closest('[data-corner]') !== null) {
      event.preventDefault()
      begin(event, { kind: 'fill', range: selection.range.value, to: selection.range.value.bottom })
    } else pressCell(event, place)
  }
  const touched = shallowRef('')
  const click = (event: MouseEvent) => {
    const element = event.target as HTMLElement
    const place = placeOf(element)
    const fold = element.closest<HTMLElement>('[data-fold]')?.dataset.fold
    if (fold !== undefined) return view.fold([Number(fold)], !view.isClosed(Number(fold)))
    if (place !== undefined && element.closest('[data-toggle]') !== null) return actions.toggle(place)
    if ((event as PointerEvent).pointerType !== 'touch' || place === undefined || place.row < 0) return
    if (element.closest('[data-row]') !== null) return
    // The second touch of a cell opens it.
    const key = `${place.row}:${place.column}`
    const isAgain =
      touched.value === key && selection.at.value.row === place.row && selection.at.value.column === place.column
    touched.value = key
    if (isAgain) return edit()
    selection.go(place)
    void focusCell()
  }
  const doubleClick = (event: MouseEvent) => {
    const element = event.target as HTMLElement
    if (
      placeOf(element) !== undefined &&
      element.closest('[data-cell]') !== null &&
      element.closest('[data-toggle], [data-fold]') === null
    )
      edit()
  }
  const fillingAt = (row: number): Range | undefined => {
    const range = filling()
    return range !== undefined && row >= range.top && row <= range.bottom ? range : undefined
  }
  return { drag, dropLine, fillingAt, rangeAt, pointerDown, click, doubleClick }
}
