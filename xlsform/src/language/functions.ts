import { type FunctionName, signatures } from '../xpath/functions.js'

export interface FormFunction {
  readonly name: string
  /** Names of what it takes, in order. */
  readonly arguments: readonly FunctionArgument[]
  /** What it gives, in a sentence. */
  readonly explanation: string
}

export interface FunctionArgument {
  readonly name: string
  readonly isOptional: boolean
  /** May be given any number of times. */
  readonly isRepeated: boolean
}

const explanations: Record<FunctionName, string> = {
  abs: 'The number without its sign.',
  acos: 'The angle in radians whose cosine this is.',
  area: 'Square metres of a geoshape, or of the points of a repeat.',
  asin: 'The angle in radians whose sine this is.',
  atan: 'The angle in radians whose tangent this is.',
  atan2: 'The angle in radians of the point x, y.',
  'base64-decode': 'The text that is written in base64.',
  boolean: 'True for a number that is not 0 and for a text that is not empty.',
  'boolean-from-string': "True for the texts 'true' and '1' alone.",
  ceiling: 'The next whole number above.',
  checklist: 'Whether at least and at most so many conditions are true; -1 stands for no bound.',
  coalesce: 'The first value, or the second where the first is empty.',
  concat: 'The values as one text.',
  contains: 'Whether the text holds the part.',
  cos: 'The cosine of an angle.',
  count: 'How many there are, such as instances of a repeat.',
  'count-non-empty': 'How many of them have an answer.',
  'count-selected': 'How many choices of a select_multiple are chosen.',
  current: 'The question itself, from where a path goes on: current()/../age.',
  date: 'A text or a number of days since 1970 as a date.',
  'date-time': 'A text or a number of days since 1970 as a date with time.',
  'decimal-date-time': 'A date with time as days since 1970.',
  'decimal-time': 'A time as a part of the day, 0.5 for noon.',
  digest: 'The checksum of a text: MD5, SHA-1, SHA-256, SHA-384 or SHA-512, as base64 or hex.',
  distance: 'Metres along a geotrace, around a geoshape or between points.',
  'ends-with': 'Whether the text ends so.',
  exp: 'e to the power of the number.',
  exp10: '10 to the power of the number.',
  'extract-signed': 'What a signed code says, or nothing where the signature is not of this key.',
  false: 'No.',
  floor: 'The next whole number below.',
  'format-date': "A date as text: '%d.%m.%Y' gives 06.05.2024.",
  'format-date-time': "A date with time as text: '%H:%M' gives 10:30.",
  geofence: 'Whether the place lies within the geoshape.',
  if: 'One value where the condition is true, the other where it is not.',
  'indexed-repeat': 'The answer to a question in the instance of a repeat that has this number.',
  instance: "A list or file of the form: instance('fruits')/root/item.",
  int: 'The number without what is behind the point.',
  intersects: 'Whether the lines of a geotrace or geoshape cross each other.',
  join: 'The values as one text with the separator between them.',
  'jr:choice-name': "The label of a chosen answer. The question is in quotes: jr:choice-name(${q}, '${q}').",
  'jr:itext': 'A text of the form in the language that is shown.',
  last: 'The number of the last one in a path. ODK Collect does not know it; use count().',
  log: 'The natural logarithm.',
  log10: 'The logarithm to the base 10.',
  'lower-case': 'The text in small letters.',
  max: 'The largest value.',
  min: 'The smallest value.',
  'normalize-space': 'The text without blanks at its ends and with single ones within.',
  not: 'True where the condition is not.',
  now: 'The date and time of now.',
  number: 'The value as a number.',
  once: 'The value that the question has, or this one as long as it has none.',
  pi: '3.14159…',
  position: 'The number of an instance of a repeat, from 1: position(..).',
  pow: 'The base to the power of the exponent.',
  property: 'What the device knows of itself or of its user, such as deviceid or username.',
  pulldata: 'The value in a column of an attached CSV file, in the row whose key column holds the key.',
  random: 'A number from 0 up to 1. Put it into once(), or it changes.',
  randomize: 'The same in an order of chance; the same seed gives the same order.',
  regex: "Whether the text matches the pattern: regex(., '^[0-9]{5}$').",
  round: 'The number with so many digits behind the point.',
  selected: "Whether a choice is among the chosen ones: selected(${fruits}, 'apple').",
  'selected-at': 'The chosen answer with this number, from 0.',
  sin: 'The sine of an angle.',
  sqrt: 'The square root.',
  'starts-with': 'Whether the text starts so.',
  string: 'The value as text.',
  'string-length': 'How many characters the text has.',
  substr: 'A part of the text from a position on, up to another; the first is 0.',
  substring: 'A part of the text from a position on, so many characters; the first is 1.',
  'substring-after': 'What stands behind the part.',
  'substring-before': 'What stands before the part.',
  sum: 'The sum of all: sum(${price}).',
  tan: 'The tangent of an angle.',
  today: 'The date of today.',
  translate: 'The text with each of these characters replaced by the one at its place.',
  true: 'Yes.',
  'upper-case': 'The text in capital letters.',
  uuid: 'A name that nothing else has; with a length, so many characters of chance.',
  version: 'The version of the form.',
  'weighted-checklist': 'Whether the weights of the true conditions add up to something between least and most.',
}

const argumentOf = (written: string): FunctionArgument => ({
  name: written.replace(/[?…]$/, ''),
  isOptional: written.endsWith('?'),
  isRepeated: written.endsWith('…'),
})

/** Every function that forms may call, by name. */
export const formFunctions: readonly FormFunction[] = Object.entries(signatures).map(([name, written]) => ({
  name,
  arguments: written === '' ? [] : written.split(', ').map(argumentOf),
  explanation: explanations[name as FunctionName],
}))
