import { describe, expect, it } from 'vitest'
import { readDefault } from '../src/survey/defaults.js'
import { bindOf, controlOf, form, problemsOf } from './support/compile.js'
import { survey } from './support/mistakes.js'

describe('which defaults are dynamic', () => {
  it.each([
    ['hello', 'text', false],
    ['-5', 'integer', false],
    ['a-b', 'text', false],
    ['2024-01-31', 'date', false],
    ['1.5 -2.5 0 0', 'geopoint', false],
    ['https://a.org/x-y', 'text', false],
    ['hello (world)', 'text', false],
    ["'a+b'", 'text', false],
    ['x/y', 'text', false],
    ['x=y', 'text', false],
    ['50%', 'text', false],
    ['1 -2', 'integer', false],
    ['10:30:00', 'time', false],
    ['10:30:00+01:00', 'time', false],
    ['2024-01-31T10:00:00+01:00', 'dateTime', false],
    ['2024-01-31T10:00:00.000+01:00', 'dateTime', false],
    ['2024 - 01', 'date', false],
    ['1 - 2', 'geotrace', false],
    ['https://a.org/?q=1+2', 'text', false],
    ['modern division', 'text', false],
    ['mod', 'text', false],
    ['today()', 'date', true],
    ['${a}', 'text', true],
    ['a - b', 'text', true],
    ['1 + 1', 'integer', true],
    ['3 div 2', 'text', true],
    ['3 mod 2', 'text', true],
    ['a*b', 'text', true],
    ['C++', 'text', false],
    ['-', 'text', false],
    ['--', 'text', false],
    ['*', 'text', false],
    ['***', 'text', false],
    ['| |', 'text', false],
    ['+254 700 123', 'text', false],
    ['+254700123', 'text', false],
    ['+1 (555) 123-4567', 'text', false],
    ['A+', 'select_one', false],
    ['* required', 'note', false],
    ['rock + roll!', 'text', false],
    ['5 + 5 = ?', 'text', false],
    ['f(x', 'text', false],
    ['see note(s).', 'text', false],
    ['- 5', 'integer', true],
    ['5 + -3', 'integer', true],
    ["concat('C', '++')", 'text', true],
    ['+${a}', 'text', true],
    ['today() - 7', 'date', true],
    ['x | y', 'text', true],
    ['if(true(),1,2)', 'text', true],
    ['concat(1, 2)', 'geopoint', true],
    ['https://a.org/${a}', 'text', true],
  ])('%s (%s): %s', (text, type, isDynamic) => {
    expect(readDefault(text, type).isDynamic).toBe(isDynamic)
  })
})

describe('defaults', () => {
  it('of images get the address of the image, unless it is there or is computed', () => {
    const { xform } = form(
      survey(
        'type | name | label | default',
        'image | a | A | a.png',
        'image | b | B | jr://images/b.png',
        'image | c | C | concat(1, 2)',
      ),
    )
    expect(xform).toContain('<a>jr://images/a.png</a><b>jr://images/b.png</b><c/>')
    expect(xform).toContain('<setvalue ref="/data/c" event="odk-instance-first-load" value="concat(1, 2)"/>')
  })

  it('that are static stand in every copy of a repeat', () => {
    const { xform } = form(
      survey('type | name | label | default', 'begin repeat | r | R |', 'text | a | A | x', 'end repeat | | |'),
    )
    expect(xform).toContain('<r jr:template=""><a>x</a></r><r><a>x</a></r>')
  })

  it('that are dynamic in nested repeats act in the nearest one, relative to it', () => {
    const { xform } = form(
      survey(
        'type | name | label | default',
        'begin repeat | r | R |',
        'text | a | A |',
        'begin repeat | s | S |',
        'text | b | B | ${a}',
        'end repeat | | |',
        'end repeat | | |',
      ),
    )
    expect(xform).toContain('<setvalue ref="/data/r/s/b" event="odk-instance-first-load" value=" ../../a "/>')
    expect(xform).toContain(
      '</input><setvalue ref="/data/r/s/b" event="odk-new-repeat" value=" ../../a "/></repeat></group></repeat>',
    )
  })

  it.each(['+254 700', '-', 'C++'])('that are no expression are text: %s', (text) => {
    const { xform, warnings, model } = form(survey('type | name | label | default', `text | a | A | ${text}`))
    expect(xform).toContain(`<a>${text}</a>`)
    expect(xform).not.toContain('setvalue')
    expect(warnings).toEqual([])
    expect(model.children[0]).toMatchObject({ default: text, initial: null })
  })

  it('that call a function and cannot be read are text, with a warning', () => {
    const { xform, warnings } = form(survey('type | name | label | default', 'text | a | A | today('))
    expect(xform).toContain('<a>today(</a>')
    expect(warnings.map(({ code, row, column }) => [code, row, column])).toEqual([['default-is-text', 2, 'default']])
  })

  it.each(['https://a.org/${q}', '${q} +', 'concat(${q}'])(
    'with a reference in what is no expression are refused: %s',
    (text) => {
      const found = problemsOf(survey('type | name | label | default', 'text | q | Q |', `text | a | A | ${text}`))
      expect(found.map(({ code, row, column }) => [code, row, column])).toEqual([['invalid-expression', 3, 'default']])
    },
  )
})

