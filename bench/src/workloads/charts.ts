// Charts over 100,000 records, beside the bare SQL that counts the same.
import autocannon from 'autocannon'
import { connections, type DataPlace } from '../data-place.js'
import type { BenchForm } from '../raw-data.js'
import type { Figure } from '../report.js'
import { bestOf } from '../timing.js'
import type { Workload } from '../workload.js'

interface Chart {
  readonly name: string
  readonly form: BenchForm
  readonly query: string
  /** Counts the same. */
  readonly bare: ReturnType<DataPlace['raw']['sql']>
}

const compared = async (place: DataPlace, rounds: number, { name, form, query, bare }: Chart): Promise<Figure> => {
  const [ours = 0, limit = 0] = await bestOf(
    rounds,
    () => place.get(`/charts/${form.id}${query}&refresh=true`),
    () => place.raw.rows(bare),
  )
  return {
    name,
    value: ours * 1000,
    unit: 'ms',
    limit: { name: 'the bare SQL', value: limit * 1000 },
    aim: { text: '≤ 1.5x', isMet: ours <= limit * 1.5 },
  }
}

const chartsOf = (place: DataPlace, medium: BenchForm, wide: BenchForm): Chart[] => {
  const { sql } = place.raw
  const counted = (form: BenchForm, value: ReturnType<typeof sql>) => sql`
    select ${value} as value, count(*) from submissions where form_id = ${form.id} and deleted_at is null group by 1`
  const count = place.countIn('medium')
  return [
    {
      name: `chart of a select over ${count}`,
      form: medium,
      query: '?field_name=sex',
      bare: counted(medium, sql`answers ->> 'sex'`),
    },
    {
      name: `chart of a number over ${count}`,
      form: medium,
      query: '?field_name=age',
      bare: counted(medium, sql`answers ->> 'age'`),
    },
    {
      name: `mean of a number by a select over ${count}`,
      form: medium,
      query: '?field_name=age&group_by=sex',
      bare: sql`
        select answers ->> 'sex', count(*), sum((answers ->> 'age')::numeric), avg((answers ->> 'age')::numeric)
        from submissions where form_id = ${medium.id} and deleted_at is null group by 1`,
    },
    {
      name: `chart of a text with ${count} different answers`,
      form: medium,
      query: '?field_name=name',
      bare: sql`${counted(medium, sql`answers ->> 'name'`)} 
        order by 2 desc, (answers ->> 'name') collate "C" limit 10000`,
    },
    {
      name: `all charts of 50 questions over ${count}`,
      form: wide,
      query: '?fields=all',
      bare: sql`
        select answer.key, answer.value, count(*) from submissions cross join lateral jsonb_each_text(answers) as answer
        where form_id = ${wide.id} and deleted_at is null group by 1, 2`,
    },
  ]
}

/** One that was counted lately, asked for by eight at once. */
const keptRate = async ({ server, headers }: DataPlace, form: BenchForm, duration: number): Promise<Figure> => {
  const path = `/api/v1/charts/${form.id}?field_name=sex`
  const result = await autocannon({ url: server.address + path, connections, duration, headers })
  if (result.non2xx > 0) throw new Error(`${result.non2xx} charts were refused`)
  return { name: `charts that are kept, ${connections} at once`, value: result['2xx'] / result.duration, unit: '/s' }
}

const pageFigure = async (place: DataPlace, form: BenchForm): Promise<Figure> => {
  const [page = 0] = await bestOf(5, () => place.get(`/charts/${form.id}.html?field_name=age&refresh=true`))
  return { name: `page of a chart over ${place.countIn('medium')}, drawn`, value: page * 1000, unit: 'ms' }
}

export const charts: Workload = {
  name: 'charts',
  description: 'charts over 100,000 records, counted and kept',
  run: async ({ isQuick, progress, dataPlace }) => {
    progress(0, 'writing records')
    const place = await dataPlace()
    const medium = await place.form('medium')
    const wide = await place.form('wide')
    place.server.rest()
    const figures: Figure[] = []
    const all = chartsOf(place, medium, wide)
    for (const [index, chart] of all.entries()) {
      progress(0.5 + (0.4 * index) / all.length, chart.name)
      figures.push(await compared(place, isQuick ? 3 : 7, chart))
    }
    progress(0.9, 'charts that are kept')
    figures.push(await keptRate(place, medium, isQuick ? 1 : 4), await pageFigure(place, medium))
    return { workload: 'charts', figures: [...figures, ...place.server.strain()] }
  },
}
