const dayMilliseconds = 86_400_000
// Serial 0 of each calendar; the 1900 one counts a 29 February 1900 that never was, hence day 30.
const epoch1900 = Date.UTC(1899, 11, 30)
const epoch1904 = Date.UTC(1904, 0, 1)
const lastSerial = 2_958_466

export const booleanText = (value: boolean): string => (value ? 'TRUE' : 'FALSE')

/** `5` for 5.0, else the shortest decimal, never in powers of ten. */
export const numberText = (value: number): string => {
  if (Number.isInteger(value) && Math.abs(value) < 1e21) return BigInt(value).toString()
  const text = String(value)
  if (!text.includes('e')) return text
  const [mantissa = '', exponent = '0'] = text.split('e')
  const power = Number(exponent)
  const [whole = '0', fraction = ''] = mantissa.replace('-', '').split('.')
  const digits = whole + fraction
  const sign = value < 0 ? '-' : ''
  return power < 0
    ? `${sign}0.${'0'.repeat(-power - 1)}${digits}`
    : `${sign}${digits}${'0'.repeat(power - fraction.length)}`
}

/**
 * A spreadsheet's day number as `2012-12-12 00:00:00`, or as `10:30:00` when it holds a time of day only.
 * Undefined when it is no date of the calendar.
 */
export const dateText = (serial: number, is1904: boolean): string | undefined => {
  if (!(serial >= 0 && serial < lastSerial)) return undefined
  // Serials are fractions of a day: a microsecond is about what a double can still tell.
  const milliseconds = Math.round(serial * dayMilliseconds * 1000) / 1000
  const whole = Math.round(milliseconds)
  // Before 1 March 1900 the 1900 calendar is a day ahead of itself.
  const shift = !is1904 && serial >= 1 && serial < 60 ? dayMilliseconds : 0
  const iso = new Date((is1904 ? epoch1904 : epoch1900) + shift + whole).toISOString()
  const fraction = iso.slice(20, 23) === '000' ? '' : `.${iso.slice(20, 23)}000`
  const time = iso.slice(11, 19) + fraction
  return serial < 1 ? time : `${iso.slice(0, 10)} ${time}`
}

/** A date that is written out in the file already: `2012-12-12T10:30:00.000Z`. */
export const isoDateText = (iso: string): string => {
  const text = iso.replace(/^T/, '').replace('T', ' ').replace(/Z$/, '').replace(/\.0+$/, '')
  return /^\d{4}-\d{2}-\d{2}$/.test(text) ? `${text} 00:00:00` : text
}

const dateParts = /[dmyhs]/i
/** Brackets around hours, minutes or seconds count beyond a day. */
const elapsed = /^(?:h+|m+|s+)$/i
// Spreadsheet programs stop at 255 characters.
const maxFormatLength = 1000

/** Whether a number format shows dates or times: a date letter outside quotes, escapes and colour or locale brackets. */
export const isDateFormat = (format: string): boolean => {
  const first = format.slice(0, maxFormatLength).split(';')[0] ?? ''
  if (/^general$/i.test(first)) return false
  const bare = first
    .replace(/"[^"]*"?/g, '')
    .replace(/[\\_*]./g, '')
    .replace(/\[([^[\]]*)\]/g, (whole, inside: string) => (elapsed.test(inside) ? whole : ''))
  return dateParts.test(bare.replace(/e[+-]/gi, ''))
}

/** Number formats 14–22, 27–36, 45–47 and 50–58 are dates without being written down in the file. */
export const isBuiltInDateFormat = (id: number): boolean =>
  (id >= 14 && id <= 22) || (id >= 27 && id <= 36) || (id >= 45 && id <= 47) || (id >= 50 && id <= 58)

/** The zone that a number format shows behind a time, as exports of records write it: `hh:mm:ss"+02:00"`. */
export const zoneOfFormat = (format: string): string => {
  const first = format.slice(0, maxFormatLength).split(';')[0] ?? ''
  return /[sS]([+-]\d\d:\d\d|Z)$/.exec(first.replace(/["\\]/g, ''))?.[1] ?? ''
}
