// The representations of a list. Each is given the same slice and says how it looks.
import { setImmediate } from 'node:timers/promises'
import type { FastifyReply } from 'fastify'
import { type FlowRow, flowRowsOf } from '../../formats/flow-results/index.js'
import { featureKeys, featureOf, hasPlaces } from '../../formats/geojson/index.js'
import { kmlEnd, kmlStart, placemarkOf } from '../../formats/kml/index.js'
import { parseFields } from '../../formats/query/index.js'
import { batchEnd, batchItem, batchStart } from '../../formats/xml/index.js'
import type { Database, Sql } from '../../platform/db/index.js'
import { absent, dispositionOf, mediaTypes } from '../../platform/http/index.js'
import { booleanOf } from '../../platform/words/index.js'
import { recordFields } from '../submissions/index.js'
import { readQuery } from './data.errors.js'
import type { ListRequest } from './list-request.js'
import { fieldsWithin, keysWithin, repeatsAround, shapeWithin } from './parts.js'
import { copyLines, copyListed, findPageText, textOf, textWithXml } from './records.queries.js'
import { wholeSlice } from './slices.js'
import type { Slice } from './slices.queries.js'
import { type Export, jsonList, linesOf, sendStream, sendText, withCommas } from './streams.js'

export interface Rendering {
  readonly db: Database
  readonly reply: FastifyReply
  readonly list: ListRequest
  readonly slice: Slice
  readonly query: Readonly<Record<string, string | undefined>>
  readonly now: Date
}

type Renderer = (rendering: Rendering) => Promise<unknown>

type DataRecord = Readonly<Record<string, unknown>>

const jsonType = 'application/json; charset=utf-8'

const largeRecord = 200_000

/** So many records are one text in memory; more are streamed. */
const shortList = 250

export const fieldsOf = (query: Rendering['query']): readonly string[] | undefined =>
  readQuery(() => parseFields(query.fields ?? ''))

const listedText = ({ seen, shape, columns }: ListRequest, query: Rendering['query']): Sql =>
  columns === undefined
    ? textOf(seen.form, fieldsOf(query))
    : recordFields(seen.form, fieldsWithin(shape, columns), repeatsAround(shape))

export const sendJson: Renderer = async ({ db, reply, list, slice, query }) => {
  const text = listedText(list, query)
  const isShort = slice.limit !== null && slice.limit <= shortList
  const records = isShort ? await findPageText(db, slice, text) : undefined
  if (records !== undefined) return sendText(reply, jsonType, `[${records}]`)
  return sendStream(reply, jsonType, jsonList(await copyListed(db, slice, text)))
}

/** Records one after the other, as JSON: whole, or what `keys` names of them. */
async function* recordsOf(
  db: Database,
  list: ListRequest,
  slice: Slice,
  keys?: readonly string[],
): AsyncGenerator<DataRecord> {
  const { seen, shape, columns } = list
  const text = textOf(seen.form, columns === undefined ? keys : keysWithin(shape, columns))
  for await (const line of linesOf(await copyLines(db, slice, text))) {
    const record = JSON.parse(line) as DataRecord
    // Reading a large one takes as long as writing it: others have a turn in between.
    for (let turn = 0; line.length > largeRecord && turn < 2; turn++) await setImmediate()
    yield record
  }
}

export const sendXml: Renderer = ({ db, reply, list, slice, now }) => {
  async function* items(): AsyncGenerator<string> {
    yield batchStart(now.toISOString().replace('Z', '+00:00'))
    for await (const line of linesOf(await copyLines(db, slice, textWithXml(list.seen.form)))) {
      const [record, xml, createdAt] = JSON.parse(line) as [DataRecord, string, string]
      yield await batchItem({ record, xml, createdAt })
    }
    yield batchEnd
  }
  return sendStream(reply, 'application/xml; charset=utf-8', items())
}

const listed = (text: string | undefined): string[] =>
  (text ?? '')
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '')

export const featureOptions = (query: Rendering['query']) => ({
  geoField: query.geo_field || undefined,
  // A JSON list is taken too, as everywhere.
  fields: query.fields?.trim().startsWith('[') ? (fieldsOf(query) ?? []) : listed(query.fields),
  isSimpleStyle: booleanOf(query.simple_style ?? '') === true,
  title: query.title || undefined,
})

const featuresOf = ({ db, list, slice, query }: Pick<Rendering, 'db' | 'list' | 'slice' | 'query'>) => {
  const shape = list.columns === undefined ? list.shape : shapeWithin(list.shape, list.columns)
  if (!hasPlaces(shape)) throw absent()
  const options = featureOptions(query)
  async function* features(): AsyncGenerator<string> {
    const keys = featureKeys(shape, options)
    for await (const record of recordsOf(db, list, slice, keys)) yield await featureOf(record, shape, options)
  }
  async function* collection(): AsyncGenerator<string> {
    yield '{"type":"FeatureCollection","features":['
    yield* withCommas(features())
    yield ']}'
  }
  return collection()
}

export const sendGeojson: Renderer = (rendering) =>
  sendStream(rendering.reply, mediaTypes.geojson, featuresOf(rendering))

/** Of all records, as a file. */
export const sendPlaces = (
  db: Database,
  reply: FastifyReply,
  { list, query, filename }: { list: ListRequest; query: Rendering['query']; filename: string },
) => {
  const collection = featuresOf({ db, list, slice: wholeSlice(list), query })
  reply.header('content-disposition', dispositionOf(filename))
  return sendStream(reply, mediaTypes.geojson, collection)
}

/** A row for each answer. A long list of choices stands in every row that is one of them. */
export async function* flowResultsOf(rows: AsyncIterable<FlowRow>): AsyncGenerator<string> {
  let between = '['
  for await (const row of rows) {
    yield between + JSON.stringify(row)
    between = ','
  }
  yield between === '[' ? '[]' : ']'
}

export const sendFlowResults: Renderer = ({ db, reply, list, slice }) => {
  async function* rows(): AsyncGenerator<FlowRow> {
    for await (const record of recordsOf(db, list, slice)) yield* flowRowsOf(record, list.shape)
  }
  return sendStream(reply, mediaTypes['flow-results'], flowResultsOf(rows()))
}

export const kmlOf = (db: Database, list: ListRequest, slice: Slice): Export => {
  let placemarks = 0
  async function* bytes(): AsyncGenerator<string> {
    yield kmlStart(list.seen.form.title)
    for await (const record of recordsOf(db, list, slice)) {
      const placemark = await placemarkOf(record)
      if (placemark !== '') placemarks += 1
      yield placemark
    }
    yield kmlEnd
  }
  return { bytes: bytes(), rowCount: () => placemarks }
}
