// Loads the places of all records that the filter leaves, page by page; beyond what a browser holds, the server puts them together.
import { onBeforeUnmount, ref, shallowRef, watch } from 'vue'
import { type ApiError, asApiError } from '@/api'
import type { Question } from '@/api/form-model'
import { type Answers, listRecords, type RecordFilter } from '@/api/records'
import { addPoints, fieldOf, noPoints, type Points } from '@/parts/map/points'

/** More than these the server clusters. */
export const mostPoints = 300_000
const pageSize = 10_000

export interface PointsRequest {
  readonly formId: number
  readonly filter: RecordFilter
  readonly question: Question
  /** The question or fact by which they are coloured. */
  readonly colourBy: string
}

export const usePoints = (request: () => PointsRequest | undefined) => {
  const points = shallowRef<Points>(noPoints())
  const loaded = ref(0)
  const total = ref(0)
  const without = ref(0)
  const isLoading = ref(false)
  const isTooMany = ref(false)
  const error = shallowRef<ApiError>()
  let going: AbortController | undefined

  const load = async (wanted: PointsRequest, signal: AbortSignal) => {
    const { formId, filter, question, colourBy } = wanted
    const fields = [...new Set(['_id', fieldOf(question), ...(colourBy === '' ? [] : [colourBy])])]
    const answerOf = (row: Answers) => {
      const value = row[colourBy]
      return value === undefined || value === null ? undefined : String(value)
    }
    const { sort: _sort, ...rest } = filter
    const found = noPoints()
    let missing = 0
    for (let page = 1; ; page++) {
      const answer = await listRecords(formId, rest, fields, { page, page_size: pageSize }, signal)
      if (signal.aborted) return
      total.value = answer.total
      isTooMany.value = answer.total > mostPoints
      if (isTooMany.value) return
      missing += addPoints(found, answer.rows, question, answerOf)
      loaded.value += answer.rows.length
      without.value = missing
      const isLast = answer.rows.length < pageSize || loaded.value >= answer.total
      // The first page at once, then all: putting them together again for each page would cost more than it shows.
      if (page === 1 || isLast) points.value = { ...found }
      if (isLast) return
    }
  }

  const start = async () => {
    going?.abort()
    const wanted = request()
    const mine = new AbortController()
    going = mine
    points.value = noPoints()
    loaded.value = 0
    total.value = 0
    without.value = 0
    isTooMany.value = false
    error.value = undefined
    if (wanted === undefined) return
    isLoading.value = true
    try {
      await load(wanted, mine.signal)
    } catch (fault) {
      if (!mine.signal.aborted) error.value = asApiError(fault)
    } finally {
      if (going === mine) isLoading.value = false
    }
  }

  watch(
    () => JSON.stringify([request()?.formId, request()?.filter, request()?.question.key, request()?.colourBy]),
    start,
    {
      immediate: true,
    },
  )
  onBeforeUnmount(() => going?.abort())
  return { points, loaded, total, without, isLoading, isTooMany, error, retry: start }
}
