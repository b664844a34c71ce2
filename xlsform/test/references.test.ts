import { describe, expect, it } from 'vitest'
import { bindOf, controlOf, form } from './support/compile.js'
import { sheet, survey } from './support/mistakes.js'

const calculated = (path: string, ...rows: string[]): string | undefined =>
  bindOf(form(survey('type | name | label | calculation', ...rows)).xform, path)
    ?.match(/calculate="([^"]*)"/)?.[1]
    ?.trim()

const r = 'begin repeat | r | R |'
const end = 'end repeat | | |'
const t = 'text | t | T |'

describe('the table of paths', () => {
  it.each<[string, string, string, string[]]>([
    ['/data/r/t', '/data/calc', '/data/r/t', [r, t, end, 'calculate | calc | | ${t}']],
    ['/data/r/t', '/data/o/calc', '/data/r/t', [r, t, end, 'begin repeat | o | O |', 'calculate | calc | | ${t}', end]],
    ['/data/r/t', '/data/r/calc', '../t', [r, t, 'calculate | calc | | ${t}', end]],
    [
      '/data/r/t',
      '/data/r/g/calc',
      '../../t',
      [r, t, 'begin group | g | G |', 'calculate | calc | | ${t}', 'end group | | |', end],
    ],
    [
      '/data/r/g/t',
      '/data/r/h/calc',
      '../../g/t',
      [
        r,
        'begin group | g | G |',
        t,
        'end group | | |',
        'begin group | h | H |',
        'calculate | calc | | ${t}',
        'end group | | |',
        end,
      ],
    ],
    [
      '/data/r/g/t',
      '/data/r/g/calc',
      '../t',
      [r, 'begin group | g | G |', t, 'calculate | calc | | ${t}', 'end group | | |', end],
    ],
    [
      '/data/r/t',
      '/data/r/r2/calc',
      '../../t',
      [r, t, 'begin repeat | r2 | R |', 'calculate | calc | | ${t}', end, end],
    ],
    [
      '/data/r/r2/t',
      '/data/r/calc',
      '../r2/t',
      [r, 'begin repeat | r2 | R |', t, end, 'calculate | calc | | ${t}', end],
    ],
    ['/data/r', '/data/r/calc', '/data/r', [r, 'calculate | calc | | ${r}', end]],
    ['/data/o/r', '/data/o/r/calc', '../../r', ['begin repeat | o | O |', r, 'calculate | calc | | ${r}', end, end]],
  ])('%s from %s is %s', (_, source, path, rows) => {
    expect(calculated(source, ...rows)).toBe(path)
  })

  it('in a predicate of an instance a relative path starts at the question', () => {
    expect(calculated('/data/r/calc', r, t, "calculate | calc | | instance('l')/root/item[name = ${t}]/x", end)).toBe(
      "instance('l')/root/item[name =  current()/../t ]/x",
    )
    expect(calculated('/data/r/calc', r, t, "calculate | calc | | instance('l')/root/item[1]/x + ${t}", end)).toBe(
      "instance('l')/root/item[1]/x +  ../t",
    )
  })
})

describe('indexed-repeat', () => {
  it('takes its question and repeats as absolute, its indexes as usual', () => {
    expect(
      calculated(
        '/data/a/b/c',
        'begin repeat | a | A |',
        'text | x | X |',
        'begin repeat | b | B |',
        'text | y | Y |',
        'integer | i | I |',
        'calculate | c | | indexed-repeat(${y}, ${a}, position(../..), ${b}, ${i} - 1) + ${i}',
        end,
        end,
      ),
    ).toBe('indexed-repeat( /data/a/b/y ,  /data/a , position(../..),  /data/a/b ,  ../i  - 1) +  ../i')
  })

  it('takes the third of its repeats as absolute too, and nothing behind it', () => {
    const repeats = ['a', 'b', 'c'].map((name) => `begin repeat | ${name} | ${name} |`)
    const call = 'indexed-repeat(${y}, ${a}, 1, ${b}, 2, ${c}, ${y}, ${y})'
    expect(calculated('/data/a/b/c/d', ...repeats, 'text | y | Y |', `calculate | d | | ${call}`, end, end, end)).toBe(
      'indexed-repeat( /data/a/b/c/y ,  /data/a , 1,  /data/a/b , 2,  /data/a/b/c ,  ../y ,  ../y )',
    )
  })

  it('is read past brackets and commas within its arguments', () => {
    expect(
      calculated(
        '/data/a/c',
        'begin repeat | a | A |',
        'text | x | X |',
        "calculate | c | | concat(')', indexed-repeat(${x}, ${a}, max(1, ${x})), ${x})",
        end,
      ),
    ).toBe("concat(')', indexed-repeat( /data/a/x ,  /data/a , max(1,  ../x )),  ../x )")
  })
})

describe('references elsewhere', () => {
  it('stand in attributes of controls and instances', () => {
    const { xform } = form(
      survey(
        'type | name | label | appearance | instance::x | body::y',
        'text | a | A | | |',
        "text | b | B | search('f', ${a}) | ${a} | ${a}",
      ),
    )
    expect(controlOf(xform, '/data/b')).toContain(
      `<input ref="/data/b" appearance="search('f',  /data/a )" y=" /data/a ">`,
    )
    expect(xform).toContain('<b x="/data/a"/>')
  })

  it('names that programs reserve are names like others', () => {
    expect(
      calculated(
        '/data/c',
        'text | __proto__ | P |',
        'text | constructor | C |',
        'calculate | c | | concat(${__proto__}, ${constructor})',
      ),
    ).toBe('concat( /data/__proto__ ,  /data/constructor )')
  })

  it('choice filters and labels in choices are checked like the rest', () => {
    const { xform } = form(
      `${survey('type | name | label | choice_filter', 'text | a | A |', 'select_one l | b | B | x = ${a}')}\n${sheet('choices', ['list_name | name | label | x', 'l | a | A | ${not checked}'])}`,
    )
    expect(xform).toContain('<x>${not checked}</x>')
  })
})
