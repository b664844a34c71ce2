// Records with a place as KML, each with a table of its answers.
import type { FormShape } from '../columns/index.js'
import { firstAnswer, type Geometry, geometryIn, type Notation, positionsOf } from '../geometry/index.js'
import { inTurns, type Turns, takingTurns } from '../turns/index.js'
import { escapeText } from '../xml/index.js'

type DataRecord = Readonly<Record<string, unknown>>
type Asking = Pick<FormShape, 'slotsOf'>

const escapeHtml = (text: string): string => escapeText(text).replaceAll('"', '&quot;')

/** `]]>` would end the section; in two sections it is text. */
const cdata = (text: string): string => `<![CDATA[${text.replaceAll(']]>', ']]]]><![CDATA[>')}]]>`

export const kmlStart = (title: string): string =>
  `<?xml version="1.0" encoding="utf-8"?>\n<kml xmlns="http://www.opengis.net/kml/2.2"><Document><name>${escapeText(title)}</name>`

export const kmlEnd = '</Document></kml>'

/** Characters that are escaped in one go. */
const atOnce = 16 * 1024

const isHalf = (code: number): boolean => code >= 0xd800 && code <= 0xdbff

/** Of an answer, which may be millions of characters. */
const escapedInTurns = async (text: string, pause: () => Promise<void>): Promise<string> => {
  if (text.length <= atOnce) return escapeHtml(text)
  let escaped = ''
  for (let from = 0; from < text.length; ) {
    const end = from + atOnce
    // No pair of halves is cut in two.
    const to = isHalf(text.charCodeAt(end - 1)) ? end + 1 : end
    escaped += escapeHtml(text.slice(from, to))
    from = to
    await pause()
  }
  return escaped
}

const tableOf = async (record: DataRecord): Promise<string> => {
  const pause = takingTurns()
  let rows = ''
  for (const key of Object.keys(record)) {
    const value = record[key]
    if (key.startsWith('_') || key === 'form/uuid' || value === null) continue
    const text = typeof value === 'string' ? value : JSON.stringify(value)
    rows += `<tr><td>${escapeHtml(key)}</td><td>${await escapedInTurns(text, pause)}</td></tr>`
    await pause()
  }
  return `<table border="1">${rows}</table>`
}

const notation: Notation = { position: (longitude, latitude) => `${longitude},${latitude},0`, between: ' ' }

const shown = ({ kind }: Geometry, positions: string): string => {
  const coordinates = `<coordinates>${positions}</coordinates>`
  return kind === 'Polygon'
    ? `<Polygon><outerBoundaryIs><LinearRing>${coordinates}</LinearRing></outerBoundaryIs></Polygon>`
    : `<${kind}>${coordinates}</${kind}>`
}

/** Where the server says that the record is. */
const kept = ({ _geolocation: place }: DataRecord): Geometry | undefined => {
  const [latitude, longitude] = (place ?? []) as (number | null)[]
  if (typeof latitude !== 'number' || typeof longitude !== 'number') return undefined
  return { kind: 'Point', numbers: [longitude, latitude] }
}

function* geometrySteps(record: DataRecord, shape: Asking, field: string | undefined): Turns<string> {
  const answer = field === undefined ? undefined : firstAnswer(record, shape, field)
  const geometry =
    field === undefined ? kept(record) : answer === undefined ? undefined : yield* geometryIn(answer.text, answer.type)
  return geometry === undefined ? '' : shown(geometry, yield* positionsOf(geometry, notation))
}

/** A record where its answer to the field lies, or without one where the server says that it is. Empty without a place. */
export const placemarkOf = async (record: DataRecord, shape: Asking, field: string | undefined): Promise<string> => {
  const geometry = await inTurns(geometrySteps(record, shape, field))
  if (geometry === '') return ''
  const table = cdata(await tableOf(record))
  const name = escapeText(String(record._id))
  return `<Placemark><name>${name}</name><description>${table}</description>${geometry}</Placemark>`
}
