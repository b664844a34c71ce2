// What charts are drawn from. A page of 500 questions has 500 charts: those that come into sight at the same time are asked for
// together, a few at once, and no more than two requests are on their way.
import { careful } from './client'
import { errorOf } from './errors'

interface Others {
  readonly values: number
  readonly count: number
}

interface Common {
  /** Records, or entries of a repeat. */
  readonly total: number
  readonly unanswered: number
}

export interface Spread {
  /** Width of the ranges; null where each value stands for itself. */
  readonly step: number | null
  readonly isWhole: boolean
  readonly ranges: readonly (readonly [from: number, count: number])[]
  readonly mean: number | null
  readonly median: number | null
  readonly min: number | null
  readonly max: number | null
  readonly numbers: number
  readonly texts: number
}

export type CountFigure = Common & {
  readonly kind: 'values' | 'choices' | 'days'
  readonly rows: readonly (readonly [string, number])[]
  readonly others: Others
}
export type NumberFigure = Common & { readonly kind: 'numbers'; readonly spread: Spread }
export interface PairFigure {
  readonly kind: 'pairs'
  readonly rows: readonly (readonly [string | null, string | null, number])[]
  readonly others: Others
}
export interface SumFigure {
  readonly kind: 'sums'
  readonly rows: readonly (readonly [
    group: string | null,
    records: number,
    numbers: number,
    sum: number | null,
    mean: number | null,
  ])[]
  readonly others: Others
}
export type PlaceFigure = Common & {
  readonly kind: 'places'
  readonly rows: readonly (readonly [longitude: number, latitude: number, count: number])[]
  readonly others: Others
}
export type Figure = PlaceFigure | CountFigure | NumberFigure | PairFigure | SumFigure

export interface FigureQuestion {
  readonly formId: number
  /** Name or path of the question, or a field such as `_submission_time`. */
  readonly name: string
  readonly query?: string
  readonly search?: string
  /** Of the map: a box or a polygon, of the answers to a question. */
  readonly bbox?: string
  readonly polygon?: string
  readonly geo_field?: string
  readonly groupBy?: string
}

export const figureKey = ({ formId, name, ...rest }: FigureQuestion) =>
  ['form', formId, 'figure', name, JSON.stringify(rest)] as const

const mostTogether = 8
const mostRequests = 2
/** What comes into sight in one movement is one request. */
const collectMilliseconds = 40

interface Waiting {
  readonly question: FigureQuestion
  readonly resolve: (figure: Figure) => void
  readonly reject: (error: unknown) => void
}

const waiting: Waiting[] = []
let running = 0
let isCollecting = false

const narrowings = ['query', 'search', 'bbox', 'polygon', 'geo_field'] as const

const sameFor = (question: FigureQuestion): string =>
  JSON.stringify([question.formId, question.groupBy, ...narrowings.map((name) => question[name])])

const ask = async (batch: readonly Waiting[]): Promise<void> => {
  const [first] = batch
  if (first === undefined) return
  const { formId, groupBy } = first.question
  const asked = new URLSearchParams({ shape: 'figures', fields: batch.map((one) => one.question.name).join(',') })
  for (const name of narrowings) if (first.question[name]) asked.set(name, first.question[name])
  if (groupBy) asked.set('group_by', groupBy)
  try {
    const answer = await careful(`/api/v1/charts/${formId}?${asked}`)
    const body: unknown = await answer.json().catch(() => undefined)
    if (!answer.ok) throw errorOf(answer.status, body, answer.headers)
    for (const { question, resolve, reject } of batch) {
      const found = (body as Record<string, Figure | undefined>)[question.name]
      if (found === undefined) reject(errorOf(404, undefined, answer.headers))
      else resolve(found)
    }
  } catch (error) {
    for (const { reject } of batch) reject(error)
  }
}

const send = (): void => {
  isCollecting = false
  while (running < mostRequests && waiting.length > 0) {
    const kind = sameFor((waiting[0] as Waiting).question)
    const batch: Waiting[] = []
    for (let place = 0; place < waiting.length && batch.length < mostTogether; ) {
      const one = waiting[place] as Waiting
      if (sameFor(one.question) === kind) batch.push(...waiting.splice(place, 1))
      else place += 1
    }
    running += 1
    void ask(batch).finally(() => {
      running -= 1
      send()
    })
  }
}

export const getFigure = (question: FigureQuestion): Promise<Figure> =>
  new Promise((resolve, reject) => {
    waiting.push({ question, resolve, reject })
    if (isCollecting) return
    isCollecting = true
    setTimeout(send, collectMilliseconds)
  })
