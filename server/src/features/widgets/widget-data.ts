// The data of widgets: how often each value of a column was given. Widgets of one form or dataview are counted together,
// so that fifty of them are a few statements, never more than two at once.
import { type ChartField, chartFieldsOf, valueLabels } from '../../formats/charts/index.js'
import { coalesced } from '../../platform/batching/index.js'
import type { Database } from '../../platform/db/index.js'
import {
  countFields,
  countGroups,
  countValues,
  everyRecord,
  type Limits,
  type Population,
  sumGroups,
} from '../aggregation/index.js'
import { answersIn, shapeOfForm } from '../data/index.js'
import { conditionOf } from '../dataviews/index.js'
import { type DataSight, formModels } from '../forms/index.js'
import { columnNamed } from './columns.js'
import type { Source } from './sources.js'
import { type Group, groupedRows, type Named, type Row, summedRows, valueRows } from './widget-rows.js'
import type { Widget } from './widgets.queries.js'

/** Who reads, and which records count for him. */
export interface Reader {
  readonly callerId: number
  readonly sight: DataSight
}

interface Question {
  readonly column: Named
  readonly group: Group | undefined
}

/** Rows with the names that a widget gives its columns: several may ask for the same in other words. */
type Counted = (question: Question) => Row[]

/** What is counted, whatever its name. */
const identityOf = ({ column, group }: Question): string =>
  JSON.stringify([column.field.path, group?.field.path ?? null])

/** All of one call share what an answer may hold. */
const limitsFor = (statements: number): Limits => ({
  rows: Math.max(100, Math.floor(10_000 / statements)),
  bytes: Math.max(20_000, Math.floor(2_000_000 / statements)),
})

const count = async (db: Database, population: Population, question: Question, limits: Limits): Promise<Counted> => {
  const { column, group } = question
  if (group === undefined) {
    const { rows } = await countValues(db, population, column.field, limits)
    return (asked) => valueRows(asked.column, rows)
  }
  if (column.field.dataType === 'numeric') {
    const { rows } = await sumGroups(db, population, column.field, [group.field], limits)
    return (asked) => summedRows(asked.group as Group, rows)
  }
  const { rows } = await countGroups(db, population, column.field, [group.field], limits)
  return (asked) => groupedRows(asked.column, asked.group as Group, rows)
}

/** Questions alone, in one pass over the records; built-in fields, choices and groups are counted one by one. */
const isPlain = ({ column, group }: Question): boolean => group === undefined && column.field.source.kind === 'answer'

const countPlain = async (
  db: Database,
  population: Population,
  questions: readonly Question[],
): Promise<[string, Counted][]> => {
  const counts = await countFields(
    db,
    population,
    questions.map(({ column }) => column.field),
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

const countAll = async (
  db: Database,
  population: Population,
  questions: readonly Question[],
): Promise<ReadonlyMap<string, Counted>> => {
  const different = [...new Map(questions.map((question) => [identityOf(question), question])).values()]
  const plain = different.filter(isPlain)
  const together = plain.length > 1 ? plain : []
  const alone = together.length > 0 ? different.filter((question) => !isPlain(question)) : different
  const counted = new Map(together.length > 0 ? await countPlain(db, population, together) : [])
  const limits = limitsFor(Math.max(1, alone.length))
  await inTurns(alone, async (question) => {
    counted.set(identityOf(question), await count(db, population, question, limits))
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
  const groupNamed = (name: string): Group | undefined => {
    const field = fieldNamed(name)
    return field && { name, field, shown: valueLabels(field, shape, fields.hasChoices).shown }
  }
  const asked = new Map<number, Question>()
  for (const { id, column: name, groupBy } of widgets) {
    const field = fieldNamed(name)
    const group = groupBy === null ? undefined : groupNamed(groupBy)
    if (field !== undefined && (groupBy === null || group !== undefined))
      asked.set(id, { column: { name, field }, group })
  }
  const condition = dataview === undefined ? everyRecord : conditionOf(dataview, answersIn(shape))
  const counted = await countAll(db, { seen: { form, sight, callerId }, condition }, [...asked.values()])
  return new Map([...asked].map(([id, question]) => [id, counted.get(identityOf(question))?.(question) ?? []]))
}
