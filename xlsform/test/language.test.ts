// What editors offer, held against the compiler.
import { describe, expect, it } from 'vitest'
import {
  choicesOf,
  formColumns,
  formFunctions,
  languagesIn,
  listsOf,
  outlineOf,
  placeOf,
  type QuestionType,
  questionAt,
  questionTypes,
  readTypeCell,
  typingAt,
} from '../src/language.js'
import { type CompiledForm, compileSheets, type Problem, type RawSheet, sheetOf, XlsFormError } from '../src/sheets.js'
import { typeRules } from '../src/survey/types.js'
import { columnRules } from '../src/tables/columns.js'
import { columnsOf } from '../src/tables/headers.js'
import { functionNames } from '../src/xpath/functions.js'

const headers = ['type', 'name', 'label', 'calculation', 'trigger', 'choice_filter', 'parameters', 'relevant']
const lists = [
  sheetOf('choices', [
    ['list_name', 'name', 'label', 'geometry'],
    ['sites', '0', 'A', '0 0'],
    ['sites', '10', 'B', '1 1'],
    ['seasons', 'dry', 'Dry'],
  ]),
  sheetOf('external_choices', [
    ['list_name', 'name', 'label'],
    ['sites', 'a', 'A'],
  ]),
  sheetOf('osm', [
    ['list_name', 'name', 'label'],
    ['sites', 'a', 'A'],
  ]),
]
const needed: Record<string, string> = { calculation: '1 + 1', trigger: '${first}', choice_filter: 'true()' }

/** A form with a question of the type, and whatever that needs. */
const formWith = (type: QuestionType, parameters = ''): RawSheet[] => {
  const list = type.name.endsWith('loop') ? 'seasons' : 'sites'
  const word = type.takes === 'file' ? ' places.csv' : type.takes === null ? '' : ` ${list}`
  const name =
    type.name === 'audit' ? 'audit' : type.name.startsWith('end') && type.group === 'structure' ? '' : 'asked'
  const row = (one: string, ...rest: string[]): string[] => [one, ...rest]
  const cell = (header: string): string => (type.needs.includes(header) ? (needed[header] ?? '') : '')
  const own = row(
    type.name + word,
    name,
    type.isShown ? 'Asked' : '',
    cell('calculation'),
    cell('trigger'),
    cell('choice_filter'),
    parameters,
  )
  const container = /^(begin|end)_(.*)$/.exec(type.name)
  const inner = row('text', 'inner', 'Inner')
  const around: string[][] =
    container?.[1] === 'begin'
      ? [own, inner, row(`end_${container[2]}`)]
      : container?.[1] === 'end'
        ? [row(`begin_${container[2]}${container[2] === 'loop' ? ` ${list}` : ''}`, 'outer', 'Outer'), inner, own]
        : [own]
  return [sheetOf('survey', [headers, row('text', 'first', 'First'), ...around]), ...lists]
}

const problemsOf = (sheets: readonly RawSheet[]): Problem[] => {
  try {
    return compileSheets(sheets).warnings
  } catch (error) {
    if (error instanceof XlsFormError) return error.problems
    throw error
  }
}

const compiledWith = (type: QuestionType, parameters = ''): CompiledForm => compileSheets(formWith(type, parameters))

/** What parameters may need beside them. */
const beside: Record<string, string> = {
  seed: 'randomize=true',
  'location-priority': 'location-min-interval=60 location-max-age=120',
  'location-min-interval': 'location-priority=balanced location-max-age=120',
  'location-max-age': 'location-priority=balanced location-min-interval=60',
  tick_labelset: 'start=0 end=10 step=5',
  placeholder: 'start=0 end=10',
}

