// The data of charts as JSON. Choices may be a hundred thousand, and what was counted two megabytes: whatever works through
// either lets others have a turn in between.
import { budgets } from '../../budgets.js'
import { type ChartField, type Labelled, type ValueLabels, valueLabels } from '../../formats/charts/index.js'
import { takingTurns } from '../../formats/turns/index.js'
import type { Db } from '../../platform/db/index.js'
import {
  type Counts,
  countChoices,
  countFields,
  countGroups,
  countValues,
  fitting,
  type GroupRows,
  type Others,
  sumGroups,
  type ValueCount,
} from '../aggregation/index.js'
import { groupingOf } from './grouping.js'
import { takesSeveral } from './look.js'
import type { Subject } from './subject.js'

type Row = Readonly<Record<string, unknown>>

const labelsIn = ({ shape, fields }: Subject, asked: readonly Labelled[]) =>
  valueLabels(shape, fields.hasChoices, asked)

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

const countedRows = ({ name }: ChartField, { shown }: ValueLabels, { rows }: Counts): Row[] =>
  rows.map(([value, count]) => ({ [keyOf(name, 'count')]: shown(value), count }))

/** How often each choice was taken. Where nothing was left out, what was chosen together tells it. */
const choicesOf = async (db: Db, subject: Subject, field: ChartField, counts: Counts): Promise<Counts> => {
  if (counts.others.values > 0) return countChoices(db, subject.population, field)
  const pause = takingTurns()
  const taken = new Map<string, number>()
  for (const [value, count] of counts.rows) {
    for (const choice of new Set(value?.split(' '))) {
      if (choice !== '') taken.set(choice, (taken.get(choice) ?? 0) + count)
    }
    await pause()
  }
  const rows = [...taken].sort(([a, few], [b, many]) => few - many || (a < b ? -1 : 1))
  return { ...counts, rows }
}

/** A field by itself, and of one that takes several its choices. */
interface Single {
  readonly field: ChartField
  readonly counts: Counts
  readonly choices: Counts | undefined
}

const singleOf = async (db: Db, subject: Subject, field: ChartField, counts: Counts): Promise<Single> => ({
  field,
  counts,
  choices: takesSeveral(field) ? await choicesOf(db, subject, field, counts) : undefined,
})

const listsIn = (singles: readonly Single[]): { field: ChartField; counts: Counts }[] =>
  singles.flatMap(({ field, counts, choices }) =>
    [counts, ...(choices === undefined ? [] : [choices])].map((one) => ({ field, counts: one })),
  )

type LabelsOf = (field: ChartField) => ValueLabels

const countOf = ([, count]: ValueCount): number => count

/** With as many rows as there is room for their labels. */
const fittingSingles = async (singles: readonly Single[], labelsOf: LabelsOf): Promise<Single[]> => {
  const lists = listsIn(singles)
  const fits = lists.map(({ field, counts }) => {
    const { lengthOf } = labelsOf(field)
    return { counted: counts, lengthOf: ([value]: ValueCount) => lengthOf(value) }
  })
  const fitted = await fitting(fits, budgets.charts.labelCharacters, countOf)
  const cut = new Map(lists.map(({ counts }, place) => [counts, { ...counts, ...fitted[place] }]))
  return singles.map(({ field, counts, choices }) => ({
    field,
    counts: cut.get(counts) ?? counts,
    choices: choices && cut.get(choices),
  }))
}

const singleChart = ({ field, counts, choices }: Single, labels: ValueLabels) => ({
  ...described(field, [], countedRows(field, labels, counts), counts.others),
  answered: counts.total - counts.unanswered,
  unanswered: counts.unanswered,
  ...(choices !== undefined && { choices: countedRows(field, labels, choices) }),
})

/** Of several fields at once: those that share a list of choices have their labels looked up together. */
const labelledSingles = async (subject: Subject, given: readonly Single[]) => {
  const asked = listsIn(given).map(({ field, counts }) => ({ field, values: valuesOf(counts) }))
  const labelsOf = await labelsIn(subject, asked)
  return { singles: await fittingSingles(given, labelsOf), labelsOf }
}

function* valuesOf({ rows }: Counts): Generator<string | null> {
  for (const [value] of rows) yield value
}

const fittingGroups = async <T extends { readonly count: number }>(
  counted: GroupRows<T>,
  lengthOf: (row: T) => number,
): Promise<GroupRows<T>> => {
  const [fitted] = await fitting([{ counted, lengthOf }], budgets.charts.labelCharacters, ({ count }) => count)
  return fitted ?? counted
}

const summedRows = async (db: Db, subject: Subject, field: ChartField, groups: readonly ChartField[]) => {
  const counted = await sumGroups(db, subject.population, field, groups)
  const asked = groups.map((group, place) => ({
    field: group,
    values: counted.rows.map((row) => row.groups[place] ?? null),
  }))
  const labels = groups.map(await labelsIn(subject, asked))
  const { rows, others } = await fittingGroups(counted, (row) =>
    labels.reduce((sum, { lengthOf }, place) => sum + lengthOf(row.groups[place] ?? null), 0),
  )
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
  const counted = await countGroups(db, subject.population, field, [group])
  const labelsOf = await labelsIn(subject, [
    { field, values: counted.rows.map(({ value }) => value) },
    { field: group, values: counted.rows.map(({ groups: [by = null] }) => by) },
  ])
  const [own, other] = [labelsOf(field), labelsOf(group)]
  const { rows, others } = await fittingGroups(
    counted,
    ({ value, groups: [by = null] }) => own.lengthOf(value) + other.lengthOf(by),
  )
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
    const { singles, labelsOf } = await labelledSingles(subject, [await singleOf(db, subject, field, counts)])
    return JSON.stringify({ ...singleChart(singles[0] as Single, labelsOf(field)), xform })
  }
  const grouping = groupingOf(field, groups)
  const { data, others } =
    grouping === 'sums'
      ? await summedRows(db, subject, field, groups)
      : await groupedRows(db, subject, field, group, grouping === 'items')
  return JSON.stringify({ ...described(field, groups, data, others), xform })
}

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
  const pause = takingTurns()
  const given: Single[] = []
  for (const field of all) {
    given.push(await singleOf(db, subject, field, countsOf.get(field) as Counts))
    await pause()
  }
  const { singles, labelsOf } = await labelledSingles(subject, given)
  const parts: string[] = []
  for (const [place, name] of [...fields.keys()].entries()) {
    const single = singles[place] as Single
    parts.push(`${JSON.stringify(name)}:${JSON.stringify(singleChart(single, labelsOf(single.field)))}`)
    await pause()
  }
  return `{${parts.join(',')}}`
}
