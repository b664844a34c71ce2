import { describe, expect, it } from 'vitest'
import { comparedValues } from '../src/references/compared-values.js'
import { form } from './support/compile.js'
import { choices, sheet, survey } from './support/mistakes.js'

const selects = [
  'select_one yn | one | One | |',
  'select_multiple yn | many | Many | |',
  'select_one codes | code | Code | |',
  'select_one yn or_other | open | Open | |',
  'select_one found | searched | Searched | | search("file")',
  'select_one_from_file villages.csv | village | Village | |',
  'text | word | Word | |',
]
const codes = sheet('choices', [
  'list_name | name | label',
  'yn | yes | Yes',
  'yn | no | Not at all',
  'codes | 1 | One',
  'codes | 02 | Two',
  'found | key | label',
])

const saidOf = (condition: string): string[] =>
  form(
    `${survey('type | name | label | relevant | appearance', ...selects, `note | n | N | ${condition} |`)}\n${codes}`,
  )
    .warnings.filter(({ code }) => code === 'unknown-choice')
    .map(({ message }) => message)

describe('a value that a list of choices does not have', () => {
  it.each([
    ["${one} = 'x'", ["The list 'yn' has no choice 'x', which 'one' is compared with."]],
    ["${one} != 'yess'", ["The list 'yn' has no choice 'yess', which 'one' is compared with. Did you mean 'yes'?"]],
    ["'nein' = ${one}", ["The list 'yn' has no choice 'nein', which 'one' is compared with."]],
    ['selected(${many}, "Not at all")', [expect.stringContaining("Did you mean 'no'?")]],
    ["not(selected( ${many} , 'x')) and ${word} = 'x'", [expect.stringContaining("no choice 'x'")]],
    ["${many} = 'yes x'", [expect.stringContaining("no choice 'x'")]],
    ["if(${one} = 'a', ${one} = 'b', 1)", [expect.stringContaining("'a'"), expect.stringContaining("'b'")]],
    ['${code} = 3', [expect.stringContaining("no choice '3'")]],
    ["${open} = 'others'", [expect.stringContaining("Did you mean 'other'?")]],
  ])('is told in %s', (condition, said) => {
    expect(saidOf(condition)).toEqual(said)
  })

  it.each([
    "${one} = 'yes' or ${one} != \"no\" or ${one} = ''",
    "selected(${many}, 'no') and ${many} = 'yes no'",
    '${code} = 1 or ${code} = 2 or 1 = ${code}',
    "${open} = 'other'",
    "${searched} = 'anything'",
    "${village} = 'anything'",
    "${word} = 'anything'",
    '${one} = ${word} or ${one} = string(5)',
    "concat(${one}, 'x') = 'yesx' or 'a' = concat('a', ${one})",
    "instance('yn')/root/item[name = ${one}]/label = 'Yes'",
    "${one} + 1 = '3' or 2 * ${code} = 4 or ${code} = 4 div 2",
    "jr:choice-name(${one}, '${one}') = 'Yes'",
    "${code} = ${one} = 'true'",
    "${last-saved#one} = 'former'",
  ])('is not seen in %s', (condition) => {
    expect(saidOf(condition)).toEqual([])
  })

  it('is not told of a question whose answer may be something else: calculated, set by another, or its default', () => {
    const rows = [
      "select_one yn | calculated | C | if(1 = 1, 'na', 'yes') | | | |",
      'select_one yn | begun | B | | dk | | |',
      "select_one yn | dynamic | D | | concat('x', '') | | |",
      "select_one yn | triggered | T | 'x' | | ${begun} | |",
      "note | n | N | | | | ${calculated} = 'na' or ${begun} = 'dk' or ${dynamic} = 'x' or ${triggered} = 'x' |",
      "select_one yn | filtered | F | | | | | . != 'gone'",
    ]
    const columns = 'type | name | label | calculation | default | trigger | relevant | choice_filter'
    expect(form(`${survey(columns, ...rows)}\n${choices}`).warnings.map(({ code }) => code)).not.toContain(
      'unknown-choice',
    )
  })

  it('is told where a question compares itself, but not of items that a predicate looks at', () => {
    const { warnings } = form(
      `${survey('type | name | label | constraint', "select_multiple yn | a | A | not(selected(., 'none')) and count(instance('yn')/root/item/name[. = 'zz']) = 0")}\n${choices}`,
    )
    expect(warnings.map(({ code, row, column, message }) => [code, row, column, message])).toEqual([
      [
        'unknown-choice',
        2,
        'constraint',
        "The list 'yn' has no choice 'none', which 'a' is compared with. Did you mean 'no'?",
      ],
    ])
  })

  // Read from every character anew, each of these would take minutes.
  it.each(["'", '"', '${', '${a', '.', '[', 'selected(', "'' "])(
    'is looked for in one walk through the text, also one of %s alone',
    (piece) => {
      expect(comparedValues(piece.repeat(200_000))).toEqual([])
    },
  )
})
