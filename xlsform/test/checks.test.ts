// The README's table of what is checked, held against the compiler. `UPDATE_README=1` writes it anew.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { placeOf } from '../src/language.js'
import { formatProblem } from '../src/problems.js'
import { gridOf } from '../src/sheets.js'
import { readSheetsSync } from '../src/workbook/read-workbook.js'
import { checks, type Found, foundIn, otherCodes } from './support/checks.js'
import { text } from './support/workbooks.js'

const readme = `${import.meta.dirname}/../README.md`
const start = '<!-- checks: made from test/support/checks.ts -->\n'
const end = '<!-- end of checks -->'

const inCell = (message: string): string => message.replaceAll('|', '\\|').replaceAll('<', '&lt;').replace(/\s+/g, ' ')

const rowOf = (code: string, sheets: string): string => {
  const found = foundIn(sheets, code)
  if (found === undefined) throw new Error(`The form for ${code} does not have it.`)
  return `| \`${code}\`${found.isWarning ? ' ⚠' : ''} | ${inCell(formatProblem(found.problem))} |`
}

const table = (): string =>
  [
    ...Object.entries(checks).flatMap(([heading, forms]) => [
      `### ${heading}`,
      '',
      '| code | for example |',
      '|---|---|',
      ...Object.entries(forms).map(([code, sheets]) => rowOf(code, sheets)),
      '',
    ]),
    '### Files and bounds',
    '',
    '| code | |',
    '|---|---|',
    ...Object.entries(otherCodes).map(([code, words]) => `| \`${code}\` | ${words} |`),
    '',
  ].join('\n')

it('the README says what is checked, in the words of the compiler', () => {
  const written = readFileSync(readme, 'utf8')
  const [before = '', rest = ''] = written.split(start)
  const [former, after = ''] = rest.split(end)
  if (process.env.UPDATE_README !== undefined) writeFileSync(readme, `${before}${start}${table()}${end}${after}`)
  else expect(former).toBe(table())
})

it('every code that the source has is there, and no other', () => {
  const folder = `${import.meta.dirname}/../src`
  const source = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => readFileSync(`${folder}/${name}`, 'utf8'))
    .join('\n')
  const said = new Set(
    [...source.matchAll(/(?:\b(?:add|fail|report)\(|\bcode:|#(?:report|warn)\()\s*'([a-z]+(?:-[a-z]+)*)'/g)].map(
      ([, code]) => code,
    ),
  )
  const listed = [...Object.values(checks).flatMap((forms) => Object.keys(forms)), ...Object.keys(otherCodes)]
  expect(new Set(listed).size).toBe(listed.length)
  expect([...said].sort()).toEqual(listed.sort())
})

it.each(Object.values(checks).flatMap((forms) => Object.entries(forms)))(
  '%s stands at its cell of a grid, or at its row where there is no such column',
  (code, sheets) => {
    const grids = readSheetsSync(text(sheets))
    const { problem } = foundIn(sheets, code) as Found
    const sheet = grids.find(({ name }) => name === problem.sheet)
    const [header = []] = sheet === undefined ? [] : gridOf(sheet)
    const column = header.lastIndexOf(problem.column ?? '')
    expect(placeOf(problem, grids)).toEqual(
      sheet === undefined
        ? null
        : { sheet: sheet.name, row: problem.row, column: column === -1 ? null : expect.any(Number) },
    )
  },
)
