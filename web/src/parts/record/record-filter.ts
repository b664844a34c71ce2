// Which records are meant: the same parameters of the address on every page of a form's data.
import { type ComputedRef, computed } from 'vue'
import { useRoute } from 'vue-router'
import type { RecordFilter } from '@/api/records'

const names = ['query', 'search', 'sort', 'bbox', 'polygon', 'geo_field'] as const

export const filterIn = (query: Readonly<Record<string, unknown>>): RecordFilter =>
  Object.fromEntries(
    names.flatMap((name) => {
      const text = [query[name]].flat()[0]
      return typeof text === 'string' && text !== '' ? [[name, text]] : []
    }),
  )

export const useRecordFilter = (): ComputedRef<RecordFilter> => {
  const route = useRoute()
  return computed(() => filterIn(route.query))
}
