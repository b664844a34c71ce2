import { compile } from '@sheaf/xlsform'
import { describe, expect, it } from 'vitest'
import { budgets } from '../../budgets.js'
import { type Field, fieldsOf } from '../form/index.js'
import { answerColumns, type FormShape, headingOf, labelOf, otherSlot, plainHeadings, shapeOf } from './index.js'

const shapeIn = (...sources: string[]) =>
  shapeOf(sources.map((source) => fieldsOf(compile(Buffer.from(source), { fileName: 'x.md' }).model)))

const head = '| survey |\n| | type | name | label |\n'

const headings = (shape: FormShape, counts: Record<string, number>) =>
  answerColumns(shape, [], (repeat, entries) => counts[[repeat, ...entries].join()] ?? 0, { choices: 'instead' })
    .map((column) => headingOf(column, plainHeadings))
    .filter((name) => !name.startsWith('meta/'))

describe('the columns of a form', () => {
  const nestedForm = shapeIn(
    `${head}| | text | a | A |\n| | begin group | g | G |\n| | begin repeat | r | R |\n| | text | b | B |\n| | begin repeat | s | S |\n| | text | c | C |\n| | end repeat | | |\n| | text | d | D |\n| | end repeat | | |\n| | end group | | |\n| | text | e | E |`,
  )

  it('repeats stand in place, entry by entry; nested ones after all columns of the outer one', async () => {
    const nested = await nestedForm
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

  it('budgets.columns.choices have a column each; questions beyond them have one for all of their choices', async () => {
    const most = budgets.columns.choices
    const form = (count: number) =>
      `${head}| | select_multiple short | s | S |\n| | select_multiple long | l | L |\n| | select_multiple short | t | T |\n| choices |\n| | list_name | name | label |\n| | short | a | A |\n${Array.from({ length: count }, (_, index) => `| | long | c${index} | C |`).join('\n')}`
    const all = headings(await shapeIn(form(most - 1)), {})
    expect([all[0], all[1], all[most - 1], all[most]]).toEqual(['s/a', 'l/c0', `l/c${most - 2}`, 't'])
    expect(headings(await shapeIn(form(most - 2)), {})).toHaveLength(most)
    expect(headings(await shapeIn(form(most)), {})).toEqual(['s/a', 'l', 't/a'])
  })

  it('budgets.columns.points have four columns more; points beyond them have one', async () => {
    const most = budgets.columns.points
    const form = (count: number) =>
      `${head}${Array.from({ length: count }, (_, index) => `| | geopoint | p${index} | P |`).join('\n')}`
    const all = headings(await shapeIn(form(most + 1)), {})
    expect(all.slice(-6)).toEqual([
      ...[`p${most - 1}`, ...['latitude', 'longitude', 'altitude', 'precision'].map((part) => `_p${most - 1}_${part}`)],
      `p${most}`,
    ])
    expect(headings(await shapeIn(form(most)), {})).toHaveLength(5 * most)
  })

  it('choices of a list that many questions share, in every version, are put together once', async () => {
    const choices = (...names: string[]) =>
      `\n| choices |\n| | list_name | name | label |\n${names.map((name) => `| | l | ${name} | ${name} |`).join('\n')}`
    const questions = Array.from({ length: 20 }, (_, index) => `| | select_one l | q${index} | Q |`).join('\n')
    const shape = await shapeIn(head + questions + choices('a', 'b'), head + questions + choices('b', 'c'))
    expect(shape.questions[0]?.choices?.map(({ name }) => name)).toEqual(['b', 'c', 'a'])
    expect(new Set(shape.questions.map((slot) => slot.choices)).size).toBe(1)
    const doubled = `${head}| | select_one l | q | Q |${choices('a', 'b')}`
    const version = fieldsOf(compile(Buffer.from(doubled), { fileName: 'x.md' }).model)
    const [field] = version.fields.filter(({ key }) => key === 'q')
    const twice = {
      ...version,
      fields: [{ ...(field as Field), choices: [0, 0].map((at) => field?.choices?.[at] as never) }],
    }
    expect((await shapeOf([version, twice])).questions[0]?.choices?.map(({ name }) => name)).toEqual(['a', 'b'])
  })

  it('of many versions are put together in turns', async () => {
    const source = `${head}${Array.from({ length: 4000 }, (_, index) => `| | text | q${index} | Q |`).join('\n')}`
    const version = fieldsOf(compile(Buffer.from(source), { fileName: 'x.md' }).model)
    const versions = Array.from({ length: 10 }, (_, number) => ({
      ...version,
      fields: version.fields.map((field) => ({ ...field, key: `v${number}/${field.key}` })),
    }))
    let turns = 0
    let isDone = false
    const others = (async () => {
      for (; !isDone; turns++) await new Promise((resolve) => setImmediate(resolve))
    })()
    expect((await shapeOf(versions)).questions.length).toBeGreaterThanOrEqual(40_000)
    isDone = true
    await others
    expect(turns).toBeGreaterThan(10)
  })

  it('a question that moved into a repeat has both columns; a note and form/uuid have none', async () => {
    const shape = await shapeIn(
      `${head}| | begin group | g | G |\n| | text | b | B |\n| | end group | | |\n| | note | n | N |`,
      `${head}| | begin repeat | g | G |\n| | text | b | B |\n| | end repeat | | |`,
    )
    expect(headings(shape, { g: 1 })).toEqual(['g[1]/b', 'g/b'])
    expect(shape.slotsOf('g/b').map(({ repeats }) => repeats)).toEqual([['g'], []])
  })

  it('what was a text in a former version is not split by choices', async () => {
    const choices = '\n| choices |\n| | list_name | name | label |\n| | l | x | X |'
    expect(
      headings(await shapeIn(`${head}| | text | q | Q |`, `${head}| | select_multiple l | q | Q |${choices}`), {}),
    ).toEqual(['q'])
    expect(headings(await shapeIn(`${head}| | select_multiple l | q | Q |${choices}`), {})).toEqual(['q/x'])
  })

  it('labels are those of the language, names where there is none', async () => {
    const shape = await shapeIn(
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
