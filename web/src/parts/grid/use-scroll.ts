// Rows of one height in a box that scrolls. Which are in sight is arithmetic, so a million rows cost what ten do. Browsers hold no
// element of any height: beyond the bound the scroll bar stands for more than its pixels, while the wheel still moves by lines.
import { computed, onBeforeUnmount, onMounted, type Ref, ref } from 'vue'

/** Firefox ends at 17.9 million pixels, Chromium at 33.5. */
export const tallest = 15_000_000

/** How many pixels of rows a pixel of the scroll bar stands for. */
export const scaleOf = (height: number, view: number): number =>
  height <= tallest ? 1 : (height - view) / Math.max(1, tallest - view)

export const useScroll = (
  box: Ref<HTMLElement | undefined>,
  { total, rowHeight, headHeight }: Readonly<Record<'total' | 'rowHeight' | 'headHeight', () => number>>,
) => {
  /** Of the rows, in their own pixels. */
  const offset = ref(0)
  const top = ref(0)
  const view = ref({ width: 0, height: 0 })

  const height = computed(() => total() * rowHeight())
  const room = computed(() => Math.max(rowHeight(), view.value.height - headHeight()))
  const scale = computed(() => scaleOf(height.value, room.value))
  const bodyHeight = computed(() => Math.min(height.value, tallest))
  const furthest = computed(() => Math.max(0, height.value - room.value))

  const overscan = 6
  const range = computed(() => ({
    from: Math.max(0, Math.floor(offset.value / rowHeight()) - overscan),
    to: Math.min(total() - 1, Math.ceil((offset.value + room.value) / rowHeight()) + overscan),
  }))
  const firstInSight = computed(() => Math.min(Math.max(0, total() - 1), Math.round(offset.value / rowHeight())))
  const rowsInSight = computed(() => Math.max(1, Math.floor(room.value / rowHeight()) - 1))

  const topOf = (index: number): number =>
    scale.value === 1 ? index * rowHeight() : top.value + index * rowHeight() - offset.value

  const setOffset = (next: number) => {
    offset.value = Math.max(0, Math.min(furthest.value, next))
    top.value = offset.value / scale.value
    if (box.value !== undefined) box.value.scrollTop = top.value
  }

  const onScroll = () => {
    const now = box.value?.scrollTop ?? 0
    // What was set by us comes back as an event, rounded to a pixel that stands for many.
    if (scale.value > 1 && Math.abs(now - top.value) < 1) return
    top.value = now
    offset.value = Math.min(now * scale.value, furthest.value)
  }

  const onWheel = (event: WheelEvent) => {
    if (scale.value === 1 || event.ctrlKey || event.deltaY === 0) return
    event.preventDefault()
    const unit = event.deltaMode === 1 ? rowHeight() : event.deltaMode === 2 ? room.value : 1
    setOffset(offset.value + event.deltaY * unit)
  }

  /** So far as is needed to see it whole. */
  const showRow = (index: number) => {
    const start = index * rowHeight()
    if (start < offset.value) setOffset(start)
    else if (start + rowHeight() > offset.value + room.value) setOffset(start + rowHeight() - room.value)
  }

  const measure = () => {
    const element = box.value
    if (element !== undefined) view.value = { width: element.clientWidth, height: element.clientHeight }
  }
  let observer: ResizeObserver | undefined
  onMounted(() => {
    measure()
    if (box.value === undefined) return
    observer = new ResizeObserver(measure)
    observer.observe(box.value)
    box.value.addEventListener('wheel', onWheel, { passive: false })
  })
  onBeforeUnmount(() => observer?.disconnect())

  return { range, firstInSight, rowsInSight, bodyHeight, topOf, onScroll, showRow, setOffset, view, offset }
}
