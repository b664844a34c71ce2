// The data of charts as JSON.
import { setImmediate } from 'node:timers/promises'
import { type ChartField, valueLabels } from '../../formats/charts/index.js'
import type { Db } from '../../platform/db/index.js'
import {
  type Counts,
  countChoices,
  countFields,
  countGroups,
  countValues,
  type Others,
  sumGroups,
} from '../aggregation/index.js'
import { groupingOf } from './grouping.js'
import { takesSeveral } from './look.js'
import type { Subject } from './subject.js'

type Row = Readonly<Record<string, unknown>>

const labelsIn = ({ shape, fields }: Subject, field: ChartField) => valueLabels(field, shape, fields.hasChoices)

/** A question may be called as what else a row has. */
const keyOf = (name: string, ...taken: string[]): string => (taken.includes(name) ? `${name}_` : name)

/** Said only where something was left out: usually everything is there. */
const left = (others: Others) => (others.values === 0 ? {} : { others })

const described = (field: ChartField, groups: readonly ChartField[], data: readonly Row[], others: Others) => {
  const paths = groups.map(({ path }) => path)
  return {
    data,
    data_type: field.dataType,
    field_label: field.label,
    field_xpath: field.path,
    field_name: field.name,
    field_type: field.type,
    grouped_by: paths.length > 1 ? paths : (paths[0] ?? null),
    ...left(others),
  }
}

const countedRows = (subject: Subject, field: ChartField, { rows }: Counts): Row[] => {
  const { shown } = labelsIn(subject, field)
  return rows.map(([value, count]) => ({ [keyOf(field.name, 'count')]: shown(value), count }))
}

/** How often each choice was taken. Where nothing was left out, what was chosen together tells it. */
const choicesOf = async (db: Db, subject: Subject, field: ChartField, counts: Counts): Promise<Counts> => {
  if (counts.others.values > 0) return countChoices(db, subject.population, field)
  const taken = new Map<string, number>()
  for (const [value, count] of counts.rows) {
    for (const choice of new Set(value?.split(' '))) {
      if (choice !== '') taken.set(choice, (taken.get(choice) ?? 0) + count)
    }
  }
  const rows = [...taken].sort(([a, few], [b, many]) => few - many || (a < b ? -1 : 1))
  return { ...counts, rows }
}

/** A field by itself. */
const single = async (db: Db, subject: Subject, field: ChartField, counts: Counts) => {
  const { total, unanswered, others } = counts
  const choices = takesSeveral(field) ? await choicesOf(db, subject, field, counts) : undefined
  return {
    ...described(field, [], countedRows(subject, field, counts), others),
    answered: total - unanswered,
    unanswered,
    ...(choices !== undefined && { choices: countedRows(subject, field, choices) }),
  }
}

const summedRows = async (db: Db, subject: Subject, field: ChartField, groups: readonly ChartField[]) => {
  const { rows, others } = await sumGroups(db, subject.population, field, groups)
  const labels = groups.map((group) => labelsIn(subject, group))
  const data = rows.map(({ groups: values, count, answers, sum, mean }) => ({
    ...Object.fromEntries(
      groups.map(({ path }, place) => [
        keyOf(path, 'count', 'answers', 'sum', 'mean'),
        labels[place]?.shown(values[place] ?? null),
      ]),
    ),
    count,
    answers,
    sum,
    mean,
  }))
  return { data, others }
}

/** Each value once, with its groups in it. */
const nested = (
  rows: readonly { value: string | null; item: Row }[],
  name: string,
  shown: (value: string | null) => unknown,
) => {
  const items = new Map<string | null, Row[]>()
  for (const { value, item } of rows) {
    const known = items.get(value)
    if (known === undefined) items.set(value, [item])
    else known.push(item)
  }
  const inOrder = [...items.entries()].sort(
    ([a], [b]) => Number(a === null) - Number(b === null) || (String(a) < String(b) ? -1 : 1),
  )
  return inOrder.map(([value, list]) => ({ [name]: shown(value), items: list }))
}

const groupedRows = async (db: Db, subject: Subject, field: ChartField, group: ChartField, isNested: boolean) => {
  const { rows, others } = await countGroups(db, subject.population, field, [group])
  const [own, other] = [labelsIn(subject, field), labelsIn(subject, group)]
  const pairs = rows.map(({ value, groups, count }) => ({
    value,
    item: { [keyOf(group.path, 'count')]: other.shown(groups[0] ?? null), count },
  }))
  const data: Row[] = isNested
    ? nested(pairs, keyOf(field.name, 'items'), own.shown)
    : pairs.map(({ value, item }) => ({ [keyOf(field.name, 'count')]: own.shown(value), ...item }))
  return { data, others }
}

/** The chart of one field, perhaps by groups. */
export const chartText = async (
  db: Db,
  subject: Subject,
  field: ChartField,
  groups: readonly ChartField[],
): Promise<string> => {
  const xform = subject.population.seen.form.id
  const [group] = groups
  if (group === undefined) {
    const counts = await countValues(db, subject.population, field)
    return JSON.stringify({ ...(await single(db, subject, field, counts)), xform })
  }
  const grouping = groupingOf(field, groups)
  const { data, others } =
    grouping === 'sums'
      ? await summedRows(db, subject, field, groups)
      : await groupedRows(db, subject, field, group, grouping === 'items')
  return JSON.stringify({ ...described(field, groups, data, others), xform })
}

/** Between so many fields others get their turn. */
const fieldsAtOnce = 25

/** Charts of several fields by name: all questions in one pass over the records. */
export const chartsText = async (
  db: Db,
  subject: Subject,
  fields: ReadonlyMap<string, ChartField>,
): Promise<string> => {
  const all = [...fields.values()]
  const questions = all.filter(({ source }) => source.kind === 'answer')
  const counted = questions.length === 0 ? [] : await countFields(db, subject.population, questions)
  const countsOf = new Map(questions.map((field, place) => [field, counted[place] as Counts]))
  for (const field of all) {
    if (!countsOf.has(field)) countsOf.set(field, await countValues(db, subject.population, field))
  }
  const parts: string[] = []
  for (const [name, field] of fields) {
    const counts = countsOf.get(field) as Counts
    const chart = await single(db, subject, field, counts)
    parts.push(`${JSON.stringify(name)}:${JSON.stringify(chart)}`)
    if (parts.length % fieldsAtOnce === 0) await setImmediate()
  }
  return `{${parts.join(',')}}`
}
