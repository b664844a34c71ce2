// What a link in a form's media says: `xform 12 people`, `dataview_geojson 3 places`.
import { largestId } from '../../../platform/db/index.js'

export interface Link {
  readonly source: 'xform' | 'dataview'
  readonly id: number
  readonly format: 'csv' | 'geojson'
  /** As devices know the file. */
  readonly filename: string
}

const link = /^(xform|dataview)(_geojson)? (\d{1,10}) (\S.*)$/

/** Undefined when it is no link. An id that is too large becomes 0, which no row has. */
export const linkIn = (value: string): Link | undefined => {
  const [, source, places, id, name] = link.exec(value) ?? []
  if (source === undefined || id === undefined || name === undefined) return undefined
  const format = places === undefined ? 'csv' : 'geojson'
  // A name never becomes a path, nor a header.
  const plain = name.replace(/[^\p{L}\p{N}._ -]+/gu, '_')
  return {
    source: source as Link['source'],
    id: Number(id) <= largestId ? Number(id) : 0,
    format,
    filename: plain.endsWith(`.${format}`) ? plain : `${plain}.${format}`,
  }
}
