import { compile, type FormModel } from '@sheaf/xlsform'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { differencesOf, keepsConstraint, NotEvaluated, parseConstraint } from './index.js'

const now = new Date('2026-05-01T10:00:00Z')

const keeps = (constraint: string, text: string, matches: boolean[] = []) =>
  keepsConstraint(parseConstraint(constraint), { text, matches, now })

describe('constraints', () => {
  it.each([
    ['. > 3 and . < 10', ['4', '9.5'], ['3', '10', '-4', 'x']],
    ['. >= 18 or . = 0', ['18', '0', '0.0'], ['17', '']],
    ['not(. = 5)', ['4'], ['5', '5.0']],
    ["not(. = 'a') and . != 'b'", ['c'], ['a', 'b']],
    ['string-length(.) = 3 or string-length() > 5', ['abc', 'a😀c', 'abcdef'], ['ab', 'abcde']],
    ["selected(., 'a') and not(selected(., 'b'))", ['a', 'c a'], ['b', 'a b', 'aa']],
    ['count-selected(.) <= 2', ['a', 'a b'], ['a b c']],
    ['. <= today()', ['2026-05-01', '2020-01-01'], ['2026-05-02']],
    [". > date('2020-01-01') and . < '2020-02-01'", ['2020-01-02'], ['2020-01-01', '2020-02-01', 'soon']],
    ['. < now()', ['2026-05-01T09:59:59.000+00:00'], ['2026-05-01T10:00:01Z', '2026-05-01T12:00:00+01:00']],
    ['. mod 2 = 0', ['4', '0'], ['3']],
    ['. - 1 > 2 * 3 + -1', ['7'], ['6']],
    ['. div 2 = 2', ['4'], ['5']],
    ["starts-with(., 'A') and contains(., 'b')", ['Ab'], ['A', 'bA']],
    ['(. > 1 or . < -1) and . != 5', ['2', '-2'], ['1', '5']],
    ['true()', [''], []],
    ['int(. div 10) = 2', ['20', '29'], ['30']],
  ])('%s', (constraint, good, bad) => {
    expect(good.filter((text) => !keeps(constraint, text))).toEqual([])
    expect(bad.filter((text) => keeps(constraint, text))).toEqual([])
  })

  it('patterns are left to the database, which says what matches', () => {
    const constraint = parseConstraint("regex(., '[a-z]{2}') or not(regex(., \"x'y\"))")
    expect(constraint.patterns).toEqual(['^(?:[a-z]{2})$', "^(?:x'y)$"])
    expect(keepsConstraint(constraint, { text: '', matches: [true, true], now })).toBe(true)
    expect(keepsConstraint(constraint, { text: '', matches: [false, true], now })).toBe(false)
  })

  it.each([
    ['. > /data/age', 'other answers'],
    [`. > \${age}`, 'not understood'],
    ['. = ../other', 'other answers'],
    ['./x = 1', 'other answers'],
    ["pulldata('a', 'b', 'c', .) = 1", 'pulldata()'],
    ["regex(string(.), 'a')", 'a fixed pattern only'],
    ["regex(., '(a)\\1')", 'refers back'],
    ['. >', 'not understood'],
    ['. = "', 'not understood'],
    ['not()', 'wrong number'],
  ])('%s is not evaluated, and says why', (constraint, reason) => {
    expect(() => parseConstraint(constraint)).toThrow(NotEvaluated)
    expect(() => parseConstraint(constraint)).toThrow(reason)
  })

  it('what is nested or long without end is refused, not followed', () => {
    expect(() => parseConstraint(`${'('.repeat(4000)}.${')'.repeat(4000)}`)).toThrow('too deeply')
    expect(() => parseConstraint(`${'-'.repeat(20_000)}1`)).toThrow('too long')
    expect([keeps(`. = ${'-'.repeat(9000)}1`, '1'), keeps(`. = ${'-'.repeat(9001)}1`, '1')]).toEqual([true, false])
  })

  it('any text is either evaluated or refused', () => {
    const part = fc.constantFrom(
      '.',
      '(',
      ')',
      ' and ',
      ' or ',
      '<',
      '=',
      "'a'",
      '1',
      'not(',
      'regex(',
      ',',
      '-',
      '..',
      '/',
    )
    fc.assert(
      fc.property(fc.array(part, { maxLength: 12 }), fc.string(), (parts, text) => {
        try {
          expect(typeof keeps(parts.join(''), text)).toBe('boolean')
        } catch (error) {
          expect(error).toBeInstanceOf(NotEvaluated)
        }
      }),
    )
  })
})

