// What people ask of 1,000,000 records while more of them arrive, 500 a second: how long the slowest of a hundred wait.
import { type DataPlace, pageSize } from '../data-place.js'
import { arriving, quantile } from '../raw-client.js'
import type { BenchForm } from '../raw-data.js'
import type { Figure } from '../report.js'
import { multipartRequest, submissionXml } from '../visit-form.js'
import type { Workload } from '../workload.js'
import { makeIndexes, questionsOf } from './answers.js'
import { charts, warm } from './large-forms.js'

const perSecond = 500
const mostMs = 300

interface Asked {
  readonly name: string
  readonly path: () => string
  readonly isAimed: boolean
}

const askedOf = (place: DataPlace, form: BenchForm): Asked[] => {
  const count = place.counts.long
  // Others than the other workloads ask with.
  let number = Math.floor(count / 2)
  const lists = questionsOf(count, form.id).map(({ name, asked, isAimed }) => ({
    name,
    path: () => {
      number += 1
      return `/data/${form.id}?${new URLSearchParams({ page_size: String(pageSize), ...asked(number) })}`
    },
    isAimed,
  }))
  const shown = charts(form).map(([name, path]) => ({ name, path: () => path, isAimed: true }))
  const page = { name: 'a page without a filter', path: () => `/data/${form.id}?page=1&page_size=${pageSize}` }
  return [{ ...page, isAimed: true }, ...lists, ...shown]
}

const timesOf = async (rounds: number, work: () => Promise<unknown>): Promise<number[]> => {
  const times: number[] = []
  for (let round = 0; round < rounds; round++) {
    const begun = performance.now()
    await work()
    times.push(performance.now() - begun)
  }
  return times.sort((a, b) => a - b)
}

export const meanwhile: Workload = {
  name: 'meanwhile',
  description: `what is asked of 1,000,000 records while ${perSecond} submissions a second arrive`,
  run: async ({ isQuick, progress, dataPlace }) => {
    progress(0, 'writing records')
    const place = await dataPlace()
    const form = await place.form('long')
    progress(0.2, 'making indexes')
    await makeIndexes(place, form)
    await warm(
      place,
      form,
      charts(form).map(([, path]) => path),
    )
    const headers = `Authorization: ${place.headers.authorization}\r\n`
    const next = () => multipartRequest('/ana/submission', headers, submissionXml(form.uuid))
    place.server.rest()
    const arrivals = arriving(place.server.address, perSecond, next)
    const figures: Figure[] = []
    const all = askedOf(place, form)
    const ask = async () => {
      for (const [index, { name, path, isAimed }] of all.entries()) {
        progress(0.3 + (0.7 * index) / all.length, name)
        const times = await timesOf(isQuick || !isAimed ? 20 : 100, () => place.get(path()))
        const p99 = quantile(times, 0.99)
        figures.push({ name: `${name}, median`, value: quantile(times, 0.5), unit: 'ms' })
        const aim = { text: `≤ ${mostMs} ms`, isMet: p99 <= mostMs }
        figures.push({ name: 'p99 of it', value: p99, unit: 'ms', ...(isAimed && { aim }) })
      }
    }
    const [asked] = await Promise.allSettled([ask()])
    const { perSecond: received, p99, refused } = await arrivals.end()
    if (asked.status === 'rejected') throw asked.reason
    if (refused > 0) throw new Error(`${refused} submissions were refused`)
    figures.push(
      { name: 'received meanwhile', value: received, unit: '/s' },
      { name: 'p99 of it', value: p99, unit: 'ms' },
    )
    return { workload: 'meanwhile', figures: [...figures, ...place.server.strain()] }
  },
}
