// Earlier versions of a record. What is computed from answers is computed from the answers of then. Each version is as long as
// the record was, and their number has no bound: where they are long they are a stream.
import { type Answers, durationOf, factKeys, placeOfRecord } from '../../../formats/instance/index.js'
import type { Database } from '../../../platform/db/index.js'
import { type Definition, formModels } from '../../forms/index.js'
import type { RecordForm } from '../../submissions/index.js'
import { jsonListOf, linesOf } from '../reading/index.js'
import {
  copyEarlierVersions,
  type EarlierVersion,
  isShortHistory,
  listEarlierVersions,
  versionOf,
} from './history.queries.js'

/** The facts of a version as the database prints them. No answer can look like it: its quotes would be escaped. */
const unknownFacts = ',"_geolocation":[null,null],"_duration":""'

/** Facts are put into the text of the record. It is not parsed: it may be megabytes. */
const textWithFacts = ({ answers, text }: EarlierVersion, definition: Definition | undefined): string => {
  if (definition === undefined) return text
  const answersThen = JSON.parse(answers) as Answers
  const place = placeOfRecord(answersThen, definition.fields)
  const duration = durationOf(answersThen, definition.fields)
  const at = text.lastIndexOf(unknownFacts)
  const position = JSON.stringify([place?.latitude ?? null, place?.longitude ?? null])
  const facts = `,"_geolocation":${position},"_duration":"${duration === null ? '' : `${duration}.0`}"`
  return text.slice(0, at) + facts + text.slice(at + unknownFacts.length)
}

/** A JSON list, whole or piece by piece. `streams` are counted for the caller who reads them. */
export const historyOf = async (
  { db, streams }: { readonly db: Database; readonly streams: Database },
  form: RecordForm,
  id: number,
): Promise<string | AsyncIterable<string>> => {
  const definitions = new Map(
    (await formModels(db).all(db, form.id)).map((definition) => [definition.number, definition]),
  )
  const keys = [...new Set([...definitions.values()].flatMap(({ fields }) => factKeys(fields)))]
  const shown = (version: EarlierVersion) => textWithFacts(version, definitions.get(version.modelNumber))
  if (await isShortHistory(db, form, id)) {
    return `[${(await listEarlierVersions(db, form, id, keys)).map(shown).join(',')}]`
  }
  async function* versions(): AsyncGenerator<string> {
    for await (const line of linesOf(await copyEarlierVersions(streams, form, id, keys))) yield shown(versionOf(line))
  }
  return jsonListOf(versions())
}
