// Adds columns for a language to a workbook, to be filled in: node translate.mjs visit.xlsx "French (fr)" > translated.xlsx
import { readFileSync } from 'node:fs'
import { gridOf, readSheetsSync, sheetOf, writeWorkbook } from '@sheaf/xlsform'

const [path = '', language = ''] = process.argv.slice(2)
const translated = ['label', 'hint', 'constraint_message', 'required_message']

const withLanguage = (sheet) => {
  const grid = gridOf(sheet)
  const has = (heading) => grid[0]?.some((cell) => cell === heading || cell.startsWith(`${heading}::`))
  const missing = translated.filter(has).map((heading) => `${heading}::${language}`)
  grid[0]?.push(...missing.filter((heading) => !grid[0].includes(heading)))
  return sheetOf(sheet.name, grid)
}

const isAsked = ({ name }) => name === 'survey' || name === 'choices'
const sheets = readSheetsSync(readFileSync(path)).map((sheet) => (isAsked(sheet) ? withLanguage(sheet) : sheet))
process.stdout.write(await writeWorkbook(sheets))
