import { editDistance } from './nearest.js'
import type { ProblemList } from './problems.js'
import type { SheetName, Workbook } from './workbook/workbook.js'

const lookAlikes = (name: SheetName, workbook: Workbook): string[] =>
  workbook.otherNames.filter((other) => !other.startsWith('_') && editDistance(other.toLowerCase(), name, 2) <= 2)

/** ` Did you mean …?` for a sheet that is not there. */
export const missingSheetHint = (name: SheetName, workbook: Workbook): string => {
  const found = lookAlikes(name, workbook)
  return found.length === 0
    ? ''
    : ` Rename ${found.map((other) => `'${other}'`).join(' or ')} to '${name}', if that is the sheet.`
}

/** A misspelt optional sheet would be ignored in silence. */
export const warnOfMisspeltSheets = (workbook: Workbook, warnings: ProblemList): void => {
  for (const name of ['settings', 'entities', 'external_choices', 'osm'] as const) {
    if (workbook.sheets.has(name)) continue
    for (const other of name === 'osm' ? [] : lookAlikes(name, workbook))
      warnings.add(
        'misspelt-sheet',
        `The sheet '${other}' is ignored. Rename it to '${name}', if that is what it holds.`,
        {
          sheet: other,
          value: other,
        },
      )
  }
}
