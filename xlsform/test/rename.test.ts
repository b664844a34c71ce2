import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  compileSheets,
  gridOf,
  moveReferences,
  type NamedKind,
  type RawSheet,
  renameQuestion,
  renameReferences,
  sheetOf,
} from '../src/sheets.js'
import { readSheetsSync } from '../src/workbook/read-workbook.js'
import { corpus } from './support/outcomes.js'
import { randomForm } from './support/random-forms.js'
import { text } from './support/workbooks.js'

/** No form has it, and none that could be mistaken for it. */
const fresh = 'zq_renamed_qz'

const survey = (...rows: string[][]): RawSheet => sheetOf('survey', rows)
const cells = (sheets: readonly RawSheet[]): string[][][] => sheets.map(gridOf)

interface Named {
  readonly row: number
  readonly name: string
}

/** What the survey names, each name once. */
const namesOf = (sheets: readonly RawSheet[]): Named[] => {
  const [header = [], ...rows] = gridOf(sheets.find(({ name }) => name.trim().toLowerCase() === 'survey') as RawSheet)
  const column = header.findIndex((one) => /^(?:name|value|tag)$/i.test(one.trim()))
  const type = header.findIndex((one) => /^(?:type|command)$/i.test(one.trim()))
  const found = rows.map((row, index) => ({
    row: index + 2,
    name: row[column]?.trim() ?? '',
    type: row[type]?.trim() ?? '',
  }))
  const isQuestion = ({ name, type: one }: { name: string; type: string }): boolean =>
    // A name with a placeholder is several names.
    name !== '' &&
    !name.includes('%(') &&
    !/^(?:form_title|form_id|set form|prefix|(?:csv|xml)-external|audit|end)/.test(one)
  return found.filter((one) => isQuestion(one) && found.filter(({ name }) => name === one.name).length === 1)
}

const listsOf = (sheets: readonly RawSheet[], home: NamedKind): string[] => {
  const sheet = sheets.find(({ name }) => name === home)
  if (sheet === undefined) return []
  const [header = [], ...rows] = gridOf(sheet)
  const column = header.findIndex((one) => /^(?:list[ _]name|dataset)$/i.test(one))
  return [...new Set(rows.map((row) => row[column] ?? ''))].filter((name) => name !== '')
}

/** There is another name, and nothing else is different; back again is where it came from. */
const expectOnlyRenamed = (sheets: RawSheet[], { row, name }: Named): void => {
  const options = { allowUnlabelled: true }
  const before = compileSheets(sheets, options).xform
  const renamed = renameQuestion(sheets, row, fresh)
  const compiled = compileSheets(renamed, options)
  expect(compiled.xform.replaceAll(fresh, name), name).toBe(before)
  // Of groups of a flat form and of disabled rows there is nothing in it.
  expect(compiled.xform.includes(`/${fresh}"`), name).toBe(before.includes(`/${name}"`))
  expect(renameQuestion(renamed, row, name)).toEqual(sheets)
}

