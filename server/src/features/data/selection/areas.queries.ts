// Places as SQL: those of a record, and whether one lies in an area.
import type { AnswerPlace } from '../../../formats/query/index.js'
import { join, type Sql, sql } from '../../../platform/db/index.js'
import { textsAt } from '../../submissions/index.js'
import { type Area, type Box, boxAround, type Places, type Position } from './areas.js'
import { pathOf } from './conditions.queries.js'

const inBox = ({ west, south, east, north }: Box, latitude: Sql, longitude: Sql): Sql => {
  const across = sql`${longitude} >= ${west}::float8 ${west <= east ? sql`and` : sql`or`} ${longitude} <= ${east}::float8`
  return sql`${latitude} between ${south}::float8 and ${north}::float8 and (${across})`
}

const ringText = (ring: readonly Position[]): string => `(${ring.map(([x, y]) => `(${x},${y})`).join(',')})`

/** Whole turns by which the ring lies beside the longitudes that records have. */
const turnsOf = (ring: readonly Position[]): number[] => {
  const longitudes = ring.map(([longitude]) => longitude)
  const first = Math.ceil((Math.min(...longitudes) - 180) / 360)
  const last = Math.floor((Math.max(...longitudes) + 180) / 360)
  return Array.from({ length: last - first + 1 }, (_, at) => first + at)
}

const inRing = (ring: readonly Position[], latitude: Sql, longitude: Sql): Sql => {
  const tests = turnsOf(ring).map(
    (turn) => sql`${ringText(ring)}::polygon @> point(${longitude} + ${turn * 360}::float8, ${latitude})`,
  )
  return sql`${inBox(boxAround(ring), latitude, longitude)} and (${join(tests, ' or ')})`
}

export const inArea = (area: Area, latitude: Sql, longitude: Sql): Sql =>
  area.kind === 'box' ? inBox(area.box, latitude, longitude) : inRing(area.ring, latitude, longitude)

const textsOf = ({ key, repeats }: AnswerPlace): Sql =>
  repeats.length === 0
    ? sql`select submissions.answers ->> ${key}::text`
    : sql`select ${textsAt(sql`submissions.answers`, sql`${pathOf({ key, repeats })}::jsonpath`)}`

/** Latitude and longitude of what a record has in its answers, null where that is no place: a relation to stand behind `lateral`. */
export const placesIn = (places: readonly AnswerPlace[]): Sql => sql`(
  select place[1] as latitude, place[2] as longitude
  from (select place_of(texts.answer) as place from (${join(places.map(textsOf), ' union all ')}) texts (answer) offset 0) read)`

/** Whether a record has a place in the area, over `submissions`. */
export const liesIn = (area: Area, places: Places): Sql =>
  places === '_geolocation'
    ? sql`(submissions.latitude is not null
        and ${inArea(area, sql`submissions.latitude`, sql`submissions.longitude`)})`
    : sql`exists (select from ${placesIn(places)} places
        where ${inArea(area, sql`places.latitude`, sql`places.longitude`)})`
