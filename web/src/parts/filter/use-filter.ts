// The filter of a form's records: in the address as `query` (JSON of the API's query language) and `search`, with the same names on
// every page, so that a link shows on the map what it showed in the table.
import { computed } from 'vue'
import { asText, useAddressState } from '@/base/address-state'

/** As the API takes it; what is not asked is left out. */
export interface FilterParameters {
  readonly query?: string
  readonly search?: string
}

export const useFilter = () => {
  const query = useAddressState('query', '', asText, { isStep: true })
  const search = useAddressState('search', '', asText)
  const parameters = computed<FilterParameters>(() => ({
    ...(query.value !== '' && { query: query.value }),
    ...(search.value.trim() !== '' && { search: search.value.trim() }),
  }))
  const isSet = computed(() => Object.keys(parameters.value).length > 0)
  return { query, search, parameters, isSet }
}

export type Filter = ReturnType<typeof useFilter>
