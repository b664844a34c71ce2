// A list of 10,000 records as JSON, beside COPY of the same texts.
import { bestOf, drained } from '../timing.js'
import type { Workload } from '../workload.js'

export const json: Workload = {
  name: 'json',
  description: 'JSON list of 10,000 records',
  run: async ({ isQuick, progress, dataPlace }) => {
    progress(0, 'writing records')
    const place = await dataPlace()
    const form = await place.form('short')
    progress(0.5, 'reading them')
    place.server.rest()
    const [ours = 0, limit = 0] = await bestOf(
      isQuick ? 3 : 7,
      () => place.get(`/data/${form.id}`),
      async () => drained(await place.raw.copyRecords(form, place.counts.short)),
    )
    return {
      workload: 'json',
      figures: [
        {
          name: 'JSON of 10,000 records',
          value: ours,
          unit: 's',
          limit: { name: 'COPY of the same records', value: limit },
          aim: { text: '≤ 2x', isMet: ours <= limit * 2 },
        },
        ...place.server.strain(),
      ],
    }
  },
}
