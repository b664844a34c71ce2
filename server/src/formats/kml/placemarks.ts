// Records with a place as KML, each with a table of its answers.
import { takingTurns } from '../turns/index.js'
import { escapeText } from '../xml/index.js'

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

const tableOf = async (record: Readonly<Record<string, unknown>>): Promise<string> => {
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

/** Empty for a record without a place. */
export const placemarkOf = async (record: Readonly<Record<string, unknown>>): Promise<string> => {
  const [latitude, longitude] = (record._geolocation ?? []) as (number | null)[]
  if (typeof latitude !== 'number' || typeof longitude !== 'number') return ''
  const table = cdata(await tableOf(record))
  const name = escapeText(String(record._id))
  return `<Placemark><name>${name}</name><description>${table}</description><Point><coordinates>${longitude},${latitude},0</coordinates></Point></Placemark>`
}