describe('types of questions', () => {
  it.each(questionTypes.map((type) => [type.name, type] as const))(
    '%s compiles, and is told from its cell',
    (name, type) => {
      expect(compiledWith(type).xform).toContain('<h:html')
      const word = type.takes === null ? '' : ' sites'
      expect(readTypeCell(name + word)).toMatchObject({ type, list: type.takes === null ? null : 'sites' })
    },
  )

  it.each(questionTypes.map((type) => [type.name, type] as const))(
    '%s takes the parameters that are listed, and no others',
    (_, type) => {
      for (const { name, example } of type.parameters)
        expect(
          problemsOf(formWith(type, `${name}=${example} ${beside[name] ?? ''}`)).map(({ code }) => code),
        ).not.toContain('unknown-parameter')
      for (const { name, example } of type.parameters)
        expect(compiledWith(type, `${name}=${example} ${beside[name] ?? ''}`).xform).toBeDefined()
      const [told] = problemsOf(formWith(type, 'nonsense=1')).filter(
        ({ code }) => /parameter/.test(code) && code !== 'image-without-max-pixels',
      )
      const accepted = / accepts (.*)\.$/.exec(told?.message ?? '')?.[1]?.split(', ') ?? []
      expect(type.parameters.map(({ name }) => name).sort()).toEqual(accepted.sort())
    },
  )

  it.each(questionTypes.filter(({ needs }) => needs.length > 0).map((type) => [type.name, type] as const))(
    '%s is found wanting without what it needs',
    (_, type) => {
      const codes = problemsOf(formWith({ ...type, needs: [] })).map(({ code }) => code)
      expect(
        codes.filter((code) => /missing-calculation|background-geopoint-trigger|external-without-filter/.test(code)),
      ).toHaveLength(1)
    },
  )

  it('are all that the compiler knows, but those of the past', () => {
    const listed = new Set(questionTypes.map(({ name }) => name))
    const others = new Set([...typeRules.values()].map(({ name }) => name).filter((name) => !listed.has(name)))
    const past = [
      'subscriberid',
      'simserial',
      ...['deviceid', 'phonenumber', 'simserial', 'subscriberid', 'username', 'email'].map((name) => `uri:${name}`),
    ]
    expect([...others].sort()).toEqual(past.sort())
  })

  it('are told in older spellings, too, and not where the compiler does not know them', () => {
    expect(readTypeCell(' select all that apply  from  fruits or specify other ')).toMatchObject({
      type: { name: 'select_multiple' },
      list: 'fruits',
      hasOther: true,
    })
    expect(readTypeCell('photo')?.type?.name).toBe('image')
    expect(readTypeCell('begin looped group')?.type?.name).toBe('begin_repeat')
    expect(readTypeCell('uri:email')).toEqual({ type: null, list: null, hasOther: false })
    expect(readTypeCell('selct_one fruits')).toBeNull()
  })
})

describe('functions', () => {
  it('are those that the compiler knows', () => {
    expect(formFunctions.map(({ name }) => name).sort()).toEqual([...functionNames].sort())
    for (const { explanation } of formFunctions) expect(explanation).toMatch(/[.…)]$/)
  })

  it.each(formFunctions.map((one) => [one.name, one] as const))(
    '%s compiles with what it takes, without a warning',
    (name, one) => {
      const given = one.arguments.filter(({ isOptional }) => !isOptional).map(() => '${first}')
      const sheets = [
        sheetOf('survey', [
          headers,
          ['text', 'first', 'First'],
          ['calculate', 'c', '', `${name}(${given.join(', ')})`],
        ]),
      ]
      expect(compileSheets(sheets).warnings).toEqual([])
    },
  )

  it('that nobody knows are a warning where they stand, with the nearest known one', () => {
    const sheets = [sheetOf('survey', [headers, ['text', 'a', 'A', '', '', '', '', "cocnat('a', 1) = 'a1'"]])]
    expect(compileSheets(sheets).warnings).toEqual([
      expect.objectContaining({
        code: 'unknown-function',
        sheet: 'survey',
        row: 2,
        column: 'relevant',
        message: expect.stringContaining("Did you mean 'concat'?"),
      }),
    ])
  })
})

describe('columns', () => {
  const sheets = ['survey', 'choices', 'settings', 'entities', 'external_choices', 'osm'] as const
  /** Understood, and of no use any more: of text messages, of other programs, and doubles. */
  const past = [
    'sms_field',
    'sms_option',
    'sms_separator',
    'sms_keyword',
    'id_string',
    'query',
    'itemset',
    'list_name',
    'control',
  ]

  it.each(sheets)('of %s are understood, and are all that the compiler knows', (sheet) => {
    const rules = columnRules[sheet]
    const keyOf = (header: string): string | null =>
      columnsOf(sheet, { number: 1, columns: [0, 1], texts: [header, 'x::y'] })[0]?.key ?? null
    const keys = formColumns[sheet].map(({ name }) => keyOf(name))
    expect(keys).not.toContain(null)
    expect(new Set(keys).size).toBe(keys.length)
    const known = new Set([...rules.known, ...rules.aliases.values()])
    expect([...known].filter((key) => !keys.includes(key) && !past.includes(key))).toEqual([])
    for (const { name, isTranslatable } of formColumns[sheet])
      expect(
        columnsOf(sheet, { number: 1, columns: [0], texts: [`${name}::French (fr)`] })[0]?.language ?? null,
        name,
      ).toBe(isTranslatable ? 'French (fr)' : null)
  })
})

