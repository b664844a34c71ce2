// Records with files, page after page as the wall is scrolled.
import { onBeforeUnmount, ref, shallowRef, watch } from 'vue'
import { type ApiError, asApiError } from '@/api'
import { type DataRecord, listRecords, type RecordFilter } from '@/api/records'

const pageSize = 100

export const useMedia = (request: () => { formId: number; filter: RecordFilter; fields: readonly string[] }) => {
  const rows = shallowRef<readonly DataRecord[]>([])
  const total = ref(0)
  const isLoading = ref(false)
  const isEnd = ref(false)
  const error = shallowRef<ApiError>()
  let going: AbortController | undefined

  const more = async () => {
    if (isLoading.value || isEnd.value) return
    const mine = new AbortController()
    going = mine
    isLoading.value = true
    error.value = undefined
    const { formId, filter, fields } = request()
    try {
      const range = { page: 1 + Math.floor(rows.value.length / pageSize), page_size: pageSize }
      const answer = await listRecords(formId, filter, fields, range, mine.signal)
      if (mine.signal.aborted) return
      rows.value = [...rows.value, ...answer.rows]
      total.value = answer.total
      isEnd.value = answer.rows.length < pageSize
    } catch (fault) {
      if (!mine.signal.aborted) error.value = asApiError(fault)
    } finally {
      if (going === mine) isLoading.value = false
    }
  }

  const restart = () => {
    going?.abort()
    going = undefined
    rows.value = []
    total.value = 0
    isLoading.value = false
    isEnd.value = false
    void more()
  }
  watch(() => JSON.stringify(request()), restart, { immediate: true })
  onBeforeUnmount(() => going?.abort())
  return { rows, total, isLoading, isEnd, error, more, restart }
}
