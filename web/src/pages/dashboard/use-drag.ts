// Dragging by the handle, with mouse, pen or finger: the others make room at once; where it is let go is its place.
import { type Ref, ref } from 'vue'
import type { Widget } from '@/api/widgets'
import { movedTo } from './arrange'

export const useDrag = (
  widgets: () => readonly Widget[],
  shown: Ref<readonly Widget[] | undefined>,
  drop: (widget: Widget, to: number) => unknown,
) => {
  const held = ref<number>()
  const grab = (event: PointerEvent, widget: Widget) => {
    if (event.button !== 0) return
    event.preventDefault()
    const handle = event.currentTarget as HTMLElement | null
    handle?.focus()
    const start = widgets().findIndex(({ id }) => id === widget.id)
    let order = [...widgets()]
    held.value = widget.id
    const follow = ({ clientX, clientY }: PointerEvent) => {
      const under = document.elementFromPoint(clientX, clientY)?.closest<HTMLElement>('[data-widget]')
      const over = Number(under?.dataset.widget)
      if (!under || over === widget.id) return
      const from = order.findIndex(({ id }) => id === widget.id)
      const to = order.findIndex(({ id }) => id === over)
      if (to === -1) return
      order = movedTo(order, from, to)
      shown.value = order
    }
    const end = (isDropped: boolean) => {
      removeEventListener('pointermove', follow)
      removeEventListener('pointerup', up)
      removeEventListener('pointercancel', stop)
      removeEventListener('keydown', leave)
      held.value = undefined
      const to = order.findIndex(({ id }) => id === widget.id)
      shown.value = undefined
      if (isDropped && to !== start) drop(widget, to)
    }
    const up = () => end(true)
    const stop = () => end(false)
    const leave = ({ key }: KeyboardEvent) => key === 'Escape' && end(false)
    addEventListener('pointermove', follow)
    addEventListener('pointerup', up)
    addEventListener('pointercancel', stop)
    addEventListener('keydown', leave)
  }
  return { held, grab }
}
