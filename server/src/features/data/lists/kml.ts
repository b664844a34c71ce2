// Records as places of a map that programs for the desktop open.
import { kmlEnd, kmlStart, placemarkOf } from '../../../formats/kml/index.js'
import type { Database } from '../../../platform/db/index.js'
import type { Export } from '../reading/index.js'
import type { ListRequest, Slice } from '../selection/index.js'
import { recordsOf } from './rendering.js'

export const kmlOf = (db: Database, list: ListRequest, slice: Slice): Export => {
  let placemarks = 0
  async function* bytes(): AsyncGenerator<string> {
    yield kmlStart(list.seen.form.title)
    for await (const record of recordsOf(db, list, slice)) {
      const placemark = await placemarkOf(record)
      if (placemark !== '') placemarks += 1
      yield placemark
    }
    yield kmlEnd
  }
  return { bytes: bytes(), rowCount: () => placemarks }
}
