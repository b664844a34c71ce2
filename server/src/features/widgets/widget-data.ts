// The data of widgets: how often each value of a column was given. Widgets of one form or dataview are counted together,
// so that fifty of them are a few statements, never more than two at once.
import { budgets } from '../../budgets.js'
import { type ChartField, type ChartFields, chartFieldsOf, valueLabels } from '../../formats/charts/index.js'
import type { FormShape } from '../../formats/columns/index.js'
import { coalesced } from '../../platform/batching/index.js'
import type { Database } from '../../platform/db/index.js'
import {
  countFields,
  countGroups,
  countValues,
  everyRecord,
  fitting,
  type GroupRows,
  type Limits,
  type Population,
  populationOf,
  sumGroups,
} from '../aggregation/index.js'
import { answersIn, shapeOfForm } from '../data/index.js'
import { conditionOf } from '../dataviews/index.js'
import { type DataSight, formModels } from '../forms/index.js'
import { columnNamed } from './columns.js'
import type { Source } from './sources.js'
import { groupedRows, type Named, type Row, summedRows, valueRows } from './widget-rows.js'
import type { Widget } from './widgets.queries.js'

/** Who reads, and which records count for them. */
export interface Reader {
  readonly callerId: number
  readonly sight: DataSight
}

interface Question {
  readonly column: Named
  readonly group: Named | undefined
}

/** Rows with the names that a widget gives its columns: several may ask for the same in other words. */
type Counted = (question: Question) => Row[]

/** What is counted, whatever its name. */
const identityOf = ({ column, group }: Question): string =>
  JSON.stringify([column.field.path, group?.field.path ?? null])

interface Counting {
  readonly db: Database
  readonly population: Population
  readonly shape: FormShape
  readonly fields: ChartFields
  /** Widgets of the call. They share what an answer may hold, also those that ask for the same. */
  readonly widgets: number
}

const limitsOf = ({ widgets }: Counting): Limits => ({
  rows: Math.max(100, Math.floor(10_000 / widgets)),
  bytes: Math.max(20_000, Math.floor(2_000_000 / widgets)),
})

interface Grouped {
  readonly groups: readonly (string | null)[]
  readonly count: number
}

/** With the labels of the groups, and as many rows as there is room for them. */
const labelled = async <T extends Grouped>(
  { shape, fields, widgets }: Counting,
  group: ChartField,
  counted: GroupRows<T>,
) => {
  const asked = [{ field: group, values: counted.rows.map(({ groups: [of = null] }) => of) }]
  const { shown, lengthOf } = (await valueLabels(shape, fields.hasChoices, asked))(group)
  const list = { counted, lengthOf: ({ groups: [of = null] }: T) => lengthOf(of) }
  const most = budgets.charts.labelCharacters / widgets
  const [{ rows } = counted] = await fitting([list], most, ({ count }) => count)
  return { rows, shown }
}

const count = async (counting: Counting, { column, group }: Question): Promise<Counted> => {
  const { db, population } = counting
  const limits = limitsOf(counting)
  if (group === undefined) {
    const { rows } = await countValues(db, population, column.field, limits)
    return (asked) => valueRows(asked.column, rows)
  }
  if (column.field.dataType === 'numeric') {
    const sums = await sumGroups(db, population, column.field, [group.field], limits)
    const { rows, shown } = await labelled(counting, group.field, sums)
    return (asked) => summedRows({ ...(asked.group as Named), shown }, rows)
  }
  const counts = await countGroups(db, population, column.field, [group.field], limits)
  const { rows, shown } = await labelled(counting, group.field, counts)
  return (asked) => groupedRows(asked.column, { ...(asked.group as Named), shown }, rows)
}

/** Questions alone, in one pass over the records; built-in fields, choices and groups are counted one by one. */
const isPlain = ({ column, group }: Question): boolean => group === undefined && column.field.source.kind === 'answer'

const countPlain = async (counting: Counting, questions: readonly Question[]): Promise<[string, Counted][]> => {
  const { rows, bytes } = limitsOf(counting)
  const counts = await countFields(
    counting.db,
    counting.population,
    questions.map(({ column }) => column.field),
    // They are shared out among the questions, of which each is as many rows as widgets ask for it.
    { rows: rows * questions.length, bytes: bytes * questions.length },
  )
  return questions.map((question, place) => [
    identityOf(question),
    (asked) => valueRows(asked.column, counts[place]?.rows ?? []),
  ])
}

/** Others wait for connections too. */
const mostAtOnce = 2

const inTurns = async <T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> => {
  const waiting = [...items]
  const take = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) await work(next)
  }
  await Promise.all(Array.from({ length: mostAtOnce }, take))
}

const countAll = async (counting: Counting, questions: readonly Question[]): Promise<ReadonlyMap<string, Counted>> => {
  const different = [...new Map(questions.map((question) => [identityOf(question), question])).values()]
  const plain = different.filter(isPlain)
  const together = plain.length > 1 ? plain : []
  const alone = together.length > 0 ? different.filter((question) => !isPlain(question)) : different
  const counted = new Map(together.length > 0 ? await countPlain(counting, together) : [])
  await inTurns(alone, async (question) => {
    counted.set(identityOf(question), await count(counting, question))
  })
  return counted
}

export interface Asked {
  /** As whoever asks has it. */
  readonly db: Database
  readonly source: Source
  readonly widgets: readonly Widget[]
  readonly reader: Reader
}

type WidgetRows = ReadonlyMap<number, Row[]>

/** What is asked, and what its caller sees: equal keys have equal answers. */
const keyOf = ({ source: { form, dataview }, widgets, reader: { sight, callerId } }: Asked): string =>
  JSON.stringify([
    [form.id, form.versionNumber],
    dataview && [dataview.id, dataview.columns, dataview.query],
    widgets.map(({ id, column, groupBy }) => [id, column, groupBy]),
    sight === 'own' ? callerId : sight,
  ])

/** Equal questions that come at once are counted once: many look at the same page of charts, and each is a pass over all
 * records. */
export const widgetCounting = (): ((asked: Asked) => Promise<WidgetRows>) => coalesced(keyOf, dataOf)

/** By the ids of the widgets; what cannot be counted any more has no rows, and is never an error. */
const dataOf = async ({
  db,
  source: { form, dataview },
  widgets,
  reader: { sight, callerId },
}: Asked): Promise<WidgetRows> => {
  if (sight === 'none' || widgets.length === 0) return new Map()
  const { fields: present } = await formModels(db).get(db, form.id, form.versionNumber)
  const shape = await shapeOfForm(db, form.id)
  const fields = chartFieldsOf(shape)
  const fieldNamed = (name: string): ChartField | undefined => {
    const column = columnNamed(present, name, dataview?.columns)
    return column && fields.findColumn(column.path)
  }
  const named = (name: string): Named | undefined => {
    const field = fieldNamed(name)
    return field && { name, field }
  }
  const asked = new Map<number, Question>()
  for (const { id, column: name, groupBy } of widgets) {
    const column = named(name)
    const group = groupBy === null ? undefined : named(groupBy)
    if (column !== undefined && (groupBy === null || group !== undefined)) asked.set(id, { column, group })
  }
  const condition = dataview === undefined ? everyRecord : conditionOf(dataview, answersIn(shape))
  const population = populationOf(db, { form, sight, callerId }, condition)
  const counted = await countAll({ db, population, shape, fields, widgets: asked.size }, [...asked.values()])
  return new Map([...asked].map(([id, question]) => [id, counted.get(identityOf(question))?.(question) ?? []]))
}
