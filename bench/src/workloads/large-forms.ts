// What people ask of a form again and again, by its size: charts that were asked for before, and boards that many look at.
import { setTimeout } from 'node:timers/promises'
import { type DataPlace, type FormSize, growing } from '../data-place.js'
import type { BenchForm } from '../raw-data.js'
import type { Figure } from '../report.js'
import { medianOf } from '../timing.js'
import type { Workload } from '../workload.js'

const millisecondsOf = async (rounds: number, work: () => Promise<unknown>): Promise<number> => {
  const [median = Number.NaN] = await medianOf(rounds, work)
  return median * 1000
}

const aim = (value: number): NonNullable<Figure['aim']> => ({ text: '≤ 100 ms', isMet: value <= 100 })

/** Asked for once, and counted to be kept where the form is large. */
export const warm = async (place: DataPlace, form: BenchForm, paths: readonly string[]): Promise<void> => {
  for (const path of paths) await place.get(path)
  const waiting = () =>
    place.raw.rows(place.raw.sql`select from tallies where form_id = ${form.id} and state = 'wanted'`)
  while ((await waiting()).length > 0) await setTimeout(200)
}

/** The answers to one question in a table of their own, with an index that holds all that is asked for. */
const idealTable = async ({ raw }: DataPlace, form: BenchForm): Promise<() => Promise<unknown>> => {
  await raw.rows(raw.sql`drop table if exists ideal`)
  await raw.rows(raw.sql`
    create table ideal as select answers ->> 'age' as value from submissions where form_id = ${form.id} and deleted_at is null`)
  await raw.rows(raw.sql`create index on ideal (value)`)
  await raw.rows(raw.sql`vacuum analyze ideal`)
  return () => raw.rows(raw.sql`select value, count(*) from ideal group by 1`)
}

export const charts = (form: BenchForm) =>
  [
    ['chart of a number', `/charts/${form.id}?field_name=age&refresh=true`],
    ['mean of a number by a select', `/charts/${form.id}?field_name=age&group_by=sex&refresh=true`],
    ['charts of 12 questions', `/charts/${form.id}?fields=${questions}&refresh=true`],
  ] as const

const questions = [
  'age',
  'sex',
  'rooms',
  'child_age',
  ...Array.from({ length: 8 }, (_, place) => `q${place + 1}`),
].join(',')

const chartFigures = async (place: DataPlace, size: FormSize, rounds: number): Promise<Figure[]> => {
  const form = await place.form(size)
  const asked = charts(form)
  await warm(
    place,
    form,
    asked.map(([, path]) => path),
  )
  const limit = {
    name: 'counted in an index that holds the answers alone',
    value: await millisecondsOf(rounds, await idealTable(place, form)),
  }
  const figures: Figure[] = []
  for (const [name, path] of asked) {
    const value = await millisecondsOf(rounds, () => place.get(path))
    figures.push({
      name: `${name} of ${place.countIn(size)}, asked for again`,
      value,
      unit: 'ms',
      limit,
      aim: aim(value),
    })
    const [, arrived = Number.NaN] = (
      await medianOf(
        rounds,
        () => place.arrive(form, 100),
        () => place.get(path),
      )
    ).map((seconds) => seconds * 1000)
    figures.push({
      name: `${name} of ${place.countIn(size)}, after 100 more records`,
      value: arrived,
      unit: 'ms',
      aim: aim(arrived),
    })
  }
  return figures
}

const people = 50

/** A board of twelve widgets, for one person and for fifty at once. */
const boardFigures = async (place: DataPlace, size: FormSize, rounds: number): Promise<Figure[]> => {
  const form = await place.form(size)
  for (const [place_, column] of questions.split(',').entries()) {
    await place.post('/api/v1/widgets', {
      title: `Widget ${place_}`,
      column,
      widget_type: 'charts',
      view_type: 'horizontal-bar',
      content_object: `${place.server.address}/api/v1/forms/${form.id}`,
    })
  }
  const board = `/widgets?xform=${form.id}&figures=true`
  await warm(place, form, [board])
  const one = await millisecondsOf(rounds, () => place.get(board))
  const all = await millisecondsOf(rounds, () => Promise.all(Array.from({ length: people }, () => place.get(board))))
  return [
    { name: `a board of 12 widgets of ${place.countIn(size)}`, value: one, unit: 'ms', aim: aim(one) },
    {
      name: `the same for each of ${people} who look at once`,
      value: all / people,
      unit: 'ms',
      limit: { name: 'for one', value: one },
    },
  ]
}

/** Of the first CSV that anybody asks for. */
const firstByte = async (place: DataPlace, size: FormSize): Promise<Figure> => {
  const form = await place.form(size)
  const measured = () =>
    place.raw.rows(place.raw.sql`select from submission_blocks where form_id = ${form.id} and shape is null`)
  const known = () => place.raw.rows(place.raw.sql`select from submission_blocks where form_id = ${form.id}`)
  // Columns are measured every minute, where a form is large.
  while (place.counts[size] >= 2000 && ((await known()).length === 0 || (await measured()).length > 0))
    await setTimeout(500)
  const { firstMs } = await place.get(`/data/${form.id}.csv`)
  return {
    name: `first byte of the first CSV of ${place.countIn(size)}`,
    value: firstMs,
    unit: 'ms',
    aim: aim(firstMs),
  }
}

export const largeForms: Workload = {
  name: 'large-forms',
  description: 'how charts, boards and files grow from 1,000 to 1,000,000 records',
  run: async ({ isQuick, progress, dataPlace }) => {
    const place = await dataPlace()
    const rounds = isQuick ? 3 : 9
    const figures: Figure[] = []
    for (const [index, size] of growing.entries()) {
      progress(index / growing.length, `${place.countIn(size)} records`)
      await place.form(size)
      place.server.rest()
      figures.push(await firstByte(place, size))
      figures.push(...(await chartFigures(place, size, rounds)), ...(await boardFigures(place, size, rounds)))
    }
    return { workload: 'large-forms', figures: [...figures, ...place.server.strain()] }
  },
}
