// What widgets are drawn from, with the words for it: a page that anybody may open by a key knows nothing of the form.
import { cutTo } from '@sheaf/xlsform/text'
import { type ChartField, chartFieldsOf, valueLabels } from '../../formats/charts/index.js'
import type { Database } from '../../platform/db/index.js'
import type { Deps } from '../../platform/deps.js'
import { everyRecord, populationOf } from '../aggregation/index.js'
import { type FieldFigure, figureOfField, openChartCache } from '../charts/index.js'
import { answersIn, shapeOfForm } from '../data/index.js'
import { conditionOf } from '../dataviews/index.js'
import { formModels } from '../forms/index.js'
import { columnNamed } from './columns.js'
import type { Asked } from './widget-data.js'

interface Words {
  /** Of the question, in the first language of the form. */
  readonly label: string
  readonly type: string
  /** Of the values that are choices. */
  readonly labels: Readonly<Record<string, string>>
}

export interface WidgetFigure extends Words {
  readonly figure: FieldFigure
  readonly group: Words | null
  readonly counted_at: string
}

const longestLabel = 300

const wordsOf = async (
  { shape, fields }: { shape: Awaited<ReturnType<typeof shapeOfForm>>; fields: ReturnType<typeof chartFieldsOf> },
  field: ChartField,
  values: ReadonlySet<string>,
): Promise<Words> => {
  const labels = (await valueLabels(shape, fields.hasChoices, [{ field, values }]))(field)
  const found = [...values].flatMap((value): [string, string][] => {
    const text = labels.text(value, longestLabel)
    return text === undefined || text === value ? [] : [[value, text]]
  })
  return { label: cutTo(field.label, longestLabel), type: field.type, labels: Object.fromEntries(found) }
}

const isText = (value: unknown): value is string => typeof value === 'string'

const columnIn = (figure: FieldFigure, place: number): Set<string> =>
  figure.kind === 'numbers' || figure.kind === 'places'
    ? new Set()
    : new Set(figure.rows.map((row) => row[place]).filter(isText))

/** For so long an answer serves everybody who looks: a board on a wall asks again and again. */
const freshMilliseconds = 60_000

/** By the ids of the widgets, one after the other; what cannot be counted any more has none, and is never an error. */
export const widgetFigures = (deps: Deps): ((asked: Asked) => Promise<ReadonlyMap<number, WidgetFigure>>) => {
  const cached = openChartCache(deps)
  return async ({ db, source: { form, dataview }, widgets, reader: { sight, callerId } }) => {
    const figures = new Map<number, WidgetFigure>()
    if (sight === 'none' || widgets.length === 0) return figures
    const { fields: present } = await formModels(db).get(db, form.id, form.versionNumber)
    const shape = await shapeOfForm(db, form.id)
    const fields = chartFieldsOf(shape)
    const condition = dataview === undefined ? everyRecord : conditionOf(dataview, answersIn(shape))
    const population = populationOf(db, { form, sight, callerId }, condition)
    const named = (name: string): ChartField | undefined => {
      const column = columnNamed(present, name, dataview?.columns)
      return column && fields.findColumn(column.path)
    }
    const make = async (reading: Database, field: ChartField, group: ChartField | undefined): Promise<WidgetFigure> => {
      const figure = await figureOfField(reading, population, field, group)
      const isGrouped = figure.kind === 'pairs' || figure.kind === 'sums'
      const known = { shape, fields }
      const own = await wordsOf(known, field, figure.kind === 'sums' ? new Set() : columnIn(figure, 0))
      const groups =
        group && isGrouped ? await wordsOf(known, group, columnIn(figure, figure.kind === 'sums' ? 0 : 1)) : null
      return { ...own, figure, group: groups, counted_at: deps.clock.now().toISOString() }
    }
    const scope = [
      form.versionNumber,
      sight === 'all' ? 'all' : callerId,
      dataview && [dataview.id, dataview.columns, dataview.query],
    ]
    const minute = Math.floor(deps.clock.now().getTime() / freshMilliseconds)
    for (const { id, column, groupBy } of widgets) {
      const [field, group] = [named(column), groupBy === null ? undefined : named(groupBy)]
      if (field === undefined || (groupBy !== null && group === undefined)) continue
      const about = ['widget', field.path, group?.path, scope, minute]
      const text = await cached({
        formId: form.id,
        isFresh: false,
        about,
        make: async () => JSON.stringify(await make(db, field, group)),
      })
      figures.set(id, JSON.parse(text) as WidgetFigure)
    }
    return figures
  }
}