const form = (survey: string, choices = ''): FormModel => {
  const rows = (text: string) =>
    text
      .trim()
      .split('\n')
      .map((row) => `,${row.trim()}`)
      .join('\n')
  const text = `survey\n,type,name,label,constraint\n${rows(survey)}\n${choices === '' ? '' : `choices\n,list_name,name,label\n${rows(choices)}\n`}`
  return compile(Buffer.from(text), { fileName: 'form.csv', allowUnlabelled: true }).model
}

const keys = (list: readonly { from: { key: string }; to: { key: string } }[]) =>
  list.map(({ from, to }) => [from.key, to.key])

describe('differences', () => {
  it('a form is no different from itself', () => {
    const model = form('text,a,A,\nselect_one c,b,B,. != 1\nbegin repeat,r,R,\ntext,x,X,\nend repeat,,,', 'c,1,One')
    expect(differencesOf(model, model)).toEqual({
      added: [],
      removed: [],
      renamed: [],
      typeChanged: [],
      choicesRemoved: [],
      constraints: [],
      regrouped: [],
    })
  })

  it('tells what is renamed, moved, added, removed, and of another type', () => {
    const before = form('text,nam,Name,\ninteger,age,Age,\ntext,same,Same,\ntext,shoe,Shoe,\ndate,day,Day,\ntext,sum,,')
    const after = form(
      'text,name,Name,\nbegin group,g,G,\ninteger,age,Age,\nend group,,,\ninteger,same,Same,\ntext,hat,Hat,\nbegin group,h,H,\ntext,sum,,\nend group,,,\ntext,noon,Day,',
    )
    const { added, removed, renamed, typeChanged } = differencesOf(before, after)
    expect(keys(renamed)).toEqual([
      ['nam', 'name'],
      ['age', 'g/age'],
      ['sum', 'h/sum'],
    ])
    expect([added, removed.map(({ key }) => key)]).toEqual([
      ['hat', 'noon'],
      ['shoe', 'day'],
    ])
    expect(keys(typeChanged)).toEqual([['same', 'same']])
  })

  it('of several questions with one label nobody knows which was renamed, unless the name or the place tells', () => {
    const before = form('text,a,Name,\ntext,b,Name,')
    expect(keys(differencesOf(before, form('text,c,Name,\ntext,d,Name,')).renamed)).toEqual([
      ['a', 'c'],
      ['b', 'd'],
    ])
    expect(differencesOf(before, form('text,c,Name,\ntext,x,X,\ntext,d,Name,')).added).toEqual(['x', 'd'])
    const longer = form('text,x,X,\ntext,y,Y,\ntext,c,Name,\ntext,d,Name,')
    expect(differencesOf(before, longer).renamed).toEqual([])
    const moved = differencesOf(before, form('begin group,g,G,\ntext,b,Name,\ntext,a,Name,\nend group,,,'))
    expect(keys(moved.renamed)).toEqual([
      ['a', 'g/a'],
      ['b', 'g/b'],
    ])
  })

  it('tells choices that go, constraints that are new or other, and groups that become repeats', () => {
    const before = form(
      'select_one c,s,S,\ninteger,n,N,. > 1\ninteger,m,M,. > 1\nbegin group,g,G,\ntext,x,X,\nend group,,,',
      'c,a,A\nc,b,B',
    )
    const after = form(
      'select_one c,s,S,\ninteger,n,N,. > 2\ninteger,m,M,\nbegin repeat,g,G,\ntext,x,X,string-length(.) > 2\nend repeat,,,',
      'c,b,B\nc,d,D',
    )
    const { choicesRemoved, constraints, regrouped } = differencesOf(before, after)
    expect(choicesRemoved.map(({ field, names }) => [field.key, names])).toEqual([['s', ['a']]])
    expect(constraints.map(({ field, constraint }) => [field.key, constraint])).toEqual([
      ['n', '. > 2'],
      ['g/x', 'string-length(.) > 2'],
    ])
    expect(regrouped).toEqual([{ key: 'g', to: 'repeat' }])
  })
})