describe('a question, group or repeat is renamed', () => {
  it.each(corpus)('in %s with all that refers to it, and nothing else', (_, bytes) => {
    const sheets = readSheetsSync(bytes)
    for (const named of namesOf(sheets)) expectOnlyRenamed(sheets, named)
  })

  it('in any form with all that refers to it, and nothing else', () => {
    fc.assert(
      fc.property(randomForm, (csv) => {
        const sheets = readSheetsSync(text(csv))
        for (const named of namesOf(sheets).slice(0, 6)) expectOnlyRenamed(sheets, named)
      }),
      { numRuns: 40 },
    )
  })

  it('in every column of every sheet of the form', () => {
    const uses = ['${age}', '${last-saved#age}', 'You are ${age}.', "'${age}' = 1"]
    const sheets = [
      survey(
        ['type', 'name', 'label::French (fr)', 'relevant', 'repeat_count', 'choice_filter', 'trigger', 'default'],
        ['text', 'b', ...uses, ...uses],
      ),
      sheetOf('choices', [
        ['list_name', 'name', 'label'],
        ['l', 'c', '${age}'],
      ]),
      sheetOf('settings', [['instance_name'], ['concat(${age}, 1)']]),
      sheetOf('entities', [
        ['list_name', 'label', 'repeat'],
        ['trees', '${age}', '${age}'],
      ]),
    ]
    expect(cells(renameReferences(sheets, 'age', 'years'))).toEqual(
      cells(sheets).map((grid) => grid.map((row) => row.map((one) => one.replaceAll('age}', 'years}')))),
    )
  })

  it.each([
    'age',
    "'age'",
    '${ages}',
    '${age_b}',
    '${Age}',
    '$age',
    '{age}',
    '${ age }',
    '${last-saved#ages}',
    "instance('age')/root/item[age = 1]/age",
    '/age/x',
    '../ages',
    "pulldata('age', 'age', 'age', 1)",
  ])('and what only looks alike stays: %s', (cell) => {
    const sheets = [survey(['type', 'name', 'label', 'relevant'], ['text', 'b', cell, cell])]
    expect(renameReferences(sheets, 'age', 'years')).toEqual(sheets)
  })

  it.each([
    ['../age > 5', '../years > 5'],
    ['/data/person/age', '/data/person/years'],
    ['/data/age/age', '/data/years/years'],
    ["current()/../age = 'age'", "current()/../years = 'age'"],
    ["instance('l')/root/item[age = current()/../age]/age", "instance('l')/root/item[age = current()/../years]/age"],
    ["instance('__last-saved')/data/age", "instance('__last-saved')/data/years"],
    ['1 * ../age div ../age', '1 * ../years div ../years'],
    ['count(../age[. > 1]) + ${b}/../age', 'count(../years[. > 1]) + ${b}/../age'],
    ['../g[age > 1]/age', '../g[age > 1]/years'],
    ["../age = 'not closed", "../age = 'not closed"],
  ])('in paths that authors write: %s', (before, after) => {
    const sheets = [survey(['type', 'name', 'label', 'relevant'], ['text', 'b', '../age', before])]
    expect(cells(renameReferences(sheets, 'age', 'years'))[0]?.[1]).toEqual(['text', 'b', '../age', after])
  })

  it('with the names that the compiler makes of its own', () => {
    const sheets = [
      survey(
        ['type', 'name', 'label', 'relevant', 'repeat_count'],
        ['select_one l or_other', 'q', 'Q', '', ''],
        ['begin repeat', 'r', 'R', "${q_other} != ''", '1 + 1'],
        ['text', 'a', 'A', '${r_count} > 1', ''],
        ['end repeat', '', '', '', ''],
      ),
      sheetOf('choices', [
        ['list_name', 'name', 'label'],
        ['l', 'a', 'A'],
      ]),
    ]
    const renamed = renameQuestion(renameQuestion(sheets, 2, 'choice'), 3, 'round')
    expect(gridOf(renamed[0] as RawSheet).map((row) => row[3])).toEqual([
      'relevant',
      '',
      "${choice_other} != ''",
      '${round_count} > 1',
      '',
    ])
    expect(() => compileSheets(renamed)).not.toThrow()
  })

  it('alone where another row has the former name: a copy that gets its own takes nothing along', () => {
    const sheets = [
      survey(
        ['type', 'name', 'label', 'relevant'],
        ['integer', 'age', 'A', ''],
        ['integer', 'age', 'A', ''],
        ['text', 'b', 'B', '${age} > 1'],
      ),
    ]
    const [renamed] = renameQuestion(sheets, 3, 'years')
    expect(
      gridOf(renamed as RawSheet)
        .slice(1)
        .map(([, name, , relevant]) => [name, relevant]),
    ).toEqual([
      ['age', ''],
      ['years', ''],
      ['b', '${age} > 1'],
    ])
  })

  it('alone where another row has the new name, so that what referred to it is not taken for the other', () => {
    const sheets = [
      survey(
        ['type', 'name', 'label', 'relevant'],
        ['integer', 'kid_age', 'A', ''],
        ['integer', 'age', 'A', ''],
        ['text', 'b', 'B', '${kid_age} > 1'],
      ),
    ]
    const relevants = (all: RawSheet[]) => gridOf(all[0] as RawSheet).map((row) => row[3])
    const through = renameQuestion(sheets, 2, 'age')
    expect(relevants(through)[3]).toBe('${kid_age} > 1')
    expect(relevants(renameQuestion(through, 2, 'age_of_kid'))[3]).toBe('${kid_age} > 1')
  })

  it('at once with others, so that two may get each other’s name, with the names that are made of theirs', () => {
    const sheets = [
      survey(
        ['type', 'name', 'relevant'],
        ['select_one yn or_other', 'b', ''],
        ['integer', 'a', '${a_other} = 1 and ${b_other} = 1'],
        ['text', 'between', '${a} = ${b} + ${last-saved#a} + /data/b'],
      ),
    ]
    const moves = [
      { row: 2, from: 'a', to: 'b' },
      { row: 3, from: 'b', to: 'a' },
    ]
    expect(gridOf(moveReferences(sheets, moves)[0] as RawSheet).map((row) => row[2])).toEqual([
      'relevant',
      '',
      '${b_other} = 1 and ${b_other} = 1',
      '${b} = ${a} + ${last-saved#b} + /data/a',
    ])
    expect(moveReferences(sheets, [])).toEqual(sheets)
  })

  it('and rows without a use of the name are the same objects', () => {
    const sheets = [
      survey(['type', 'name', 'relevant'], ['text', 'a', ''], ['text', 'b', '${a} = 1']),
      sheetOf('choices', [['list_name']]),
    ]
    const renamed = renameReferences(sheets, 'a', 'c')
    expect(renamed[1]).toBe(sheets[1])
    expect(renamed[0]?.rows[1]).toBe(sheets[0]?.rows[1])
    expect(renamed[0]?.rows[2]).not.toBe(sheets[0]?.rows[2])
  })
})

