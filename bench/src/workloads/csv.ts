// CSV of 100,000 records, beside COPY of the same columns, and XLSX of them beside it; and what a million take of memory.
import type { Figure } from '../report.js'
import { bestOf, drained } from '../timing.js'
import type { Workload } from '../workload.js'

const isSmall = (megabytes: number) => ({ text: '< 250 MB', isMet: megabytes < 250 })

export const csv: Workload = {
  name: 'csv',
  description: 'CSV and XLSX of 100,000 records, CSV of 1,000,000',
  run: async ({ progress, dataPlace }) => {
    progress(0, 'writing records')
    const place = await dataPlace()
    const { server, raw } = place
    const form = await place.form('medium')
    const long = await place.form('long')
    server.rest()
    let firstMs = Number.POSITIVE_INFINITY
    const count = place.countIn('medium')
    progress(0.6, `reading ${count}`)
    const [ours = 0, limit = 0, xlsx = 0] = await bestOf(
      3,
      async () => {
        firstMs = Math.min(firstMs, (await place.get(`/data/${form.id}.csv`)).firstMs)
      },
      async () => drained(await raw.copyColumns(form)),
      () => place.get(`/data/${form.id}.xlsx`),
    )
    const figures: Figure[] = [
      {
        name: `CSV of ${count} records`,
        value: ours,
        unit: 's',
        limit: { name: 'COPY of the same columns', value: limit },
        aim: { text: '≤ 2x', isMet: ours <= limit * 2 },
      },
      {
        name: `XLSX of ${count} records`,
        value: xlsx,
        unit: 's',
        limit: { name: 'as CSV', value: ours },
        aim: { text: '≤ 2.5x', isMet: xlsx <= ours * 2.5 },
      },
      { name: 'first byte of the CSV', value: firstMs, unit: 'ms', aim: { text: '≤ 300 ms', isMet: firstMs <= 300 } },
      { name: 'peak memory of both', value: server.peakMemory(), unit: 'MB', aim: isSmall(server.peakMemory()) },
    ]
    progress(0.7, `reading ${place.countIn('long')}`)
    await place.get(`/data/${long.id}.csv`)
    const peak = server.peakMemory()
    figures.push({
      name: `peak memory of CSV of ${place.countIn('long')}`,
      value: peak,
      unit: 'MB',
      aim: isSmall(peak),
    })
    return { workload: 'csv', figures: [...figures, ...server.strain()] }
  },
}
