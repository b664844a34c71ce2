// Templates are written as rows of questions in two languages; this makes the sheets of them that the compiler takes.
import { type RawSheet, sheetOf } from '@sheaf/xlsform/sheets'

/** English, French. */
type Words = readonly [string, string]

export interface Row {
  readonly type: string
  readonly name?: string
  readonly label?: Words
  readonly hint?: Words
  readonly required?: boolean
  readonly relevant?: string
  readonly constraint?: string
  readonly message?: Words
  readonly calculation?: string
  readonly default?: string
  readonly filter?: string
  readonly count?: string
  readonly appearance?: string
  readonly parameters?: string
}

/** `more`: other columns of the choice, for filters. */
export type Choice = readonly [name: string, english: string, french: string, more?: string]

export interface Template {
  readonly title: string
  readonly id: string
  readonly survey: readonly Row[]
  readonly choices: Readonly<Record<string, readonly Choice[]>>
  /** The heading of what `more` of a choice is. */
  readonly more?: string
  /** How entries are named in lists, an expression. */
  readonly instanceName?: string
}

const languages = ['English (en)', 'French (fr)']
const inLanguages = (heading: string): string[] => languages.map((language) => `${heading}::${language}`)

/** The columns of the survey as people know them, and what stands in each. */
const columns: readonly (readonly [headings: readonly string[], cells: (row: Row) => readonly string[]])[] = [
  [['type', 'name'], ({ type, name = '' }) => [type, name]],
  [inLanguages('label'), ({ label }) => label ?? []],
  [inLanguages('hint'), ({ hint }) => hint ?? []],
  [['required'], ({ required }) => (required === true ? ['yes'] : [])],
  [['relevant'], ({ relevant = '' }) => [relevant]],
  [['constraint'], ({ constraint = '' }) => [constraint]],
  [inLanguages('constraint_message'), ({ message }) => message ?? []],
  [['calculation'], ({ calculation = '' }) => [calculation]],
  [['default'], (row) => [row.default ?? '']],
  [['choice_filter'], ({ filter = '' }) => [filter]],
  [['repeat_count'], ({ count = '' }) => [count]],
  [['appearance'], ({ appearance = '' }) => [appearance]],
  [['parameters'], ({ parameters = '' }) => [parameters]],
]

const filled = (headings: readonly string[], cells: readonly (string | undefined)[]): string[] =>
  headings.map((_, at) => cells[at] ?? '')

const surveyOf = (rows: readonly Row[]): string[][] => {
  const used = columns.filter(([, cells]) => rows.some((row) => cells(row).some((cell) => cell !== '')))
  return [
    used.flatMap(([headings]) => headings),
    ...rows.map((row) => used.flatMap(([headings, cells]) => filled(headings, cells(row)))),
  ]
}

/** An empty row between two lists. */
const choicesOf = ({ choices, more }: Template): string[][] => {
  const headings = ['list_name', 'name', ...inLanguages('label'), ...(more === undefined ? [] : [more])]
  const lists = Object.entries(choices).map(([list, all]) => all.map((choice) => filled(headings, [list, ...choice])))
  return [headings, ...lists.flatMap((list, at) => (at === 0 ? list : [[], ...list]))]
}

const settingsOf = ({ title, id, instanceName = '' }: Template): string[][] => [
  ['form_title', 'form_id', 'default_language', ...(instanceName === '' ? [] : ['instance_name'])],
  [title, id, languages[0] ?? '', ...(instanceName === '' ? [] : [instanceName])],
]

export const sheetsOf = (template: Template): RawSheet[] => [
  sheetOf('survey', surveyOf(template.survey)),
  sheetOf('choices', choicesOf(template)),
  sheetOf('settings', settingsOf(template)),
]

// What many of them ask in the same way.

export const yesNo: readonly Choice[] = [
  ['yes', 'Yes', 'Oui'],
  ['no', 'No', 'Non'],
]

export const sexes: readonly Choice[] = [
  ['female', 'Female', 'Femme'],
  ['male', 'Male', 'Homme'],
]

/** When it was filled in: phones answer by themselves. */
export const times: readonly Row[] = [
  { type: 'start', name: 'start' },
  { type: 'end', name: 'end' },
  { type: 'today', name: 'today' },
]

/** Asked once: the next form has the last answer. */
export const enumerator: Row = {
  type: 'text',
  name: 'enumerator',
  label: ['Your name', 'Votre nom'],
  required: true,
  default: `\${last-saved#enumerator}`,
}

export const place = (name: string, label: Words): Row => ({
  type: 'geopoint',
  name,
  label,
  hint: [
    'Stand outside, and wait for an accuracy of 5 m or better.',
    'Placez-vous dehors et attendez une précision de 5 m ou mieux.',
  ],
  parameters: 'capture-accuracy=5 warning-accuracy=20',
})

export const photo = (name: string, label: Words, more: Partial<Row> = {}): Row => ({
  type: 'image',
  name,
  label,
  parameters: 'max-pixels=1600',
  ...more,
})

export const phoneNumber = (name: string, label: Words): Row => ({
  type: 'text',
  name,
  label,
  appearance: 'numbers',
  constraint: `regex(., '^\\+?[0-9 ]{7,16}$')`,
  message: ['Digits only, at least seven of them.', 'Des chiffres seulement, au moins sept.'],
})

export const remarks: Row = {
  type: 'text',
  name: 'remarks',
  label: ['Remarks', 'Remarques'],
  appearance: 'multiline',
}

export const group = (name: string, label: Words, rows: readonly Row[], more: Partial<Row> = {}): Row[] => [
  { type: 'begin_group', name, label, ...more },
  ...rows,
  { type: 'end_group' },
]

export const repeat = (name: string, label: Words, rows: readonly Row[], more: Partial<Row> = {}): Row[] => [
  { type: 'begin_repeat', name, label, ...more },
  ...rows,
  { type: 'end_repeat' },
]
