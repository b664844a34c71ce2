// Numbers as people type them, in the digits and with the comma of their language, as the text that the server takes.
import { locale } from './language'

/** Zeros of the digits that keyboards of our languages and their neighbours have: Arabic, Persian, Devanagari, Bengali, wide. */
const zeros = [0x0660, 0x06f0, 0x0966, 0x09e6, 0xff10]

export const latinDigits = (text: string): string =>
  text.replace(/\p{Nd}/gu, (digit) => {
    const code = digit.codePointAt(0) ?? 0
    const zero = zeros.find((one) => code >= one && code <= one + 9)
    return zero === undefined ? digit : String(code - zero)
  })

interface Marks {
  readonly decimal: string
  readonly group: string
}

const marksOf = new Map<string, Marks>()
const marks = (): Marks => {
  const known = marksOf.get(locale.value)
  if (known !== undefined) return known
  const parts = new Intl.NumberFormat(locale.value).formatToParts(1234567.5)
  const of = (type: string, other: string) => parts.find((part) => part.type === type)?.value ?? other
  const found = { decimal: of('decimal', '.'), group: of('group', ',') }
  marksOf.set(locale.value, found)
  return found
}

/** As it is typed: with the comma of the language, without groups. What is no plain number stays as it is. */
export const numberInput = (text: string): string =>
  marks().decimal === ',' && /^-?\d+\.\d+$/.test(text) ? text.replace('.', ',') : text

const isGrouped = (whole: string, mark: string): boolean => {
  const [first = '', ...rest] = whole.split(mark)
  return /^[1-9]\d{0,2}$/.test(first) && rest.length > 0 && rest.every((one) => /^\d{3}$/.test(one))
}

/**
 * The number as `-1234.5`; undefined for what is none. A point is taken for a comma where it cannot be a mark between thousands;
 * where it may be either (1.234 in Spanish), nobody guesses.
 */
export const readNumber = (typed: string): string | undefined => {
  const { decimal, group } = marks()
  const text = latinDigits(typed)
    .replace(/[\u200e\u200f\u061c]/g, '')
    .replace(/\u2212/g, '-')
    .replace(/\u066b/g, '.')
    .replace(/\u066c/g, '')
    .trim()
  const [, sign = '', body = ''] = /^([+-]?)(.*)$/.exec(text) ?? []
  const isComma = decimal === ','
  const marked = isComma ? body.replace(/\./g, 'p').replace(/,/g, 'c') : body.replace(/\./g, 'c').replace(/,/g, 'p')
  const [whole = '', fraction, ...more] = marked.replace(/[\s\u202f\u00a0]/g, ' ').split('c')
  if (more.length > 0 || (fraction !== undefined && !/^\d*$/.test(fraction))) return undefined
  const tail = fraction === undefined || fraction === '' ? '' : `.${fraction}`
  const head = sign === '-' ? '-' : ''
  if (/^\d+$/.test(whole)) return `${head}${whole}${tail}`
  if (whole === '' && tail !== '') return `${head}0${tail}`
  if (isGrouped(whole, ' ')) return `${head}${whole.replaceAll(' ', '')}${tail}`
  if (isGrouped(whole, 'p')) {
    const isSure = !isComma || group !== '.' || tail !== '' || whole.split('p').length > 2
    if (isComma && group !== '.') return whole.split('p').length === 2 ? `${head}${whole.replace('p', '.')}` : undefined
    return isSure ? `${head}${whole.replaceAll('p', '')}${tail}` : undefined
  }
  return isComma && tail === '' && /^\d+p\d+$/.test(whole) ? `${head}${whole.replace('p', '.')}` : undefined
}
