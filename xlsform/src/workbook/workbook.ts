import { limits } from '../limits.js'
import { fail } from '../problems.js'
import type { RawSheet, SheetRules } from './raw-sheet.js'

export const sheetNames = ['survey', 'choices', 'settings', 'external_choices', 'entities', 'osm'] as const
export type SheetName = (typeof sheetNames)[number]

export interface Workbook {
  sheets: Map<SheetName, RawSheet>
  /** Names of sheets with no meaning to a form; they feed hints at misspellings. */
  otherNames: string[]
}

/** What the sheets are to a form. */
export const workbookOf = (sheets: readonly RawSheet[]): Workbook => {
  const known = new Map<SheetName, RawSheet>()
  const otherNames: string[] = []
  for (const sheet of sheets) {
    const name = knownName(sheet.name)
    if (name === undefined) otherNames.push(sheet.name)
    else if (known.has(name)) failForSecond(name)
    else known.set(name, sheet)
  }
  const [only] = sheets
  if (sheets.length === 1 && known.size === 0 && only !== undefined) {
    refuseLongSurvey(only)
    return { sheets: new Map([['survey', only]]), otherNames: [] }
  }
  refuseLongSurvey(known.get('survey'))
  return { sheets: known, otherNames }
}

const refuseLongSurvey = (sheet: RawSheet | undefined): void => {
  // The first one is the header.
  if (sheet === undefined || sheet.rows.length - 1 <= limits.surveyRows) return
  fail('too-many-rows', `The sheet has more than ${limits.surveyRows} rows. Split the form into several.`, {
    sheet: sheet.name,
    row: sheet.rows[limits.surveyRows + 1]?.number ?? null,
  })
}

/** Taking one of the two would lose the questions of the other. */
const failForSecond = (name: SheetName): never =>
  fail('duplicate-sheet', `There are two sheets named '${name}'. Put all rows into one of them.`, { sheet: name })

/** The sheet of a form that this name means, whatever its case. */
export const knownName = (name: string): SheetName | undefined => {
  const wanted = name.trim().toLowerCase()
  return sheetNames.find((known) => known === wanted)
}

/** Those that a form is read from. A workbook of one sheet is the survey, whatever its name. */
export const sheetsOfForm = (names: readonly string[]): Set<string> =>
  new Set(names.length === 1 ? names : names.filter((name) => knownName(name) !== undefined))

/** By which rules each sheet is read. */
export const rulesBySheet = (names: readonly string[], rules: SheetRules | undefined) => {
  const ofForm = sheetsOfForm(names)
  return (name: string): SheetRules | undefined => (ofForm.has(name) ? rules : (rules?.aside ?? rules))
}
