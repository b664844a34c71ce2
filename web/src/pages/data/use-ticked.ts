// The rows that somebody chose: some by their numbers, or all that match the filter.
import { computed, shallowRef } from 'vue'
import type { RecordRow } from '@/api/record-list'

export const useTicked = ({ total, row }: { total: () => number; row: (index: number) => RecordRow | undefined }) => {
  const ids = shallowRef<ReadonlySet<number>>(new Set())
  const isAll = shallowRef(false)
  let last = 0

  const isTicked = (one: RecordRow | undefined) => one !== undefined && (isAll.value || ids.value.has(one._id))
  const count = computed(() => (isAll.value ? total() : ids.value.size))
  const state = computed(() => (count.value === 0 ? 'none' : count.value >= total() ? 'all' : 'some'))

  const clear = () => {
    ids.value = new Set()
    isAll.value = false
  }
  /** With `isRange` every row from the last one on; those that are not there yet are left out. */
  const tick = (index: number, isRange: boolean) => {
    const one = row(index)
    if (one === undefined) return
    const isNow = !isTicked(one)
    // Of all, one is taken out: then those in sight are what was meant.
    if (isAll.value) clear()
    const next = new Set(ids.value)
    const [from, to] = isRange ? [Math.min(last, index), Math.max(last, index)] : [index, index]
    for (let at = from; at <= to; at += 1) {
      const id = row(at)?._id
      if (id === undefined) continue
      if (isNow) next.add(id)
      else next.delete(id)
    }
    last = index
    ids.value = next
  }
  const tickAll = () => {
    const isNone = count.value === 0
    clear()
    isAll.value = isNone && total() > 0
  }

  return { ids, isAll, count, state, isTicked, tick, tickAll, clear }
}

export type Ticked = ReturnType<typeof useTicked>
