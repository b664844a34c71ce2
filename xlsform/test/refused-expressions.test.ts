import { describe, expect, it } from 'vitest'
import { form, problemsOf } from './support/compile.js'
import { sheet, survey } from './support/mistakes.js'

const faults: [string, RegExp][] = [
  ['unknown::a', /'unknown::' is no axis/],
  ["${a} ≥ 'x'", /'≥' is not understood/],
  ['${a} <> 1', /'<>' is no operator/],
  ['${a} ; 1', /';' is not understood/],
]

const choices = sheet('choices', ['list_name | name | label', 'l | a | A'])
const rows = (column: string, value: string, type = 'text'): string =>
  `${survey(`type | name | label | ${column}`, 'text | a | A |', `${type} | q | Q | ${value}`, `${type} | r | R |`)}\n${choices}`

describe('what no client could read is refused', () => {
  it.each(
    faults.flatMap(([value, says]) =>
      [
        ['relevant', 'text'],
        ['constraint', 'text'],
        ['required', 'text'],
        ['read_only', 'text'],
        ['calculation', 'text'],
        ['choice_filter', 'select_one l'],
        ['choice_filter', 'select_one ${a}'],
      ].map(([column = '', type = '']): [string, string, string, RegExp] => [column, type, value, says]),
    ),
  )('in %s of %s: %s', (column, type, value, says) => {
    const found = problemsOf(rows(column, value, type))
    expect(found.map(({ code, row, column: own }) => [code, row, own])).toEqual([['invalid-expression', 3, column]])
    expect(found[0]?.message).toMatch(says)
  })

  it.each(faults)('in the calculation of a trigger, once for all that trigger it: %s', (value, says) => {
    const found = problemsOf(
      survey(
        'type | name | label | trigger | calculation',
        'text | a | A | |',
        'text | b | B | |',
        `text | c | C | \${a}, \${b} | ${value}`,
      ),
    )
    expect(found.map(({ code, row, column }) => [code, row, column])).toEqual([
      ['invalid-expression', 4, 'calculation'],
    ])
    expect(found[0]?.message).toMatch(says)
  })

  it.each(faults)('in the count of a repeat, the name of a record and the columns of entities: %s', (value) => {
    const repeat = survey(
      'type | name | label | repeat_count',
      'text | a | A |',
      `begin repeat | r | R | ${value}`,
      'text | b | B |',
      'end repeat | | |',
    )
    const named = `${rows('hint', 'H')}\n${sheet('settings', ['instance_name', value])}`
    const saved = `${rows('hint', 'H')}\n${sheet('entities', [
      'list_name | label | entity_id | create_if | update_if',
      `trees | ${value} | ${value} | ${value} | ${value}`,
    ])}`
    expect(problemsOf(repeat).map(({ code }) => code)).toEqual(['invalid-expression'])
    expect(problemsOf(named).map(({ code }) => code)).toEqual(['invalid-expression'])
    expect(new Set(problemsOf(saved).map(({ column }) => column))).toEqual(
      new Set(['label', 'entity_id', 'create_if', 'update_if']),
    )
  })

  it.each([
    "instance('l')/root/item[name <> ${a}]/label",
    "instance('l')/root/item[name ≠ ${a}]/label",
    "instance('l')/root/unknown::item",
    "instance('l')/root/item[name = 'x]/label",
  ])('in what a text shows of an instance: %s', (path) => {
    for (const column of ['label', 'hint', 'guidance_hint', 'constraint_message', 'label::French (fr)']) {
      const header = column.startsWith('label') ? `type | name | ${column}` : `type | name | label | ${column}`
      const row = column.startsWith('label') ? `text | q | See ${path} there` : `text | q | Q | See ${path} there \${a}`
      const first = column.startsWith('label') ? 'text | a | A' : 'text | a | A |'
      const found = problemsOf(`${survey(header, first, row)}\n${choices}`)
      expect(found.map(({ code, row: at, column: own }) => [code, at, own])).toEqual([
        ['invalid-expression', 3, column],
      ])
    }
    const labels = sheet('choices', ['list_name | name | label', `l | a | A ${path} \${a}`])
    expect(problemsOf(`${survey('type | name | label', 'select_one l | a | A')}\n${labels}`)).toMatchObject([
      { code: 'invalid-expression', sheet: 'choices', row: 2, column: 'label' },
    ])
  })

  it('while texts may hold any of it', () => {
    const text = 'a <> b; c ≥ d, child::x, unknown::y & ${a} – 5€'
    const { xform } = form(
      survey('type | name | label | hint | default', 'text | a | A | |', `text | q | ${text} | ${text} | a ≠ b`),
    )
    expect(xform).toContain(
      '<label> a &lt;&gt; b; c ≥ d, child::x, unknown::y &amp; <output value=" /data/a "/> – 5€ </label>',
    )
    expect(xform).toContain('<q>a ≠ b</q>')
  })
})
