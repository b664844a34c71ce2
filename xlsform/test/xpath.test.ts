import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { syntaxFault } from '../src/xpath/syntax.js'

describe('expressions that can be read', () => {
  it.each([
    '1',
    '.',
    '..',
    '/',
    '/data',
    '/data/a',
    '//a',
    '../../x',
    './age',
    '-5',
    '- -5',
    '.5 + 5.',
    "'text'",
    '"it\'s"',
    ". > 3 and . < 5 or . = ''",
    'a - b * c div d mod e',
    'a-b',
    'and = or',
    'div div div',
    '* * *',
    'true()',
    "if(selected(/data/a, 'x'), 1, 2)",
    "instance('l')/root/item[name = current()/../t and x = 'y']/label",
    '/data/r[position() = 1]/x[1][2]',
    'count(/data/r) | /data/s',
    'child::a/descendant-or-self::node()/@id',
    "@*[. = 'x']",
    "jr:choice-name( /data/a , ' /data/a ')",
    'orx:*',
    '(1 + 2) * 3',
    '(/data/a)[1]/b',
    '$variable + 1',
    'text()',
    "processing-instruction('x')",
    'données/名前 = 1',
    'ᠠ᠋·e\u0301 = 1',
    '𠮷 = 1',
    ...[
      ...['ancestor', 'ancestor-or-self', 'attribute', 'child', 'descendant', 'descendant-or-self', 'following'],
      ...['following-sibling', 'namespace', 'parent', 'preceding', 'preceding-sibling', 'self'],
    ].map((axis) => `${axis}::a[1]`),
    'child = self and parent:x',
    '1 = 1\n and 2 = 2',
    'concat()',
  ])('%s', (expression) => {
    expect(syntaxFault(expression)).toBeUndefined()
  })
})

describe('expressions that cannot', () => {
  it.each([
    ['', 'a value is missing before the end'],
    ['1 +', 'a value is missing before the end'],
    ['1 + + 2', "a value is missing before '+'"],
    ['(1', "')' is missing before the end"],
    ['1)', "')' is not expected there"],
    ['f(1,', 'a value is missing before the end'],
    ['f(1 2)', "')' is missing before '2'"],
    ["'open", 'a quote is opened and never closed'],
    ['a[1', "']' is missing before the end"],
    ['a && b', "'&' is not understood"],
    ['a == b', "a value is missing before '='"],
    ['a b', "'b' is not expected there"],
    ['..x', "'x' is not expected there"],
    ['a/', 'a value is missing before the end'],
    ['a//', 'a value is missing before the end'],
    ['$ + 1', 'a name is missing after the dollar sign'],
    ['C++', "a value is missing before '+'"],
    ['-', 'a value is missing before the end'],
    ['5 %', "'%' is not understood"],
    ['a <> b', "'<>' is no operator; what differs is written '!='"],
    ['a ≠ b', "'≠' is not understood"],
    ['a × b', "'×' is not understood"],
    ['a ÷ b', "'÷' is not understood"],
    ['a ≥ 3', "'≥' is not understood"],
    ['a – b', "'–' is not understood"],
    ['a − b', "'−' is not understood"],
    ['a; b', "';' is not understood"],
    ['¬a', "'¬' is not understood"],
    ['5 £', "'£' is not understood"],
    ['a²', "'²' is not understood"],
    ['a\u00a0= b', "'\u00a0' is not understood"],
    ['a\u3000= b', "'\u3000' is not understood"],
    ['a\u200b= b', "'\u200b' is not understood"],
    ['a # b', "'#' is not understood"],
    ['{a}', "'{' is not understood"],
    ['a ? b', "'?' is not understood"],
    ['a!', "'!' is not understood"],
    ['sibling::a', "'sibling::' is no axis"],
    ['a/next::b', "'next::' is no axis"],
    ['Child::a', "'Child::' is no axis"],
    ['jr:child::a', "'jr:child::' is no axis"],
    ['a:::b', "':' is not understood"],
    [`${'('.repeat(300)}1${')'.repeat(300)}`, 'it is nested too deeply'],
  ])('%s: %s', (expression, fault) => {
    expect(syntaxFault(expression)).toBe(fault)
  })

  it('nothing an author can type makes the reader fail or hang', () => {
    const pieces = fc.constantFrom(
      'a',
      '1',
      '.',
      '/',
      '[',
      ']',
      '(',
      ')',
      ',',
      ' ',
      '-',
      '*',
      'and ',
      "'",
      '"',
      '@',
      '::',
      ':',
      '$',
      '|',
      'é',
      '<=',
    )
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 30 }), (parts) => {
        const fault = syntaxFault(parts.join(''))
        expect(fault === undefined || fault.length > 0).toBe(true)
      }),
      { numRuns: 2000 },
    )
  })
})
