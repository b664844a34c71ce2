// Cells of a workbook: numbers, dates and times where a spreadsheet keeps all that a text says, texts otherwise. A text is
// never executed, whatever it begins with.
import { cutTo } from '@sheaf/xlsform/text'
import { escapeAttribute, escapeText } from '../xml/index.js'
import type { SharedColumn, SharedTexts } from './shared-texts.js'

/** What a column holds; each cell is looked at by itself. `calculated` is a number where it is written as one is. */
export type CellKind = 'text' | 'number' | 'calculated' | 'date' | 'time' | 'datetime'

/**
 * Zones that clocks have. A number of a spreadsheet has none, so the format that shows it does: such a cell is a time for every
 * program, shows where it was that time, and is read back with it. Programs take some two hundred formats, hence no other
 * zones: what has one of those is shown without it.
 */
const zones = [
  ...[
    'Z',
    '+00:00',
    '-12:00',
    '-11:00',
    '-10:00',
    '-09:30',
    '-09:00',
    '-08:00',
    '-07:00',
    '-06:00',
    '-05:00',
    '-04:00',
  ],
  ...['-03:30', '-03:00', '-02:30', '-02:00', '-01:00', '+01:00', '+02:00', '+03:00', '+03:30', '+04:00', '+04:30'],
  ...['+05:00', '+05:30', '+05:45', '+06:00', '+06:30', '+07:00', '+08:00', '+08:45', '+09:00', '+09:30', '+10:00'],
  ...['+10:30', '+11:00', '+12:00', '+12:45', '+13:00', '+13:45', '+14:00'],
]

const clock = 'hh:mm:ss'
const moment = `yyyy\\-mm\\-dd\\ ${clock}`
/** Places in the list of styles below, where that of plain cells is 0. */
const styleOf = { date: 1, time: 2, datetime: 3 } as const
const formats = [
  'yyyy\\-mm\\-dd',
  clock,
  moment,
  ...zones.flatMap((zone) => [clock, moment].map((format) => `${format}"${zone}"`)),
]
const zoneStyles = new Map(zones.map((zone, at) => [zone, { time: 4 + at * 2, datetime: 5 + at * 2 }]))
/** Numbers below are those of formats that programs know by heart. */
const firstFormat = 164

const listOf = (name: string, items: readonly string[]): string =>
  `<${name} count="${items.length}">${items.join('')}</${name}>`

/** The parts of a style sheet in the order that spreadsheets ask for. */
export const stylesXml = [
  listOf(
    'numFmts',
    formats.map((code, at) => `<numFmt numFmtId="${firstFormat + at}" formatCode="${escapeAttribute(code)}"/>`),
  ),
  listOf('fonts', ['<font><sz val="11"/><name val="Calibri"/></font>']),
  listOf('fills', [
    '<fill><patternFill patternType="none"/></fill>',
    '<fill><patternFill patternType="gray125"/></fill>',
  ]),
  listOf('borders', ['<border><left/><right/><top/><bottom/><diagonal/></border>']),
  listOf('cellStyleXfs', ['<xf numFmtId="0" fontId="0" fillId="0" borderId="0"/>']),
  listOf('cellXfs', [
    '<xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/>',
    ...formats.map(
      (_, at) =>
        `<xf numFmtId="${firstFormat + at}" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/>`,
    ),
  ]),
  listOf('cellStyles', ['<cellStyle name="Normal" xfId="0" builtinId="0"/>']),
].join('')

const plainNumber = /^-?(?:0|[1-9]\d{0,14})(?:\.\d{1,14})?$/
const mostDigits = 15

/** A number that a spreadsheet keeps digit for digit: it has room for 15, and a 0 in front is part of a text. */
const isExact = (text: string): boolean =>
  plainNumber.test(text) && (text.length <= mostDigits || text.replace(/\D/g, '').length <= mostDigits)

/** And shows as it was written: not `1.50`, not `-0`. */
const isCanonical = (text: string): boolean => isExact(text) && String(Number(text)) === text

const date = /^\d{4}-\d\d-\d\d$/
/** With the zone or without it. */
const time = /^\d\d:\d\d(?::(\d\d)(?:\.(\d{1,3})0*)?)?(?:Z|[+-]\d\d(?::?\d\d)?)?$/

const dayMs = 86_400_000
/** Day 0 of spreadsheets. They have a 29th of February 1900, so what is before March of that year is a text. */
const firstDay = Date.UTC(1899, 11, 30)
const firstSafeDay = 61

/** undefined for a day that no calendar has. */
const dayOf = (text: string): number | undefined => {
  if (!date.test(text)) return undefined
  const [year, month, day] = [Number(text.slice(0, 4)), numberAt(text, 5), numberAt(text, 8)]
  const moment = new Date(Date.UTC(year, month - 1, day))
  const isDay = moment.getUTCDate() === day && moment.getUTCMonth() === month - 1 && moment.getUTCFullYear() === year
  const number = (moment.getTime() - firstDay) / dayMs
  return isDay && number >= firstSafeDay ? number : undefined
}

