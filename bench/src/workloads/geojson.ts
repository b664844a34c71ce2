// 10,000 records as GeoJSON and as XLSX, beside COPY of the same records.
import { bestOf, drained } from '../timing.js'
import type { Workload } from '../workload.js'

export const geojson: Workload = {
  name: 'geojson',
  description: 'GeoJSON, XML and XLSX of 10,000 records',
  run: async ({ isQuick, progress, dataPlace }) => {
    progress(0, 'writing records')
    const place = await dataPlace()
    const form = await place.form('short')
    place.server.rest()
    progress(0.3, 'reading them')
    const [geo = 0, xml = 0, xlsx = 0, limit = 0] = await bestOf(
      isQuick ? 2 : 3,
      () => place.get(`/data/${form.id}.geojson?page_size=10000`),
      () => place.get(`/data/${form.id}.xml`),
      () => place.get(`/data/${form.id}.xlsx`),
      async () => drained(await place.raw.copyRecords(form, place.counts.short)),
    )
    const raw = { name: 'COPY of the same records', value: limit }
    return {
      workload: 'geojson',
      figures: [
        { name: 'GeoJSON of 10,000 records', value: geo, unit: 's', limit: raw },
        { name: 'XML of 10,000 records', value: xml, unit: 's', limit: raw },
        { name: 'XLSX of 10,000 records', value: xlsx, unit: 's', limit: raw },
        ...place.server.strain(),
      ],
    }
  },
}
