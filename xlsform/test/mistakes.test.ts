import { describe, expect, it } from 'vitest'
import { formatProblem, XlsFormError } from '../src/problems.js'
import { form, problemsOf } from './support/compile.js'
import { sheet, survey } from './support/mistakes.js'

describe('problems', () => {
  it('all of them are reported at once, in the order of the sheets', () => {
    const sheets = `${sheet('choices', ['list_name | name', 'l | a', 'l | a'])}\n${survey('type | name | label', 'txt | a | A', 'text | a | A', 'end group | |')}`
    expect(problemsOf(sheets).map(({ code }) => code)).toEqual([
      'unknown-type',
      'duplicate-name',
      'unmatched-end',
      'duplicate-choice',
    ])
  })

  it('carry the offending value and print as one line each', () => {
    const [problem] = problemsOf(survey('type | name | label', 'txet | a | A'))
    expect(problem).toEqual({
      code: 'unknown-type',
      message: "Unknown question type 'txet'. Did you mean 'text'?",
      sheet: 'survey',
      row: 2,
      column: 'type',
      value: 'txet',
    })
    expect(problem && formatProblem(problem)).toBe(
      "survey row 2, column type: Unknown question type 'txet'. Did you mean 'text'?",
    )
    expect(new XlsFormError(problem ? [problem, problem] : []).message.split('\n')).toHaveLength(2)
  })

  it('an unlabelled question is only a warning where the caller says so', () => {
    const { warnings } = form(survey('type | name | label', 'text | a |'), { allowUnlabelled: true })
    expect(warnings.map(({ code, row }) => [code, row])).toEqual([['missing-label', 2]])
  })

  it('thousands of unknown references are reported without slow hints', () => {
    const rows = Array.from({ length: 3000 }, (_, index) => `text | question_${index} | Q | \${qeustion_x${index}} = 1`)
    const start = performance.now()
    expect(problemsOf(survey('type | name | label | relevant', ...rows))).toHaveLength(3000)
    expect(performance.now() - start).toBeLessThan(15_000)
  })
})
