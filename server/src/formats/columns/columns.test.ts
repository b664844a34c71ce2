import { compile } from '@sheaf/xlsform'
import { describe, expect, it } from 'vitest'
import { budgets } from '../../budgets.js'
import { fieldsOf } from '../form/index.js'
import { answerColumns, headingOf, labelOf, otherSlot, plainHeadings, shapeOf } from './index.js'

const shapeIn = (...sources: string[]) =>
  shapeOf(sources.map((source) => fieldsOf(compile(Buffer.from(source), { fileName: 'x.md' }).model)))

const head = '| survey |\n| | type | name | label |\n'

const headings = (shape: ReturnType<typeof shapeOf>, counts: Record<string, number>) =>
  answerColumns(shape, [], (repeat, entries) => counts[[repeat, ...entries].join()] ?? 0, { choices: 'instead' })
    .map((column) => headingOf(column, plainHeadings))
    .filter((name) => !name.startsWith('meta/'))

describe('the columns of a form', () => {
  const nested = shapeIn(
    `${head}| | text | a | A |\n| | begin group | g | G |\n| | begin repeat | r | R |\n| | text | b | B |\n| | begin repeat | s | S |\n| | text | c | C |\n| | end repeat | | |\n| | text | d | D |\n| | end repeat | | |\n| | end group | | |\n| | text | e | E |`,
  )

  it('repeats stand in place, entry by entry; nested ones after all columns of the outer one', () => {
    expect(headings(nested, { 'g/r': 2, 'g/r/s,0': 1, 'g/r/s,1': 2 })).toEqual([
      'a',
      'g/r[1]/b',
      'g/r[1]/d',
      'g/r[2]/b',
      'g/r[2]/d',
      'g/r[1]/s[1]/c',
      'g/r[2]/s[1]/c',
      'g/r[2]/s[2]/c',
      'e',
    ])
    expect(headings(nested, {})).toEqual(['a', 'e'])
  })

  it('budgets.columns.choices have a column each; questions beyond them have one for all of their choices', () => {
    const most = budgets.columns.choices
    const form = (count: number) =>
      `${head}| | select_multiple short | s | S |\n| | select_multiple long | l | L |\n| | select_multiple short | t | T |\n| choices |\n| | list_name | name | label |\n| | short | a | A |\n${Array.from({ length: count }, (_, index) => `| | long | c${index} | C |`).join('\n')}`
    const all = headings(shapeIn(form(most - 1)), {})
    expect([all[0], all[1], all[most - 1], all[most]]).toEqual(['s/a', 'l/c0', `l/c${most - 2}`, 't'])
    expect(headings(shapeIn(form(most - 2)), {})).toHaveLength(most)
    expect(headings(shapeIn(form(most)), {})).toEqual(['s/a', 'l', 't/a'])
  })

  it('a question that moved into a repeat has both columns; a note and form/uuid have none', () => {
    const shape = shapeIn(
      `${head}| | begin group | g | G |\n| | text | b | B |\n| | end group | | |\n| | note | n | N |`,
      `${head}| | begin repeat | g | G |\n| | text | b | B |\n| | end repeat | | |`,
    )
    expect(headings(shape, { g: 1 })).toEqual(['g[1]/b', 'g/b'])
    expect(shape.slotsOf('g/b').map(({ repeats }) => repeats)).toEqual([['g'], []])
  })

  it('what was a text in a former version is not split by choices', () => {
    const choices = '\n| choices |\n| | list_name | name | label |\n| | l | x | X |'
    expect(
      headings(shapeIn(`${head}| | text | q | Q |`, `${head}| | select_multiple l | q | Q |${choices}`), {}),
    ).toEqual(['q'])
    expect(headings(shapeIn(`${head}| | select_multiple l | q | Q |${choices}`), {})).toEqual(['q/x'])
  })

  it('labels are those of the language, names where there is none', () => {
    const shape = shapeIn(
      '| survey |\n| | type | name | label::English | label::French |\n| | text | q | Dog | Chien |',
    )
    const [column] = answerColumns(shape, [], () => 0, { choices: 'instead' })
    if (column === undefined) throw new Error('There is no column')
    expect(labelOf(column, shape, { ...plainHeadings, language: 'French' })).toBe('Chien')
    expect(labelOf(column, shape, plainHeadings)).toBe('Dog')
    const other = { kind: 'answer', slot: otherSlot('g/x', []), entries: [] } as const
    expect(labelOf(other, shape, plainHeadings)).toBe('g/x')
  })
})
