import { expect, it } from 'vitest'
import { problemsOf } from './compile.js'

export const sheet = (name: string, rows: string[]): string =>
  [`| ${name} |`, ...rows.map((row) => `| | ${row} |`)].join('\n')

export const survey = (header: string, ...rows: string[]): string => sheet('survey', [header, ...rows])

export const choices = sheet('choices', ['list_name | name | label', 'yn | yes | Yes', 'yn | no | No'])

export const plain = survey('type | name | label', 'text | a | A')

/** Sheets in, problems out. */
export interface Mistake {
  sheets: string
  /** `sheet row column: code` of every problem, in order. */
  problems: string[]
  /** What the first message must say. */
  says: RegExp
}

export const testMistakes = (mistakes: Record<string, Mistake>): void => {
  it.each(Object.entries(mistakes))('%s', (_, { sheets, problems, says }) => {
    const found = problemsOf(sheets)
    expect(
      found.map(({ sheet: name, row, column, code }) => `${name} ${row ?? '-'} ${column ?? '-'}: ${code}`),
    ).toEqual(problems)
    expect(found[0]?.message).toMatch(says)
  })
}
