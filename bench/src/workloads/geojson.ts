// 10,000 records as GeoJSON, XML and XLSX, beside COPY of the same records; and GeoJSON beside JSON of the same points.
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
    const points = encodeURIComponent('["_id","_geolocation"]')
    const [geo = 0, json = 0, xml = 0, xlsx = 0, limit = 0] = await bestOf(
      isQuick ? 2 : 3,
      () => place.get(`/data/${form.id}.geojson?page_size=10000`),
      () => place.get(`/data/${form.id}?page_size=10000&fields=${points}`),
      () => place.get(`/data/${form.id}.xml`),
      () => place.get(`/data/${form.id}.xlsx`),
      async () => drained(await place.raw.copyRecords(form, place.counts.short)),
    )
    const raw = { name: 'COPY of the same records', value: limit }
    return {
      workload: 'geojson',
      figures: [
        { name: 'GeoJSON of 10,000 records', value: geo, unit: 's', limit: raw },
        {
          name: 'GeoJSON of 10,000 points',
          value: geo,
          unit: 's',
          limit: { name: 'JSON of the same points', value: json },
          aim: { text: '≤ 3x', isMet: geo <= json * 3 },
        },
        { name: 'XML of 10,000 records', value: xml, unit: 's', limit: raw },
        { name: 'XLSX of 10,000 records', value: xlsx, unit: 's', limit: raw },
        ...place.server.strain(),
      ],
    }
  },
}
