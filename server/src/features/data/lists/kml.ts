// Records as places of a map that programs for the desktop open.
import { kmlEnd, kmlStart, placemarkOf } from '../../../formats/kml/index.js'
import type { Database } from '../../../platform/db/index.js'
import { invalid } from '../../../platform/http/index.js'
import type { Export } from '../reading/index.js'
import { type ListRequest, noPlaces, type Slice } from '../selection/index.js'
import { recordsOf } from './rendering.js'

/** Undefined for `_geolocation`. 400 for what the form does not ask: a file without a place would say that nobody answered it. */
export const placeOfKml = ({ shape }: ListRequest, field: string | undefined): string | undefined => {
  if (!field || field === '_geolocation') return undefined
  if (shape.slotsOf(field).length === 0) throw invalid({ geo_field: [noPlaces(field)] })
  return field
}

export const kmlOf = (db: Database, list: ListRequest, slice: Slice, field: string | undefined): Export => {
  let placemarks = 0
  async function* bytes(): AsyncGenerator<string> {
    yield kmlStart(list.seen.form.title)
    for await (const record of recordsOf(db, list, slice)) {
      const placemark = await placemarkOf(record, list.shape, field)
      if (placemark !== '') placemarks += 1
      yield placemark
    }
    yield kmlEnd
  }
  return { bytes: bytes(), rowCount: () => placemarks }
}
