// How often each answer was given, among the records that match the rest of a filter.
import { careful } from './client'
import { errorOf } from './errors'
import type { Question } from './form-model'

export const countsKey = (formId: number, key: string, filter: object) =>
  ['form', formId, 'counts', key, JSON.stringify(filter)] as const

interface ChartData {
  readonly field_name: string
  readonly data: readonly Readonly<Record<string, unknown>>[]
  readonly choices?: readonly Readonly<Record<string, unknown>>[]
  readonly unanswered?: number
}

/** By the name of the choice; `null` is no answer. */
export type Counts = ReadonlyMap<string | null, number>

/** Charts show choices by their labels, in one of the form's languages. */
const namesByLabel = (question: Question | undefined): ReadonlyMap<string, string> => {
  const names = new Map<string, string>()
  for (const { name, label } of question?.choices ?? []) {
    const labels = typeof label === 'object' ? Object.values(label) : [label ?? name]
    for (const one of [...labels, name]) if (!names.has(one)) names.set(one, name)
  }
  return names
}

export const readCounts = (chart: ChartData, question: Question | undefined): Counts => {
  const names = namesByLabel(question)
  const counts = new Map<string | null, number>()
  if (chart.unanswered) counts.set(null, chart.unanswered)
  for (const row of chart.choices ?? chart.data) {
    const [value] = [row[chart.field_name]].flat()
    if (typeof value !== 'string' || value === '') continue
    const name = names.get(value) ?? value
    counts.set(name, (counts.get(name) ?? 0) + Number(row.count ?? 0))
  }
  return counts
}

export const getCounts = async (
  formId: number,
  key: string,
  question: Question | undefined,
  filter: Readonly<Record<string, string>>,
): Promise<Counts> => {
  const asked = new URLSearchParams({ field_name: key, ...filter })
  const answer = await careful(`/api/v1/charts/${formId}.json?${asked}`)
  const body: unknown = await answer.json().catch(() => undefined)
  if (!answer.ok) throw errorOf(answer.status, body, answer.headers)
  return readCounts(body as ChartData, question)
}
