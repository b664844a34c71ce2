// Records as features of a map.
import type { FastifyReply } from 'fastify'
import { featureKeys, featureOf, hasPlaces } from '../../../formats/geojson/index.js'
import type { Database } from '../../../platform/db/index.js'
import { absent, dispositionOf, mediaTypes } from '../../../platform/http/index.js'
import { booleanOf } from '../../../platform/words/index.js'
import { sendStream, withCommas } from '../reading/index.js'
import { fieldsOf, type ListRequest, shapeWithin, wholeSlice } from '../selection/index.js'
import { type Renderer, type Rendering, recordsOf } from './rendering.js'

const namesIn = (text: string | undefined): string[] =>
  (text ?? '')
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '')

export const featureOptions = (query: Rendering['query']) => ({
  geoField: query.geo_field || undefined,
  // A JSON list is taken too, as everywhere.
  fields: query.fields?.trim().startsWith('[') ? (fieldsOf(query) ?? []) : namesIn(query.fields),
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

/** The places of all records, as a file. */
export const sendPlaces = (
  db: Database,
  reply: FastifyReply,
  { list, query, filename }: { list: ListRequest; query: Rendering['query']; filename: string },
) => {
  const collection = featuresOf({ db, list, slice: wholeSlice(list), query })
  reply.header('content-disposition', dispositionOf(filename))
  return sendStream(reply, mediaTypes.geojson, collection)
}
