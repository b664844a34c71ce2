// Pages of 250 records, eight at once, beside the same SELECT over pg.
import autocannon from 'autocannon'
import { connections, pageSize } from '../data-place.js'
import type { BenchForm, RawData } from '../raw-data.js'
import type { Workload } from '../workload.js'

const pageCount = 40

const rawPages = async (raw: RawData, form: BenchForm, duration: number): Promise<number> => {
  const end = performance.now() + duration * 1000
  let count = 0
  const run = async () => {
    for (let page = 0; performance.now() < end; page = (page + 7) % pageCount) {
      const offset = page * pageSize
      await raw.readRecords(form, raw.sql`order by submissions.id limit ${pageSize} offset ${offset}`)
      count += 1
    }
  }
  await Promise.all(Array.from({ length: connections }, run))
  return count / duration
}

export const pages: Workload = {
  name: 'pages',
  description: `pages of ${pageSize} records, ${connections} at once`,
  run: async ({ isQuick, progress, dataPlace }) => {
    progress(0, 'writing records')
    const place = await dataPlace()
    const form = await place.form('short')
    const { server, headers, raw } = place
    const requests = Array.from({ length: pageCount }, (_, index) => ({
      path: `/api/v1/data/${form.id}?page=${((index * 7) % pageCount) + 1}&page_size=${pageSize}`,
    }))
    const duration = isQuick ? 1 : 4
    const rounds = isQuick ? 2 : 3
    const best = { ours: 0, raw: 0 }
    server.rest()
    for (let round = 0; round < rounds; round++) {
      progress((round + 1) / (rounds + 1), `round ${round + 1} of ${rounds}`)
      const result = await autocannon({ url: server.address, connections, duration, headers, requests })
      if (result.non2xx > 0) throw new Error(`${result.non2xx} pages were refused`)
      best.ours = Math.max(best.ours, result['2xx'] / result.duration)
      best.raw = Math.max(best.raw, await rawPages(raw, form, duration))
    }
    return {
      workload: 'pages',
      figures: [
        {
          name: `pages of ${pageSize} records, ${connections} at once`,
          value: best.ours,
          unit: '/s',
          limit: { name: 'the same SELECT over pg', value: best.raw },
          aim: { text: '≥ 0.5', isMet: best.ours >= best.raw / 2 },
        },
        ...server.strain(),
      ],
    }
  },
}
