// Questions about the answers of 1,000,000 records, before and after they have indexes, beside the same SELECT over pg through
// the same index; and what receiving costs then.
import { setTimeout } from 'node:timers/promises'
import { type DataPlace, growing, pageSize } from '../data-place.js'
import { load } from '../raw-client.js'
import type { BenchForm, RawData } from '../raw-data.js'
import type { Figure } from '../report.js'
import { medianOf } from '../timing.js'
import { multipartRequest, submissionXml } from '../visit-form.js'
import type { Workload } from '../workload.js'

const mostMs = 100

const aimOf = (ms: number): NonNullable<Figure['aim']> => ({ text: `≤ ${mostMs} ms`, isMet: ms <= mostMs })

interface Question {
  readonly name: string
  /** Parameters of the list; another value each time, so that nothing is known of it. */
  readonly asked: (number: number) => Record<string, string>
  /** Behind `where`. */
  readonly bare: (raw: RawData, number: number) => ReturnType<RawData['sql']>
  readonly isAimed: boolean
}

const words = (number: number) => `Some words of an answer, number ${number % 1000}`
const byQuery = (query: object) => ({ query: JSON.stringify(query), page: '1' })

export const questionsOf = (count: number, formId: number): Question[] => {
  // What is passed over is not written out.
  const inOrder = ({ sql }: RawData, page: number) => sql`
    and submissions.id = any(array(
      select id from submissions named where named.form_id = ${formId} and named.deleted_at is null
      order by left(named.answers ->> 'name', 500) collate "C", named.id limit ${pageSize} offset ${(page - 1) * pageSize}))`
  const middle = Math.floor(count / pageSize / 2)
  return [
    {
      name: 'equality, one record',
      asked: (number) => byQuery({ name: `Person ${number}` }),
      bare: ({ sql }, number) => sql`
        and left(submissions.answers ->> 'name', 500) collate "C" = ${`Person ${number}`} order by submissions.id`,
      isAimed: true,
    },
    {
      name: 'equality, a thousandth',
      asked: (number) => byQuery({ q3: words(number) }),
      bare: ({ sql }, number) => sql`
        and left(submissions.answers ->> 'q3', 500) collate "C" = ${words(number)} order by submissions.id limit ${pageSize}`,
      isAimed: true,
    },
    {
      name: 'range, 3 in 100',
      asked: (number) => byQuery({ age: { $gte: `93.${number}` } }),
      bare: ({ sql }, number) => sql`
        and number_of(submissions.answers ->> 'age') >= ${`93.${number}`}::numeric order by submissions.id limit ${pageSize}`,
      isAimed: true,
    },
    {
      name: 'part of a text',
      asked: (number) => byQuery({ name: { $i: `son ${number}` } }),
      bare: ({ sql }, number) => sql`
        and lower(submissions.answers ->> 'name') like ${`%son ${number}%`} order by submissions.id limit ${pageSize}`,
      isAimed: true,
    },
    {
      name: 'first page in the order of an answer',
      asked: () => ({ sort: 'name', page: '1' }),
      bare: (raw) => inOrder(raw, 1),
      isAimed: true,
    },
    {
      name: 'last page of it',
      asked: () => ({ sort: 'name', page: String(Math.floor(count / pageSize)) }),
      bare: ({ sql }) => sql`
        order by left(submissions.answers ->> 'name', 500) collate "C" desc, submissions.id desc limit ${pageSize}`,
      isAimed: true,
    },
    {
      name: 'page in the middle of it',
      asked: () => ({ sort: 'name', page: String(middle) }),
      bare: (raw) => inOrder(raw, middle),
      isAimed: false,
    },
  ]
}

const indexes: readonly { readonly question: string; readonly kind?: string }[] = [
  { question: 'name' },
  { question: 'name', kind: 'part' },
  { question: 'q3' },
  { question: 'age' },
  { question: 'household/rooms' },
]

interface KnownIndex {
  readonly question: string
  readonly kind: string
  readonly state: string
  readonly bytes: number | null
}

/** Those that are there are left. Answers what all of them take. */
export const makeIndexes = async ({ server, headers }: DataPlace, form: BenchForm): Promise<number> => {
  const address = `${server.address}/api/v1/forms/${form.id}/indexes`
  const known = async () => (await (await fetch(address, { headers })).json()) as KnownIndex[]
  const before = await known()
  const isKnown = (index: (typeof indexes)[number]) =>
    before.some(
      ({ question, kind, state }) =>
        state === 'made' && question === index.question && (kind === 'part') === (index.kind === 'part'),
    )
  for (const index of indexes) {
    if (isKnown(index)) continue
    const body = JSON.stringify(index)
    const response = await fetch(address, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body,
    })
    if (!response.ok) throw new Error(await response.text())
  }
  for (;;) {
    const all = await known()
    if (all.some(({ state }) => state === 'failed')) throw new Error('An index could not be made')
    const made = all.filter(({ state }) => state === 'made')
    if (made.length >= indexes.length) return made.reduce((sum, { bytes }) => sum + (bytes ?? 0), 0)
    await setTimeout(500)
  }
}

