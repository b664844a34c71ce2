// What is done by holding and drawing: rows by their handle, a range by its corner, a choice over cells.
import { shallowRef } from 'vue'
import { type Range, rangeOf } from './edits'
import type { Place } from './workbook'

export type Drag =
  | { readonly kind: 'choose' }
  /** Rows, and the line before which they would be put. */
  | { readonly kind: 'rows'; readonly from: number; readonly to: number; readonly before: number | null }
  | { readonly kind: 'fill'; readonly range: Range; readonly to: number }

export interface DragOptions {
  /** The cell under the pointer; the row also beside the cells. */
  readonly placeAt: (event: PointerEvent) => Place | undefined
  readonly extend: (place: Place) => void
  /** Rows on the screen before which something may be put: not within themselves. */
  readonly moveRows: (from: number, to: number, before: number) => void
  readonly fill: (range: Range, to: number) => void
  /** Near an edge the grid scrolls. */
  readonly scrollNear: (event: PointerEvent) => void
}

export const useDrag = ({ placeAt, extend, moveRows, fill, scrollNear }: DragOptions) => {
  const drag = shallowRef<Drag>()

  const begin = (event: PointerEvent, started: Drag) => {
    drag.value = started
    const element = event.currentTarget as HTMLElement
    const move = (moved: PointerEvent) => {
      const now = drag.value
      const place = placeAt(moved)
      if (now === undefined) return
      scrollNear(moved)
      if (place === undefined) return
      if (now.kind === 'choose') extend(place)
      else if (now.kind === 'fill') drag.value = { ...now, to: Math.max(now.range.bottom, place.row) }
      else drag.value = { ...now, before: place.row }
    }
    const stop = (isDone: boolean) => () => {
      element.removeEventListener('pointermove', move)
      element.removeEventListener('pointerup', finish)
      element.removeEventListener('pointercancel', cancel)
      removeEventListener('keydown', giveUp, true)
      const ended = drag.value
      drag.value = undefined
      if (!isDone || ended === undefined) return
      if (ended.kind === 'rows' && ended.before !== null) moveRows(ended.from, ended.to, ended.before)
      if (ended.kind === 'fill' && ended.to > ended.range.bottom) fill(ended.range, ended.to)
    }
    const [finish, cancel] = [stop(true), stop(false)]
    const giveUp = (pressed: KeyboardEvent) => {
      if (pressed.key === 'Escape') cancel()
    }
    // Choosing goes on over other cells, and a finger that scrolls must not choose.
    if (started.kind !== 'choose') element.setPointerCapture(event.pointerId)
    element.addEventListener('pointermove', move)
    element.addEventListener('pointerup', finish)
    element.addEventListener('pointercancel', cancel)
    addEventListener('keydown', giveUp, true)
  }
  /** What would be filled. */
  const filling = (): Range | undefined => {
    const now = drag.value
    if (now?.kind !== 'fill') return undefined
    const { top, start, end } = now.range
    return rangeOf({ row: top, column: start }, { row: now.to, column: end })
  }
  return { drag, begin, filling }
}
