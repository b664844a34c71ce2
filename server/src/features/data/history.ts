// Earlier versions of a record. What is computed from answers is computed from the answers of then.
import { type Answers, durationOf, placeOfRecord } from '../../formats/instance/index.js'
import type { Database } from '../../platform/db/index.js'
import { formModels } from '../forms/index.js'
import type { RecordForm } from '../submissions/index.js'
import { listEarlierVersions } from './single.queries.js'

export const historyOf = async (db: Database, form: RecordForm, id: number): Promise<object[]> => {
  const versions = await listEarlierVersions(db, form, id)
  return Promise.all(
    versions.map(async ({ text, modelNumber }) => {
      const record = JSON.parse(text) as Answers
      const definition = await formModels(db).find(db, form.id, modelNumber)
      if (definition === undefined) return record
      const place = placeOfRecord(record, definition.fields)
      const duration = durationOf(record, definition.fields)
      return {
        ...record,
        _geolocation: [place?.latitude ?? null, place?.longitude ?? null],
        _duration: duration === null ? '' : `${duration}.0`,
      }
    }),
  )
}