/** Numbers that no question was asked with. */
const numbers = (count: number) => {
  let last = Math.floor(count / 3)
  return () => {
    last += 1
    return last
  }
}

const receivingOf = async (place: DataPlace, form: BenchForm, isQuick: boolean): Promise<Figure> => {
  const other = await place.form('short')
  const headers = `Authorization: ${place.headers.authorization}\r\n`
  const rate = async ({ uuid }: BenchForm) => {
    const next = () => multipartRequest('/ana/submission', headers, submissionXml(uuid))
    const outcome = await load(place.server.address, { connections: 32, seconds: isQuick ? 1 : 4 }, next)
    if ([...outcome.statuses.keys()].some((status) => status !== 201)) throw new Error('A submission was refused')
    return outcome.perSecond
  }
  let [indexed, plain] = [0, 0]
  for (let round = 0; round < (isQuick ? 2 : 4); round++) {
    plain = Math.max(plain, await rate(other))
    indexed = Math.max(indexed, await rate(form))
  }
  return {
    name: `submissions to a form with ${indexes.length} indexes, concurrency 32`,
    value: indexed,
    unit: '/s',
    limit: { name: 'to one without', value: plain },
    aim: { text: '≥ 0.9', isMet: indexed >= plain * 0.9 },
  }
}

const askOf =
  (place: DataPlace, form: BenchForm, next: () => number) =>
  ({ asked }: Question) =>
    place.get(`/data/${form.id}?${new URLSearchParams({ page_size: String(pageSize), ...asked(next()) })}`)

/** Forms with at least so many records get indexes. */
const largeFrom = 50_000

/** The same questions of smaller forms: how each cost grows up to there. */
const growthOf = async (place: DataPlace, rounds: number): Promise<Figure[]> => {
  const figures: Figure[] = []
  for (const size of growing.filter((one) => one !== 'long')) {
    const form = await place.form(size)
    const count = place.counts[size]
    if (count >= largeFrom) await makeIndexes(place, form)
    const ask = askOf(place, form, numbers(count))
    for (const question of questionsOf(count, form.id)) {
      await ask(question)
      const [seconds = Number.NaN] = await medianOf(rounds, () => ask(question))
      const ms = seconds * 1000
      figures.push({
        name: `${question.name}, of ${place.countIn(size)}`,
        value: ms,
        unit: 'ms',
        ...(question.isAimed && { aim: aimOf(ms) }),
      })
    }
  }
  return figures
}

export const answers: Workload = {
  name: 'answers',
  description: 'equality, range, parts of texts and order by answers of 1,000 to 1,000,000 records, with indexes',
  run: async ({ isQuick, progress, dataPlace }) => {
    progress(0, 'writing records')
    const place = await dataPlace()
    const form = await place.form('long')
    const { raw, server } = place
    const count = place.counts.long
    const next = numbers(count)
    const questions = questionsOf(count, form.id)
    const ask = askOf(place, form, next)
    const growth = await growthOf(place, isQuick ? 3 : 9)
    server.rest()
    const before: number[] = []
    for (const [index, question] of questions.entries()) {
      progress(0.1 + (0.3 * index) / questions.length, `${question.name}, without`)
      // Once: what is asked three times in a million records gets its index by itself.
      before.push(...(await medianOf(1, () => ask(question))))
    }
    progress(0.4, 'making indexes')
    const bytes = await makeIndexes(place, form)
    const disk = {
      name: `${indexes.length} indexes on the disk of ${place.countIn('long')}`,
      value: bytes / 2 ** 20,
      unit: 'MB',
    }
    const figures: Figure[] = [...growth, disk]
    for (const [index, question] of questions.entries()) {
      progress(0.6 + (0.2 * index) / questions.length, question.name)
      const [ours = 0, limit = 0] = await medianOf(
        isQuick ? 5 : 15,
        () => ask(question),
        () => raw.readRecords(form, question.bare(raw, next())),
      )
      const ms = ours * 1000
      figures.push({
        name: `${question.name}, of ${place.countIn('long')} (${Math.round((before[index] ?? 0) * 1000).toLocaleString('en')} ms without)`,
        value: ms,
        unit: 'ms',
        limit: { name: 'the same SELECT over pg', value: limit * 1000 },
        ...(question.isAimed && { aim: aimOf(ms) }),
      })
    }
    progress(0.9, 'receiving')
    figures.push(await receivingOf(place, form, isQuick), ...server.strain())
    return {
      workload: 'answers',
      figures,
      limitedBy:
        'Medians, each time with another value. A list is three statements: how many match, where they lie, and the records. A page in the middle of a sorted list passes over all before it: PostgreSQL looks at each record whether it is alive, since it reads an index alone only where no expression is involved.',
    }
  },
}