/** Of two digits. */
const numberAt = (text: string, at: number): number => (text.charCodeAt(at) - 48) * 10 + text.charCodeAt(at + 1) - 48

/** At the end of a time: `+03` and `+0300` are `+03:00`. */
const zoneOf = (text: string): string => {
  const [, sign, hours, minutes = '00'] = /([+-])(\d\d)(?::?(\d\d))?$/.exec(text) ?? []
  if (sign === undefined) return text.endsWith('Z') ? 'Z' : ''
  return `${sign}${hours}:${minutes}`
}

const styleFor = (text: string, kind: 'date' | 'time' | 'datetime'): number =>
  kind === 'date' ? styleOf.date : (zoneStyles.get(zoneOf(text))?.[kind] ?? styleOf[kind])

/** As the clock of whoever answered showed it. */
const partOfDay = (text: string): number | undefined => {
  const [whole, second = '0', fraction = ''] = time.exec(text) ?? []
  if (whole === undefined) return undefined
  const [hour, minute] = [numberAt(text, 0), numberAt(text, 3)]
  if (hour > 23 || minute > 59 || Number(second) > 59) return undefined
  return ((hour * 60 + minute) * 60_000 + Number(second) * 1000 + Number(fraction.padEnd(3, '0'))) / dayMs
}

const momentOf = (text: string): number | undefined => {
  const at = text.indexOf('T')
  if (at === -1) return undefined
  const [day, part] = [dayOf(text.slice(0, at)), partOfDay(text.slice(at + 1))]
  return day === undefined || part === undefined ? undefined : day + part
}

const serials = { date: dayOf, time: partOfDay, datetime: momentOf } as const

/** Ten decimals are 9 µs. */
const written = (serial: number): string => String(Math.round(serial * 1e10) / 1e10)

/** Characters of a cell. */
const longestText = 32_767

const codeOf = (character: string): string =>
  `_x${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}_`

/** XML holds these as they are. */
const isInXml = (character: string): boolean => '\t\n\r'.includes(character)

const belowBlank = /[^\x20-\uffff]/

/** Spreadsheets read `_x0041_` as the letter of that number: such a text has its first mark by number, and what XML cannot hold
 * is written that way too. */
const withCodes = (text: string): string => {
  const marked = text.includes('_x') ? text.replace(/_(?=x[0-9a-fA-F]{4})/g, codeOf) : text
  return belowBlank.test(marked)
    ? marked.replace(/[^\x20-\uffff]/g, (character) => (isInXml(character) ? character : codeOf(character)))
    : marked
}

/** Texts in which nothing has to be written in another way. */
const isPlain = (text: string): boolean =>
  text.length <= longestText && !/[^\x20-\x25\x27-\x3b=\x3f-\x5e`-\ud7ff]/.test(text)

/** Readers drop blanks at either end, and some join those in between, unless they are told not to. */
const hasBlanks = (text: string): boolean => /^\s|\s$|\s\s|[\t\n\r]/.test(text)

export const textElement = (text: string): string => {
  const start = hasBlanks(text) ? '<t xml:space="preserve">' : '<t>'
  return `${start}${isPlain(text) ? text : escapeText(withCodes(cutTo(text, longestText)))}</t>`
}

/** Undefined where it is a text. */
const serialCell = (text: string, kind: CellKind): string | undefined => {
  switch (kind) {
    case 'text':
      return undefined
    case 'number':
      return isExact(text) ? `<c><v>${text}</v></c>` : undefined
    case 'calculated':
      return isCanonical(text) ? `<c><v>${text}</v></c>` : undefined
    default: {
      const serial = serials[kind](text)
      return serial === undefined ? undefined : `<c s="${styleFor(text, kind)}"><v>${written(serial)}</v></c>`
    }
  }
}

const inlineCell = (text: string): string => `<c t="inlineStr"><is>${textElement(text)}</is></c>`

const textCell = (text: string, shared: SharedColumn | undefined): string => {
  const number = shared?.numberOf(text)
  return number === undefined ? inlineCell(text) : `<c t="s"><v>${number}</v></c>`
}

const cell = (text: string | null, kind: CellKind, shared?: SharedColumn): string =>
  text === null || text === '' ? '<c/>' : (serialCell(text, kind) ?? textCell(text, shared))

/** `kinds` tells what each column holds; text where it says nothing. Null is an empty cell. */
export const rowXml = (cells: readonly (string | null)[], kinds: readonly CellKind[] = []): string =>
  `<row>${cells.map((text, index) => cell(text, kinds[index] ?? 'text')).join('')}</row>`

/** The same for many rows of one table, whose texts are held once where they come again. */
export const rowWriter = (
  kinds: readonly CellKind[],
  texts: SharedTexts,
): ((cells: readonly (string | null)[]) => string) => {
  const columns = kinds.map(() => texts.column())
  return (cells) => {
    let row = '<row>'
    for (let at = 0; at < cells.length; at++) row += cell(cells[at] ?? null, kinds[at] ?? 'text', columns[at])
    return `${row}</row>`
  }
}
