// How much of the window is left below something: the table fills it, so that its own scroll bar is the only one.
import { onBeforeUnmount, onMounted, type Ref, ref } from 'vue'

const below = 16

export const useRoom = (box: Ref<HTMLElement | undefined>): Ref<number> => {
  const room = ref(480)
  const measure = () => {
    const top = box.value?.getBoundingClientRect().top
    if (top !== undefined) room.value = Math.round(innerHeight - (top + scrollY) - below)
  }
  let observer: ResizeObserver | undefined
  onMounted(() => {
    measure()
    addEventListener('resize', measure)
    // What stands above it grows and shrinks: conditions, chosen rows.
    observer = new ResizeObserver(measure)
    for (const other of box.value?.parentElement?.children ?? []) if (other !== box.value) observer.observe(other)
    if (box.value?.parentElement) observer.observe(box.value.parentElement)
  })
  onBeforeUnmount(() => {
    removeEventListener('resize', measure)
    observer?.disconnect()
  })
  return room
}
