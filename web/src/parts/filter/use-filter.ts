// The filter of a form's records: in the address as `query` (JSON of the API's query language), `search`, and an area of the map
// (`bbox`, `polygon`, `geo_field`), with the same names on every page, so that a link shows on the map what it showed in the table.
import { computed } from 'vue'
import { asText, useAddressState } from '@/base/address-state'

/** As the API takes it; what is not asked is left out. */
export interface FilterParameters {
  readonly query?: string
  readonly search?: string
  readonly bbox?: string
  readonly polygon?: string
  readonly geo_field?: string
}

export const useFilter = () => {
  const query = useAddressState('query', '', asText, { isStep: true })
  const search = useAddressState('search', '', asText)
  const bbox = useAddressState('bbox', '', asText, { isStep: true })
  const polygon = useAddressState('polygon', '', asText, { isStep: true })
  const geoField = useAddressState('geo_field', '', asText)
  const hasArea = computed(() => bbox.value !== '' || polygon.value !== '')
  const parameters = computed<FilterParameters>(() => ({
    ...(query.value !== '' && { query: query.value }),
    ...(search.value.trim() !== '' && { search: search.value.trim() }),
    ...(bbox.value !== '' && { bbox: bbox.value }),
    ...(polygon.value !== '' && { polygon: polygon.value }),
    ...(hasArea.value && geoField.value !== '' && { geo_field: geoField.value }),
  }))
  /** The question stays: on the map it is the one that is shown. */
  const clearArea = () => {
    bbox.value = ''
    polygon.value = ''
  }
  const isSet = computed(() => Object.keys(parameters.value).length > 0)
  return { query, search, bbox, polygon, geoField, hasArea, clearArea, parameters, isSet }
}

export type Filter = ReturnType<typeof useFilter>