describe('triggers', () => {
  const xform = form(
    survey(
      'type | name | label | trigger | calculation',
      'begin repeat | r | R | |',
      'text | a | A | |',
      'text | b | B | |',
      'text | c | C | ${a}, ${b} | concat(${a}, ${d})',
      'text | e | | ${a} |',
      'end repeat | | | |',
      'text | d | D | |',
    ),
  ).xform

  it('set the value in the control of each triggering question, as seen from there', () => {
    const action = '<setvalue ref="/data/r/c" event="xforms-value-changed" value="concat( ../a ,  /data/d )"/>'
    expect(controlOf(xform, '/data/r/a')).toContain(action)
    expect(controlOf(xform, '/data/r/b')).toContain(action)
  })

  it.each(['${a},', ',${a}', ' , ${a} ,, ${b} ,', '${a}, ${a},${b}', '${a} ,\n${b}'])(
    'stray commas and doubles change nothing: %s',
    (trigger) => {
      const csv = `survey\n,type,name,label,trigger,calculation\n,text,a,A,,\n,text,b,B,,\n,text,c,C,"${trigger}",now()\n,background-geopoint,d,,"${trigger}",\n`
      const written = form(csv).xform
      const times = trigger.includes('b') ? 2 : 1
      expect(written.match(/<setvalue ref="\/data\/c"/g)).toHaveLength(times)
      expect(written.match(/<odk:setgeopoint ref="\/data\/d"/g)).toHaveLength(times)
    },
  )

  it('that are commas and nothing else name no question', () => {
    for (const trigger of [',', ' , ,'])
      expect(
        problemsOf(`survey\n,type,name,label,trigger,calculation\n,text,a,A,,\n,text,c,C,"${trigger}",now()\n`).map(
          ({ code }) => code,
        ),
      ).toEqual(['invalid-trigger'])
  })

  it('without a calculation clear the value', () => {
    expect(controlOf(xform, '/data/r/a')).toContain('<setvalue ref="/data/r/e" event="xforms-value-changed"/>')
  })

  it('leave the calculation out of the bind', () => {
    expect(bindOf(xform, '/data/r/c')).toBe('<bind nodeset="/data/r/c" type="string"/>')
  })
})

describe('actions', () => {
  it('start-geopoint and background-audio act when the form opens', () => {
    const { xform } = form(
      survey(
        'type | name | label | parameters',
        'text | q | Q |',
        'start-geopoint | a | |',
        'background-audio | b | |',
        'background-audio | c | | quality=low',
      ),
    )
    expect(xform).toContain(
      '<bind nodeset="/data/a" type="geopoint"/><odk:setgeopoint ref="/data/a" event="odk-instance-first-load"/>',
    )
    expect(xform).toContain('<odk:recordaudio ref="/data/b" event="odk-instance-load"/>')
    expect(xform).toContain('<odk:recordaudio ref="/data/c" event="odk-instance-load" odk:quality="low"/>')
  })

  it('background-geopoint acts when its trigger changes, and is shown when it has a label', () => {
    const { xform } = form(
      survey(
        'type | name | label | trigger',
        'text | q | Q |',
        'background-geopoint | a | | ${q}',
        'background-geopoint | b | B | ${q}',
      ),
    )
    expect(controlOf(xform, '/data/q')).toContain('<odk:setgeopoint ref="/data/a" event="xforms-value-changed"/>')
    expect(controlOf(xform, '/data/a')).toBeUndefined()
    expect(controlOf(xform, '/data/b')).toBe('<trigger ref="/data/b"><label>B</label></trigger>')
  })
})

describe('bind', () => {
  it.each([
    ['yes', 'true()'],
    ['TRUE', 'true()'],
    ['true()', 'true()'],
    ['No', 'false()'],
    ['false', 'false()'],
    ['maybe', 'maybe'],
    ['${a} = 1', ' /data/a  = 1'],
  ])('%s in a column for truth is %s', (word, expression) => {
    const { xform } = form(
      survey(
        'type | name | label | required | read_only | relevant | constraint | calculation',
        'text | a | A | | | | |',
        `text | b | B | ${word} | ${word} | ${word} | ${word} | ${word}`,
      ),
    )
    for (const name of ['required', 'readonly', 'relevant', 'constraint', 'calculate'])
      expect(bindOf(xform, '/data/b')).toContain(` ${name}="${expression}"`)
  })

  it('messages are text; with a language or a reference they go to itext', () => {
    const { xform } = form(
      survey(
        'type | name | label | constraint_message | required_message | required_message::French (fr) | noAppErrorString',
        'text | a | A | Plain <text> | | |',
        'text | b | B | See ${a} | | | Gone ${a}',
        'text | c | C | | Needed | Il faut |',
      ),
    )
    expect(bindOf(xform, '/data/a')).toContain(' jr:constraintMsg="Plain &lt;text&gt;"')
    expect(bindOf(xform, '/data/b')).toContain(` jr:constraintMsg="jr:itext('/data/b:jr:constraintMsg')"`)
    expect(bindOf(xform, '/data/b')).toContain(' jr:noAppErrorString="Gone ${a}"')
    expect(xform).toContain(
      '<text id="/data/b:jr:constraintMsg"><value> See <output value=" /data/a "/> </value></text>',
    )
    expect(bindOf(xform, '/data/c')).toContain(` jr:requiredMsg="jr:itext('/data/c:jr:requiredMsg')"`)
  })

  it('a question may refer to itself', () => {
    const { xform } = form(survey('type | name | label | constraint', 'integer | a | A | ${a} > 1 and . < 5'))
    expect(bindOf(xform, '/data/a')).toContain('constraint=" /data/a  &gt; 1 and . &lt; 5"')
  })

  it('line breaks in expressions and messages survive', () => {
    const csv = 'survey\n,type,name,label,relevant,constraint_message\n,text,a,A,"1 = 1\nand 2 = 2","one\ntwo"\n'
    const { xform, model } = form(csv)
    expect(xform).toContain('relevant="1 = 1&#10;and 2 = 2"')
    expect(model.children[0]).toMatchObject({ constraintMessages: [{ text: 'one\ntwo' }] })
  })
})
