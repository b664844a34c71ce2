// Which records are meant: the same parameters of the address on every page of a form's data.
import { type ComputedRef, computed } from 'vue'
import { useRoute } from 'vue-router'
import type { RecordFilter } from '@/api/records'

/** The order of a table that nobody sorted. */
export const tableOrder = '-_submission_time'

const names = ['query', 'search', 'sort', 'bbox', 'polygon', 'geo_field'] as const

export const filterIn = (query: Readonly<Record<string, unknown>>): RecordFilter =>
  Object.fromEntries(
    names.flatMap((name) => {
      const text = [query[name]].flat()[0]
      return typeof text === 'string' && text !== '' ? [[name, text]] : []
    }),
  )

/** The filter, for links to other pages of the same records. */
export const useRecordFilter = (): ComputedRef<RecordFilter> => {
  const route = useRoute()
  return computed(() => filterIn(route.query))
}
