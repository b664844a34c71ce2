import type { FormFields } from '../../../formats/form/index.js'
import { type Database, grouped } from '../../../platform/db/index.js'
import { type Static, Type } from '../../../platform/schema/index.js'
import { formModels } from '../versions/index.js'
import { type DataviewRow, listDataviewsOf } from './dataviews.queries.js'

const Time = Type.String({ format: 'date-time' })

const DataviewItemView = Type.Object({
  column: Type.String(),
  filter: Type.String({ description: '`=`, `>`, `<`, `>=`, `<=`, `<>` or `!=`.' }),
  value: Type.Unknown({ description: 'Text, number, true or false.' }),
  condition: Type.Optional(Type.String({ description: '`or`: one of these must hold. All others must hold.' })),
})

/** As a form shows its own. */
export const DataviewSummary = Type.Object({
  dataviewid: Type.Integer(),
  name: Type.String(),
  url: Type.String(),
  xform: Type.String({ description: 'Address of the form.' }),
  project: Type.String({ description: 'Address of the project that the form is in.' }),
  columns: Type.Array(Type.String()),
  query: Type.Array(DataviewItemView),
  matches_parent: Type.Boolean({ description: 'The columns are all fields of the form, and nothing else.' }),
  date_created: Time,
  date_modified: Time,
})

/** Compared with the newest version. Fields that ask nothing, and those of the form's meta, may be there or not. */
const matchesParent = (columns: readonly string[], { fields }: FormFields): boolean => {
  const asked = fields.filter(({ kind, isMeta }) => kind !== 'none' && !isMeta).map(({ key }) => key)
  const keys = new Set(fields.map(({ key }) => key))
  const chosen = new Set(columns)
  return asked.every((key) => chosen.has(key)) && columns.every((column) => keys.has(column))
}

export const dataviewSummary = (
  origin: string,
  dataview: DataviewRow,
  newest: FormFields,
): Static<typeof DataviewSummary> => ({
  dataviewid: dataview.id,
  name: dataview.name,
  url: `${origin}/api/v1/dataviews/${dataview.id}`,
  xform: `${origin}/api/v1/forms/${dataview.formId}`,
  project: `${origin}/api/v1/projects/${dataview.projectId}`,
  columns: [...dataview.columns],
  query: [...dataview.query],
  matches_parent: matchesParent(dataview.columns, newest),
  date_created: dataview.createdAt.toISOString(),
  date_modified: dataview.modifiedAt.toISOString(),
})

/** Dataviews of several forms, by form, as the forms show them. What a form asks is read only where it has dataviews. */
export const dataviewsOf =
  (db: Database) =>
  async (origin: string, formIds: readonly number[]): Promise<Map<number, Static<typeof DataviewSummary>[]>> => {
    const groups = grouped(await listDataviewsOf(db, formIds), ({ formId }) => formId)
    const keys = [...groups.values()].flatMap((rows) => rows.slice(0, 1))
    const newest = await formModels(db).oneOf(
      db,
      keys.map(({ formId, versionNumber }) => ({ formId, number: versionNumber })),
    )
    return new Map(
      [...newest].map(([id, { fields }]) => [
        id,
        (groups.get(id) ?? []).map((one) => dataviewSummary(origin, one, fields)),
      ]),
    )
  }
