// Queries and sorting over the answers of 100,000 records, beside the bare SQL.
import { pageSize } from '../data-place.js'
import type { Figure } from '../report.js'
import { bestOf } from '../timing.js'
import type { Workload } from '../workload.js'

const words = 'Some words of an answer, number 7'

export const filter: Workload = {
  name: 'filter',
  description: 'equality and range on an answer over 100,000 records',
  run: async ({ isQuick, progress, dataPlace }) => {
    progress(0, 'writing records')
    const place = await dataPlace()
    const form = await place.form('medium')
    const { raw, server } = place
    server.rest()
    const figures: Figure[] = []
    for (const [name, query, bare] of [
      ['equality', { q3: words }, raw.sql`and answers ->> 'q3' = ${words}`],
      ['range', { age: { $gte: '94' } }, raw.sql`and (answers ->> 'age')::numeric >= 94`],
    ] as const) {
      progress(0.6, name)
      const path = `/data/${form.id}?query=${encodeURIComponent(JSON.stringify(query))}`
      const [ours = 0, limit = 0] = await bestOf(
        isQuick ? 5 : 9,
        () => place.get(path),
        () => raw.readRecords(form, raw.sql`${bare} order by submissions.id`),
      )
      figures.push({
        name: `${name} on an answer over ${place.countIn('medium')}`,
        value: ours * 1000,
        unit: 'ms',
        limit: { name: 'the bare SQL', value: limit * 1000 },
        aim: { text: '≤ 1.5x', isMet: ours <= limit * 1.5 },
      })
    }
    return {
      workload: 'filter',
      figures: [...figures, ...server.strain()],
      limitedBy: 'The bare SQL is one statement; a list is two, since it says how many match.',
    }
  },
}

export const sort: Workload = {
  name: 'sort',
  description: 'a page of 100,000 records in the order of an answer',
  run: async ({ isQuick, progress, dataPlace }) => {
    progress(0, 'writing records')
    const place = await dataPlace()
    const form = await place.form('medium')
    const { raw, server } = place
    server.rest()
    progress(0.6, 'sorting')
    const bare = raw.sql`order by (submissions.answers ->> 'name') collate "C", submissions.id limit ${pageSize}`
    const [ours = 0, limit = 0] = await bestOf(
      isQuick ? 3 : 7,
      () => place.get(`/data/${form.id}?sort=name&page_size=${pageSize}&page=1`),
      () => raw.readRecords(form, bare),
    )
    return {
      workload: 'sort',
      figures: [
        {
          name: `${pageSize} of ${place.countIn('medium')} in the order of an answer`,
          value: ours * 1000,
          unit: 'ms',
          limit: { name: 'the bare SQL', value: limit * 1000 },
        },
        ...server.strain(),
      ],
    }
  },
}
