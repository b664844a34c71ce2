// What the tests of this room and of those above it share: fields by name, and the records that a caller sees.

import { everyRecord, type Population } from '../../src/features/aggregation/population.queries.js'
import { seenForm, shapeOfForm } from '../../src/features/data/index.js'
import { type ChartField, chartFieldsOf } from '../../src/formats/charts/index.js'
import { anonymous } from '../../src/platform/http/index.js'
import type { Account, TestApp } from './app.js'

/** Fields of a form by the names that callers use. */
export const fieldsNamed = async (app: TestApp, formId: number, ...names: string[]): Promise<ChartField[]> => {
  const fields = chartFieldsOf(await shapeOfForm(app.deps.db, formId))
  return names.map((name) => {
    const field = fields.findColumn(name)
    if (field === undefined) throw new Error(`The form has no ${name}`)
    return field
  })
}

export const populationOf = async (app: TestApp, formId: number, { id }: Account): Promise<Population> => ({
  seen: await seenForm(app.deps.db, { ...anonymous, id, isAnonymous: false }, String(formId)),
  condition: everyRecord,
})
