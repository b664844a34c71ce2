// Records as features of a map.
import { featureKeys, featureMaker, hasPlaces } from '../../../formats/geojson/index.js'
import type { Database } from '../../../platform/db/index.js'
import { absent, mediaTypes } from '../../../platform/http/index.js'
import { booleanOf } from '../../../platform/words/index.js'
import { batchesOfLines, copyLines, sendStream, withCommas } from '../reading/index.js'
import { fieldsOf, type ListRequest, shapeWithin, wholeSlice } from '../selection/index.js'
import { type DataRecord, parsed, type Renderer, type Rendering, readText } from './rendering.js'

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

/** Characters of a record whose feature is made in some microseconds. */
const smallRecord = 2000

const shownShape = ({ shape, columns }: ListRequest) => (columns === undefined ? shape : shapeWithin(shape, columns))

const featuresOf = ({ db, list, slice, query }: Pick<Rendering, 'db' | 'list' | 'slice' | 'query'>) => {
  const shape = shownShape(list)
  if (!hasPlaces(shape)) throw absent()
  const options = featureOptions(query)
  const feature = featureMaker(shape, options)
  const text = readText(list, featureKeys(shape, options))
  /** The features of many small records are one piece: as a piece each they took five times as long. */
  async function* features(): AsyncGenerator<string> {
    for await (const lines of batchesOfLines(await copyLines(db, slice, text))) {
      let small: string[] = []
      for (const line of lines) {
        if (line.length <= smallRecord) small.push(feature.atOnce(JSON.parse(line) as DataRecord))
        else {
          if (small.length > 0) yield small.join(',')
          small = []
          yield await feature.inTurns(await parsed(line))
        }
      }
      if (small.length > 0) yield small.join(',')
    }
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

/** The places of all records, as a file; undefined where none are asked for. */
export const placesOf = (
  db: Database,
  list: ListRequest,
  query: Rendering['query'],
): AsyncIterable<string> | undefined =>
  hasPlaces(shownShape(list)) ? featuresOf({ db, list, slice: wholeSlice(list), query }) : undefined
