import { compile, type FormModel } from '@sheaf/xlsform'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { growthFault } from '../../../test/support/growth.js'
import { budgets } from '../../budgets.js'
import { differencesOf, keepsConstraint, linearPatterns, NotEvaluated, parseConstraint, StepMeter } from './index.js'

const now = new Date('2026-05-01T10:00:00Z')

const keeps = (constraint: string, text: string, meter = new StepMeter()) =>
  keepsConstraint(parseConstraint(constraint), { text, patterns: [], now, meter })

const matching = async (text: string, meter = new StepMeter()) => {
  const constraint = parseConstraint(text)
  const patterns = await linearPatterns(constraint.patterns)
  return (answer: string) => keepsConstraint(constraint, { text: answer, patterns, now, meter })
}

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

  it.each([
    ["regex(., '[a-z]{2}')", ['ab'], ['abc', 'a', '', 'AB']],
    ['not(regex(., "x\'y"))', ['x'], ["x'y"]],
    ["regex(., '^[0-9]{10}$')", ['0712345678'], ['071234567', '07123456789', '071234567x']],
    ["regex(., '^\\d{3}-\\d{4}$|^$')", ['123-4567', ''], ['1234567']],
    ["regex(., '[\\w.+-]+@[\\w-]+\\.[a-z]{2,}')", ['ana.b+c@mail.org'], ['ana@mail', '@mail.org']],
    ["regex(., '(a|b)*c')", ['c', 'abac'], ['ab', 'cc']],
    ["regex(., '\\p{L}+')", ['é'], ['1']],
    ["regex(., '(?i)yes')", ['YES'], ['no']],
  ])('%s is matched by the whole answer', async (constraint, good, bad) => {
    const keepsIt = await matching(constraint)
    expect(good.filter((text) => !keepsIt(text))).toEqual([])
    expect(bad.filter((text) => keepsIt(text))).toEqual([])
  })

  it.each([
    ["regex(., '(a)\\1')", 'refers back'],
    ["regex(., '(?=a)b')", 'looks ahead'],
    ["regex(., '(?<!a)b')", 'looks ahead or behind'],
    ["regex(., '[z-a]')", 'not understood'],
    ["regex(., '(x{1,100}){1,100}y')", 'repeats too much'],
    ["regex(., '((a{9,}){9,}){9,}')", 'repeats too much'],
  ])('%s is not run, and says why', async (constraint, reason) => {
    await expect(matching(constraint)).rejects.toThrow(reason)
  })

  it('patterns have budgets.patterns.characters and budgets.patterns.size, and no more', async () => {
    const { characters, size } = budgets.patterns
    await expect(matching(`regex(., '${'[a]'.repeat(Math.floor(characters / 3))}')`)).resolves.toBeDefined()
    await expect(matching(`regex(., '[${'a'.repeat(characters - 1)}]')`)).rejects.toThrow('too long')
    await expect(matching(`regex(., '[${'a'.repeat(characters - 2)}]')`)).resolves.toBeDefined()
    await expect(matching(`regex(., '(?:a[^\\]b]){${size / 4}}')`)).resolves.toBeDefined()
    await expect(matching(`regex(., 'a{${size}}')`)).resolves.toBeDefined()
    await expect(matching(`regex(., 'a{${size}}b')`)).rejects.toThrow('repeats too much')
    await expect(matching(`regex(., 'a{${size}}') or regex(., 'b')`)).rejects.toThrow('repeats too much')
  })

  it.each([
    ['. > /data/age', 'other answers'],
    [`. > \${age}`, 'not understood'],
    ['. = ../other', 'other answers'],
    ['./x = 1', 'other answers'],
    ["pulldata('a', 'b', 'c', .) = 1", 'pulldata()'],
    ["regex(string(.), 'a')", 'a fixed pattern only'],
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

  it('a constraint has budgets.expressions.characters and budgets.expressions.depth, and no more', () => {
    const { characters, depth } = budgets.expressions
    const padded = (length: number) => `. = ${' '.repeat(length - 5)}1`
    expect(keeps(padded(characters), '1')).toBe(true)
    expect(() => parseConstraint(padded(characters + 1))).toThrow('too long')
    const nested = (count: number) => `${'('.repeat(count)}. = 1${')'.repeat(count)}`
    expect(keeps(nested(depth - 1), '1')).toBe(true)
    expect(() => parseConstraint(nested(depth))).toThrow('too deeply')
  })

  it('an answer has budgets.expressions.stepsPerAnswer, a plan budgets.expressions.stepsPerPlan, and no more', () => {
    const { stepsPerAnswer, stepsPerPlan } = budgets.expressions
    const meter = new StepMeter()
    meter.step(stepsPerAnswer)
    expect(() => meter.step(1)).toThrow('within its budget: an answer')
    const shared = new StepMeter()
    for (let steps = 0; steps < stepsPerPlan; steps += stepsPerAnswer) {
      shared.beginAnswer()
      shared.step(stepsPerAnswer)
    }
    shared.beginAnswer()
    expect(() => keeps('. = 1', '1', shared)).toThrow('within its budget: the answers')
  })

  const long = 'x '.repeat(450_000)

  it('what is asked sixty times of a long answer is looked at once', () => {
    const many = Array.from({ length: 60 }, (_, one) => `count-selected(.) = ${one}`).join(' or ')
    expect(keeps(many, long)).toBe(false)
    expect(keeps(`${many} or count-selected(.) = 450000`, long)).toBe(true)
  })

  it.each([
    `contains(., '${'x '.repeat(400)}y')`,
    'normalize-space(normalize-space(.)) = 1',
    Array.from({ length: 60 }, (_, one) => `selected(., 'y${one}')`).join(' or '),
  ])('%.40s … of a long answer is given up', (constraint) => {
    expect(() => keeps(constraint, long)).toThrow('within its budget')
  })

  it('a pattern that makes much of a long answer is given up', async () => {
    const keepsIt = await matching("regex(., '([ab]*a[ab]{40})+c')")
    expect(keepsIt('ab'.repeat(100))).toBe(false)
    expect(() => keepsIt('ab'.repeat(10_000))).toThrow('within its budget')
  })

  it.each([
    ['. = 1', (size: number) => `${'0'.repeat(size)}x`],
    ["selected(., 'xxxxx')", (size: number) => 'xxxx '.repeat(size / 5)],
    ['count-selected(.) = 1', (size: number) => ' x'.repeat(size / 2)],
    ['string-length(.) = 1', (size: number) => '😀'.repeat(size / 2)],
    ['normalize-space(.) = 1', (size: number) => `${' '.repeat(size - 1)}x`],
  ])('%s takes four times as long for an answer that is four times as long', async (constraint, text) => {
    expect(await growthFault(400_000, text, (answer) => keeps(constraint, answer))).toBeUndefined()
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
