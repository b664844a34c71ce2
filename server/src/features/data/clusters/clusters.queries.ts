import { type Db, empty, type Sql, scan, sql } from '../../../platform/db/index.js'
import { type Area, inArea, type ListRequest, matching, type Places, placesIn } from '../selection/index.js'
import { cellsAcross } from './grid.js'

export interface Cluster {
  readonly count: number
  /** Of a single place: its record. */
  readonly id: number
  /** The middle of the places, and how far they reach. */
  readonly longitude: number
  readonly latitude: number
  readonly west: number
  readonly south: number
  readonly east: number
  readonly north: number
}

export interface Clustered {
  readonly list: ListRequest
  readonly area: Area
  readonly places: Places
  readonly zoom: number
}

/** Answers are places of their own, of which only those in the area count; what is kept of a record is in it already. */
const joined = (places: Places, area: Area): Sql =>
  places === '_geolocation'
    ? empty
    : sql`join lateral ${placesIn(places)} places
        on ${inArea(area, sql`places.latitude`, sql`places.longitude`)}`

/** Rows and columns count from the north-west. What lies beyond the edges of the map has rows beyond its own. Written with few
 * steps: they are half of what clusters of a million records take. */
const row = (latitude: Sql, cells: number): Sql =>
  sql`floor(${cells / 2}::float8 - asinh(tan(${latitude} * ${Math.PI / 180}::float8)) * ${cells / (2 * Math.PI)}::float8)`

const column = (longitude: Sql, cells: number): Sql =>
  sql`floor(${longitude} * ${cells / 360}::float8 + ${cells / 2}::float8)`

/** By the cells of the grid, from north to south and from west to east; one look at the records. */
export const listClusters = (db: Db, { list, area, places, zoom }: Clustered) => {
  const from = places === '_geolocation' ? sql`submissions` : sql`places`
  const [latitude, longitude] = [sql`${from}.latitude`, sql`${from}.longitude`]
  const cells = cellsAcross(zoom)
  return db.rows<Cluster>(
    scan(sql`
      select count(*)::int as count, min(id) as id, sum(longitude) / count(*) as longitude,
        sum(latitude) / count(*) as latitude,
        min(longitude) as west, min(latitude) as south, max(longitude) as east, max(latitude) as north
      from (
        select submissions.id, ${latitude} as latitude, ${longitude} as longitude,
          ${row(latitude, cells)} as cell_row, ${column(longitude, cells)} as cell_column
        from submissions ${joined(places, area)} where ${matching(list)}) placed
      group by cell_row, cell_column order by cell_row, cell_column`),
  )
}