const visit = [
  sheetOf('survey', [
    ['type', 'name', 'label::English (en)', 'label::French (fr)', 'relevant', 'choice_filter'],
    ['begin group', 'person', 'Person', 'Personne'],
    ['integer', 'age', 'Age', 'Âge'],
    ['select_one school', 'school', 'Which school, at ${age}?', '', '${age} > 5', 'level <= ${aeg}'],
    ['end group'],
    ['text', 'off', 'Off', '', "${last-saved#school} = ''"],
    ['begin repeat', 'open', 'Never ended'],
  ]),
  sheetOf('choices', [
    ['list_name', 'name', 'label::English (en)', 'level'],
    ['school', 'p', 'Primary', '1'],
    ['yn', 'y', 'Yes'],
    ['school', 's', 'Secondary', '2'],
  ]),
  sheetOf('settings', [['instance_name'], ['${school}']]),
]

describe('rows of a survey', () => {
  it('are told with what is around them', () => {
    expect(outlineOf(visit).map(({ row, name, within, counterpart }) => [row, name, within, counterpart])).toEqual([
      [2, 'person', [], 5],
      [3, 'age', [2], null],
      [4, 'school', [2], null],
      [5, '', [], 2],
      [6, 'off', [], null],
      [7, 'open', [], null],
    ])
  })

  it('are explained one by one, with their choices, what they refer to and what refers to them', () => {
    expect(questionAt(visit, 4)).toMatchObject({
      row: 4,
      name: 'school',
      label: 'Which school, at ${age}?',
      type: { type: { name: 'select_one' }, list: 'school' },
      choices: [
        { row: 2, name: 'p', label: 'Primary' },
        { row: 4, name: 's', label: 'Secondary' },
      ],
      refersTo: [
        { name: 'age', rows: [3] },
        { name: 'aeg', rows: [] },
      ],
      usedBy: [
        { sheet: 'survey', row: 6, column: 'relevant' },
        { sheet: 'settings', row: 2, column: 'instance_name' },
      ],
    })
    expect(questionAt(visit, 3)?.usedBy).toEqual([
      { sheet: 'survey', row: 4, column: 'label::English (en)' },
      { sheet: 'survey', row: 4, column: 'relevant' },
    ])
    expect(questionAt(visit, 1)).toBeUndefined()
    expect(questionAt(visit, 99)).toBeUndefined()
  })

  it('have lists and languages', () => {
    expect(listsOf(visit)).toEqual(['school', 'yn'])
    expect(choicesOf(visit, 'yn')).toEqual([{ row: 3, name: 'y', label: 'Yes' }])
    expect(languagesIn(visit)).toEqual(['English (en)', 'French (fr)'])
    expect(listsOf([])).toEqual([])
  })
})

describe('a problem', () => {
  it('is at its cell, also where it names the column by another word', () => {
    const places = problemsOf(visit).map((problem) => [problem.code, placeOf(problem, visit)])
    expect(places).toContainEqual(['unknown-reference', { sheet: 'survey', row: 4, column: 5 }])
    const sheets = [
      sheetOf(' Survey', [
        ['command', 'name', 'caption'],
        ['text', 'a', ''],
        ['', 'b', 'B'],
        ['calculate', 'c'],
      ]),
    ]
    expect(problemsOf(sheets).map((problem) => placeOf(problem, sheets))).toEqual([
      { sheet: ' Survey', row: 2, column: 2 },
      { sheet: ' Survey', row: 3, column: 0 },
      { sheet: ' Survey', row: 4, column: null },
    ])
  })

  it('of the whole form is at no cell', () => {
    expect(placeOf({ code: 'x', message: '', sheet: null, row: null, column: null, value: null }, visit)).toBeNull()
    expect(placeOf({ code: 'x', message: '', sheet: 'osm', row: 1, column: null, value: null }, visit)).toBeNull()
  })
})

describe('what is being typed', () => {
  it.each([
    ['${a|', 'reference', 'a', 2, 3],
    ['1 + ${|}', 'reference', '', 6, 6],
    ['${ag|e} > 5', 'reference', 'ag', 2, 5],
    ['${last-saved#ag|}', 'reference', 'ag', 13, 15],
    ['con|', 'function', 'con', 0, 3],
    ['1 + jr:ch|oice-name(', 'function', 'jr:ch', 4, 18],
    ["if('a' = 'b', stri|", 'function', 'stri', 14, 18],
  ])('is %s: a %s', (written, kind, typed, start, end) => {
    const cursor = written.indexOf('|')
    expect(typingAt(written.replace('|', ''), cursor)).toEqual({ kind, typed, start, end })
  })

  it.each(['|', '${a}|', "'con|", '../con|', '/data/con|', '5|', '$|'])('is nothing to complete: %s', (written) => {
    expect(typingAt(written.replace('|', ''), written.indexOf('|'))).toBeNull()
  })

  it('is no function in a label', () => {
    expect(typingAt('The con', 7, false)).toBeNull()
    expect(typingAt('The ${c', 7, false)).toMatchObject({ kind: 'reference', typed: 'c' })
  })
})
