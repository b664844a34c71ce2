// The place of the cursor, for what takes long to be drawn: at once, but while somebody runs through rows only when they stop.
import { onScopeDispose, type Ref, shallowRef, watch } from 'vue'
import type { Place } from '@/parts/sheets/workbook'

const restMilliseconds = 120

export const useFollowed = (at: Readonly<Ref<Place>>) => {
  const place = shallowRef(at.value)
  let movedAt = 0
  let timer: ReturnType<typeof setTimeout> | undefined
  const catchUp = () => {
    clearTimeout(timer)
    place.value = at.value
  }
  watch(at, () => {
    const isRunning = performance.now() - movedAt < restMilliseconds
    movedAt = performance.now()
    clearTimeout(timer)
    if (isRunning) timer = setTimeout(catchUp, restMilliseconds)
    else catchUp()
  })
  onScopeDispose(() => clearTimeout(timer))
  return { place, catchUp }
}
