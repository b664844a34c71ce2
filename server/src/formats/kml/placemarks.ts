// Records with a place as KML, each with a table of its answers.
import { escapeText } from '../xml/index.js'

const escapeHtml = (text: string): string => escapeText(text).replaceAll('"', '&quot;')

/** `]]>` would end the section; in two sections it is text. */
const cdata = (text: string): string => `<![CDATA[${text.replaceAll(']]>', ']]]]><![CDATA[>')}]]>`

export const kmlStart = (title: string): string =>
  `<?xml version="1.0" encoding="utf-8"?>\n<kml xmlns="http://www.opengis.net/kml/2.2"><Document><name>${escapeText(title)}</name>`

export const kmlEnd = '</Document></kml>'

/** Empty for a record without a place. */
export const placemarkOf = (record: Readonly<Record<string, unknown>>): string => {
  const [latitude, longitude] = (record._geolocation ?? []) as (number | null)[]
  if (typeof latitude !== 'number' || typeof longitude !== 'number') return ''
  const rows = Object.entries(record)
    .filter(([key, value]) => !key.startsWith('_') && key !== 'form/uuid' && value !== null)
    .map(([key, value]) => [key, typeof value === 'string' ? value : JSON.stringify(value)])
    .map(([key = '', value = '']) => `<tr><td>${escapeHtml(key)}</td><td>${escapeHtml(value)}</td></tr>`)
  const table = cdata(`<table border="1">${rows.join('')}</table>`)
  const name = escapeText(String(record._id))
  return `<Placemark><name>${name}</name><description>${table}</description><Point><coordinates>${longitude},${latitude},0</coordinates></Point></Placemark>`
}
