// What a chart is made of: the records of a form that the caller sees, or those of a dataview, and the fields that may
// be named.
import { type ChartField, type ChartFields, chartFieldsOf, repeatsAround } from '../../formats/charts/index.js'
import type { FormShape } from '../../formats/columns/index.js'
import type { Database } from '../../platform/db/index.js'
import { type Caller, notFound } from '../../platform/http/index.js'
import { type Population, populationOf } from '../aggregation/index.js'
import { seenForm, shapeOfForm } from '../data/index.js'
import { seenDataview } from '../dataviews/index.js'
import { unknownField } from './charts.errors.js'

export interface Subject {
  readonly kind: 'form' | 'dataview'
  /** Of the form or the dataview. */
  readonly id: number
  readonly title: string
  readonly population: Population
  readonly shape: FormShape
  readonly fields: ChartFields
  /** Questions that can be charted, by the name that finds each. */
  readonly questions: ReadonlyMap<string, ChartField>
  /** What makes two answers to the same question differ: what the caller sees, the version of the form, the filter. */
  readonly scope: readonly unknown[]
  /** The parameters by which some records are chosen. */
  readonly narrowing: Readonly<Record<string, string>>
  /** By bare name or path. */
  find(name: string): ChartField | undefined
}

const scopeOf = ({ seen: { form, sight, callerId } }: Population): unknown[] => [
  form.versionNumber,
  sight === 'all' ? 'all' : callerId,
]

/** Who sees no records sees no charts, not even that there are none. */
export const formSubject = async (db: Database, caller: Caller, pk: string): Promise<Subject> => {
  const seen = await seenForm(db, caller, pk)
  if (seen.sight === 'none') throw notFound()
  const shape = await shapeOfForm(db, seen.form.id)
  const fields = chartFieldsOf(shape)
  const population = populationOf(db, seen)
  return {
    kind: 'form',
    id: seen.form.id,
    title: seen.form.title,
    population,
    shape,
    fields,
    questions: fields.questions,
    scope: scopeOf(population),
    narrowing: {},
    find: fields.find,
  }
}

/** Every record of a dataview shows when it came, whatever its columns are. */
const alwaysThere = ['_submission_time']

/** The questions that it names, and everything within the repeats that it names. */
export const dataviewSubject = async (db: Database, caller: Caller, pk: string): Promise<Subject> => {
  const { dataview, seen, shape, condition, columns } = await seenDataview(db, caller, pk)
  if (seen.sight === 'none') throw notFound()
  const fields = chartFieldsOf(shape)
  const shown = new Set([...columns.map((column) => fields.find(column)?.path ?? column), ...alwaysThere])
  const isShown = (field: ChartField) => [field.path, ...repeatsAround(field)].some((path) => shown.has(path))
  const population = populationOf(db, seen, condition)
  return {
    kind: 'dataview',
    id: dataview.id,
    title: dataview.name,
    population,
    shape,
    fields,
    questions: new Map([...fields.questions].filter(([, field]) => isShown(field))),
    scope: [...scopeOf(population), dataview.id, dataview.query],
    narrowing: {},
    find: (name) => {
      const field = fields.find(name)
      return field !== undefined && isShown(field) ? field : undefined
    },
  }
}

export const fieldOf = (subject: Subject, name: string): ChartField => {
  const field = subject.find(name)
  if (field === undefined) throw unknownField(name, subject.kind)
  return field
}
