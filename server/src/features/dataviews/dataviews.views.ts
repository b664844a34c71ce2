// How dataviews look on the wire, with what is in them.
import type { FormShape } from '../../formats/columns/index.js'
import type { Database } from '../../platform/db/index.js'
import type { Caller } from '../../platform/http/index.js'
import type { Static } from '../../platform/schema/index.js'
import { answersIn, chosenSlots, type SeenForm, shapeOfVersions } from '../data/index.js'
import {
  type DataviewRow,
  dataSight,
  dataviewSummary,
  type FoundForm,
  formModels,
  listFormsOfIds,
  withAccess,
} from '../forms/index.js'
import { type Counting, countRecords, type DataviewCount } from './dataviews.queries.js'
import type { DataviewView } from './dataviews.schemas.js'
import { conditionOf } from './filter.js'

/** Each condition binds some values, and a statement takes no more than 65,535. */
const mostConditions = 1000

/** In as few statements as they fit into. */
const inBatches = (dataviews: readonly { dataview: DataviewRow; counting: Counting }[]): Counting[][] => {
  const batches: Counting[][] = []
  let room = 0
  for (const { dataview, counting } of dataviews) {
    room -= dataview.query.length + 1
    if (room < 0) {
      batches.push([])
      room = mostConditions
    }
    batches.at(-1)?.push(counting)
  }
  return batches
}

/** Whether places are shown at all. */
export const hasPlaceColumn = (shape: FormShape, columns: readonly string[]): boolean =>
  chosenSlots(shape, columns).some(({ kind }) => kind === 'geo')

/** Whoever sees the form and none of its records sees that there are none for them. */
const seenBy = (caller: Caller, form: FoundForm): SeenForm => ({ form, sight: dataSight(form), callerId: caller.id })

/** Four statements for however many dataviews, unless their filters are very long. */
export const dataviewViews = async (
  db: Database,
  origin: string,
  caller: Caller,
  dataviews: readonly DataviewRow[],
): Promise<Static<typeof DataviewView>[]> => {
  const formIds = [...new Set(dataviews.map(({ formId }) => formId))]
  const [forms, definitions] = await Promise.all([
    listFormsOfIds(db, caller.id, formIds),
    formModels(db).allOf(db, formIds),
  ])
  const formsById = new Map(forms.map((form) => [form.id, form]))
  const shapes = new Map<number, FormShape>()
  for (const [formId, versions] of definitions) shapes.set(formId, await shapeOfVersions(versions))
  const found = dataviews.flatMap((dataview) => {
    const form = formsById.get(dataview.formId)
    const newest = definitions.get(dataview.formId)?.at(-1)
    const shape = shapes.get(dataview.formId)
    // Deleted in this moment.
    if (form === undefined || newest === undefined || shape === undefined) return []
    const condition = conditionOf(dataview, answersIn(shape))
    const counting = { id: dataview.id, seen: seenBy(caller, withAccess(form)), condition }
    return [{ dataview, newest: newest.fields, shape, counting }]
  })
  const counts = (await Promise.all(inBatches(found).map((batch) => countRecords(db, batch)))).flat()
  const countOf = new Map(counts.map((one) => [one.id, one]))
  return found.map(({ dataview, newest, shape }) => {
    const { count, lastSubmittedAt, hasPlaces } = countOf.get(dataview.id) as DataviewCount
    return {
      ...dataviewSummary(origin, dataview, newest),
      count,
      instances_with_geopoints: hasPlaces && hasPlaceColumn(shape, dataview.columns),
      last_submission_time: lastSubmittedAt === null ? null : lastSubmittedAt.toISOString().slice(0, 19),
      has_hxl_support: chosenSlots(shape, dataview.columns).some(({ tag }) => tag !== null),
    }
  })
}
