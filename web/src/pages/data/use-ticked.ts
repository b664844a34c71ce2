// The rows that somebody chose: some by their numbers, or all that match the filter.
import { computed, shallowRef } from 'vue'
import type { RecordRow } from '@/api/record-list'

export const useTicked = ({ total, row }: { total: () => number; row: (index: number) => RecordRow | undefined }) => {
  const ids = shallowRef<ReadonlySet<number>>(new Set())
  const isAll = shallowRef(false)
  /** Of all, but for these. */
  const without = shallowRef<ReadonlySet<number>>(new Set())
  let last = 0

  const isTicked = (one: RecordRow | undefined) =>
    one !== undefined && (isAll.value ? !without.value.has(one._id) : ids.value.has(one._id))
  const count = computed(() => (isAll.value ? Math.max(0, total() - without.value.size) : ids.value.size))
  const state = computed(() => (count.value === 0 ? 'none' : count.value >= total() ? 'all' : 'some'))

  const clear = () => {
    ids.value = new Set()
    without.value = new Set()
    isAll.value = false
  }
  /** With `isRange` every row from the last one on; those that are not there yet are left out. */
  const tick = (index: number, isRange: boolean) => {
    const one = row(index)
    if (one === undefined) return
    const isNow = !isTicked(one)
    const next = new Set(isAll.value ? without.value : ids.value)
    const isIn = isAll.value ? !isNow : isNow
    const [from, to] = isRange ? [Math.min(last, index), Math.max(last, index)] : [index, index]
    for (let at = from; at <= to; at += 1) {
      const id = row(at)?._id
      if (id === undefined) continue
      if (isIn) next.add(id)
      else next.delete(id)
    }
    last = index
    if (isAll.value) without.value = next
    else ids.value = next
    if (count.value === 0) clear()
  }
  const all = () => {
    clear()
    isAll.value = total() > 0
  }
  const tickAll = () => (count.value === 0 ? all() : clear())

  return { ids, isAll, without, all, count, state, isTicked, tick, tickAll, clear }
}

export type Ticked = ReturnType<typeof useTicked>
