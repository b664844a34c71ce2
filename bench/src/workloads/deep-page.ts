// Pages deep in a large form, beside its first page.
import { pageSize } from '../data-place.js'
import type { Figure } from '../report.js'
import { bestOf } from '../timing.js'
import type { Workload } from '../workload.js'

export const deepPage: Workload = {
  name: 'deep-page',
  description: 'pages in the middle and at the end of 1,000,000 records',
  run: async ({ progress, dataPlace }) => {
    progress(0, 'writing records')
    const place = await dataPlace()
    const form = await place.form('long')
    place.server.rest()
    const count = place.counts.long
    const middle = new Date(Date.UTC(2024, 0, 1) + (count / 4) * 20_000).toISOString()
    const figures: Figure[] = []
    for (const [name, query, matching] of [
      ['', '', count],
      [' filtered by _submission_time', `&query={"_submission_time":{"$gte":"${middle}"}}`, (count * 3) / 4],
    ] as const) {
      progress(0.8, `pages${name}`)
      const page = (number: number) => () => place.get(`/data/${form.id}?page_size=${pageSize}&page=${number}${query}`)
      const last = Math.floor(matching / pageSize)
      for (const number of [1, last]) await page(number)()
      const [first = 0, half = 0, end = 0] = await bestOf(9, page(1), page(Math.floor(last / 2)), page(last))
      for (const [which, value] of [
        ['a page in the middle', half],
        ['the last page', end],
      ] as const) {
        figures.push({
          name: `${which} of ${place.countIn('long')}${name}`,
          value: value * 1000,
          unit: 'ms',
          limit: { name: 'the first page', value: first * 1000 },
          aim: { text: '≤ 3x', isMet: value <= first * 3 },
        })
      }
    }
    return { workload: 'deep-page', figures: [...figures, ...place.server.strain()] }
  },
}