describe('a list is renamed', () => {
  it.each(corpus)('in %s with all that uses it, and nothing else', (_, bytes) => {
    const sheets = readSheetsSync(bytes)
    for (const home of ['choices', 'external_choices', 'osm', 'entities'] as const)
      for (const list of listsOf(sheets, home)) {
        const renamed = renameReferences(sheets, list, fresh, home)
        expect(compileSheets(renamed).xform.replaceAll(fresh, list), list).toBe(compileSheets(sheets).xform)
        expect(renameReferences(renamed, fresh, list, home)).toEqual(sheets)
      }
  })

  it.each([
    ['type', 'select_one  fruit', 'select_one  food'],
    ['type', 'select_multiple fruit or_other', 'select_multiple food or_other'],
    ['type', 'select all that apply from fruit or specify other', 'select all that apply from food or specify other'],
    ['type', 'begin loop over fruit', 'begin loop over food'],
    ['type', 'rank fruit', 'rank food'],
    ['type', 'select_one fruits', 'select_one fruits'],
    ['type', 'select_one_from_file fruit.csv', 'select_one_from_file fruit.csv'],
    ['type', 'select_one_external fruit', 'select_one_external fruit'],
    ['parameters', 'start=1 tick_labelset = fruit', 'start=1 tick_labelset = food'],
    ['parameters', 'seed=fruit', 'seed=fruit'],
    [
      'calculation',
      "instance('fruit')/root/item[name = 'fruit']/label",
      "instance('food')/root/item[name = 'fruit']/label",
    ],
    ['calculation', 'count(instance( "fruit" )/root/item)', 'count(instance( "food" )/root/item)'],
    ['label', "Like instance('fruit')/root/item[1]/label, fruit.", "Like instance('food')/root/item[1]/label, fruit."],
    ['appearance', "search('fruit')", "search('fruit')"],
  ])('in the column %s: %s', (column, before, after) => {
    const sheets = [
      survey(['name', column], ['a', before]),
      sheetOf('choices', [
        ['list_name', 'name'],
        [' fruit ', 'fruit'],
        ['fruits', 'a'],
      ]),
    ]
    expect(cells(renameReferences(sheets, 'fruit', 'food', 'choices'))).toEqual([
      [
        ['name', column],
        ['a', after],
      ],
      [
        ['list_name', 'name'],
        [' food ', 'fruit'],
        ['fruits', 'a'],
      ],
    ])
  })

  it.each([
    ['type', 'select_one_from_file trees.csv', 'select_one_from_file plants.csv'],
    ['type', 'select_one trees', 'select_one trees'],
    ['save_to', 'trees#height', 'plants#height'],
    ['save_to', 'trees', 'trees'],
    ['calculation', "pulldata('trees', 'a', 'b', 'trees')", "pulldata('plants', 'a', 'b', 'trees')"],
    ['calculation', "instance('trees')/root/item[1]/name", "instance('plants')/root/item[1]/name"],
    ['parameters', 'reference-geometry=trees', 'reference-geometry=plants'],
  ])('of entities in the column %s: %s', (column, before, after) => {
    const sheets = [survey(['name', column], ['a', before]), sheetOf('entities', [['dataset'], ['trees']])]
    expect(cells(renameReferences(sheets, 'trees', 'plants', 'entities'))).toEqual([
      [
        ['name', column],
        ['a', after],
      ],
      [['dataset'], ['plants']],
    ])
  })
})
