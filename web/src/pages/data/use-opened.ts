// The record that is open beside the table. It stands in the address: opening it is a step that "back" takes back, going on to the
// next is none.
import { computed, onScopeDispose, ref, watch } from 'vue'
import { useRoute, useRouter } from 'vue-router'
import type { RecordRow } from '@/api/record-list'
import { asText, useAddressState } from '@/base/address-state'

/** Whoever holds an arrow key down passes records by. */
const restMilliseconds = 120

export interface OpenedOptions {
  readonly total: () => number
  readonly row: (index: number) => RecordRow | undefined
  readonly indexOf: (isIt: (row: RecordRow) => boolean) => number
  /** Brings a row into sight, so that it is loaded. */
  readonly goToRow: (index: number) => void
}

export const useOpened = ({ total, row, indexOf, goToRow }: OpenedOptions) => {
  const opened = useAddressState('record', '', asText)
  const openedFirst = useAddressState('record', '', asText, { isStep: true })
  const route = useRoute()
  const router = useRouter()
  let openedFrom = ''
  /** By its number: a change of an answer gives a record another uuid than the one in the address. */
  const openedId = ref(0)
  const openedAt = computed(() => {
    const isOpened = ({ _uuid, _id }: RecordRow) =>
      _id === openedId.value || _uuid === opened.value || String(_id) === opened.value
    return opened.value === '' ? -1 : indexOf(isOpened)
  })

  const open = (index: number) => {
    const found = row(index)
    // Open already: writing the address once more would end a way to another page that has just begun.
    if (found === undefined || found._uuid === opened.value) return
    if (opened.value !== '') {
      opened.value = found._uuid
      return
    }
    openedFrom = route.fullPath
    openedFirst.value = found._uuid
  }

  let timer: ReturnType<typeof setTimeout> | undefined
  /** Where a record is open, the arrow keys move on to the next. */
  const at = (index: number) => {
    if (opened.value === '') return
    clearTimeout(timer)
    timer = setTimeout(() => open(index), restMilliseconds)
  }

  /** A row on its way to which somebody is: it opens as soon as it is loaded. */
  const awaited = ref(-1)
  const step = (by: number) => {
    const next = openedAt.value + by
    if (openedAt.value < 0 || next < 0 || next >= total()) return
    clearTimeout(timer)
    goToRow(next)
    awaited.value = next
  }
  watch(
    () => awaited.value >= 0 && row(awaited.value) !== undefined,
    (isThere) => {
      if (!isThere) return
      open(awaited.value)
      awaited.value = -1
    },
    { flush: 'sync' },
  )

  watch(opened, (now) => {
    openedId.value = 0
    awaited.value = -1
    if (now !== '') return
    openedFrom = ''
    clearTimeout(timer)
  })

  const close = () => {
    clearTimeout(timer)
    awaited.value = -1
    const { record: _opened, ...query } = route.query
    // Where nothing else changed since, the step is taken back, so that "back" leads out of the table.
    if (openedFrom !== '' && router.resolve({ query, hash: route.hash }).fullPath === openedFrom) router.back()
    else opened.value = ''
    openedFrom = ''
  }
  onScopeDispose(() => clearTimeout(timer))

  return { opened, openedAt, openedId, open, at, step, close }
}
