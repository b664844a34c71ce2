import { describe, expect, it } from 'vitest'
import { bindOf, form } from './support/compile.js'
import { choices, sheet, survey } from './support/mistakes.js'

describe('groups', () => {
  it.each(['begin group|end group', 'begin_group|end_group', 'begin group|end_group'])('%s', (pair) => {
    const [begin, end] = pair.split('|')
    const { xform } = form(
      survey(
        'type | name | label | appearance',
        `${begin} | g | G | field-list`,
        'text | a | A |',
        `${end} | other | |`,
      ),
    )
    expect(xform).toContain('<g><a/></g>')
    expect(xform).toContain('<group ref="/data/g" appearance="field-list"><label>G</label><input ref="/data/g/a">')
    expect(bindOf(xform, '/data/g')).toBeUndefined()
  })

  it('have a label element only with a label, and a bind without a type only with bind columns', () => {
    const { xform } = form(
      survey(
        'type | name | label | relevant | intent',
        'begin group | g | | 1 = 1 | org.app',
        'text | a | A | |',
        'end group | | | |',
      ),
    )
    expect(xform).toContain('<group ref="/data/g" intent="org.app"><input')
    expect(bindOf(xform, '/data/g')).toBe('<bind nodeset="/data/g" relevant="1 = 1"/>')
  })

  it('may be empty; the body then shows them unbound, since clients take the element for a question', () => {
    const { xform } = form(survey('type | name | label', 'text | a | A', 'begin group | g | G', 'end group | |'))
    expect(xform).toContain('<a/><g></g>')
    expect(xform).toContain('<group><label>G</label></group>')
  })
})

describe('repeats', () => {
  it.each([
    'begin repeat|end repeat',
    'begin_repeat|end_repeat',
    'begin lgroup|end lgroup',
    'begin looped group|end looped group',
  ])('%s', (pair) => {
    const [begin, end] = pair.split('|')
    const { xform } = form(
      survey('type | name | label | appearance', `${begin} | r | R | field-list`, 'text | a | A |', `${end} | | |`),
    )
    expect(xform).toContain('<r jr:template=""><a/></r><r><a/></r>')
    expect(xform).toContain(
      '<group ref="/data/r"><label>R</label><repeat nodeset="/data/r" appearance="field-list"><input',
    )
  })

  it('always have a label element, empty when unlabelled', () => {
    const { xform, warnings } = form(
      survey('type | name | label', 'begin repeat | r |', 'text | a | A', 'end repeat | |'),
    )
    expect(xform).toContain('<group ref="/data/r"><label/><repeat nodeset="/data/r">')
    expect(warnings.map(({ code, row }) => [code, row])).toEqual([['repeat-without-label', 2]])
  })

  it('nested in a group of a repeat appear once in the template and once in the plain copy', () => {
    const { xform } = form(
      survey(
        'type | name | label',
        'begin repeat | a | A',
        'begin group | g | G',
        'begin repeat | b | B',
        'text | t | T',
        'end repeat | |',
        'end group | |',
        'end repeat | |',
      ),
    )
    expect(xform).toContain('<a jr:template=""><g><b jr:template=""><t/></b></g></a><a><g><b><t/></b></g></a>')
  })

  it('in a group are written twice there', () => {
    const { xform } = form(
      survey(
        'type | name | label',
        'begin group | g | G',
        'begin repeat | b | B',
        'text | t | T',
        'end repeat | |',
        'end group | |',
      ),
    )
    expect(xform).toContain('<g><b jr:template=""><t/></b><b><t/></b></g>')
  })

  it.each([
    ['3', '3'],
    ['${n} + 1', ' /data/n  + 1'],
  ])('a count of %s is calculated in a helper before the repeat', (count, calculate) => {
    const { xform } = form(
      survey(
        'type | name | label | repeat_count',
        'integer | n | N |',
        `begin repeat | r | R | ${count}`,
        'text | a | A |',
        'end repeat | | |',
      ),
    )
    expect(xform).toContain('<n/><r_count/><r jr:template="">')
    expect(bindOf(xform, '/data/r_count')).toBe(
      `<bind nodeset="/data/r_count" type="string" readonly="true()" calculate="${calculate}"/>`,
    )
    expect(xform).toContain('jr:count=" /data/r_count "')
  })

  it('the helper of a nested repeat is found relative to it', () => {
    const { xform } = form(
      survey(
        'type | name | label | repeat_count',
        'begin repeat | a | A |',
        'begin repeat | b | B | 2',
        'text | t | T |',
        'end repeat | | |',
        'end repeat | | |',
      ),
    )
    expect(xform).toContain('<repeat nodeset="/data/a/b" jr:count=" ../b_count ">')
  })
})

describe('names', () => {
  it('may be the same in different containers', () => {
    const { xform } = form(
      survey('type | name | label', 'text | a | A', 'begin group | g | G', 'text | a | A', 'end group | |'),
    )
    expect(xform).toContain('<a/><g><a/></g>')
  })

  it.each(['é', '_x', 'a-b', 'a.b', 'ABC1', 'имя', '名', 'orx:extra'])('%s is a name', (name) => {
    expect(form(survey('type | name | label', `text | ${name} | A`)).xform).toContain(`<${name}/>`)
  })
})

describe('table-list', () => {
  it('without a label and hint has no generated note', () => {
    const { xform } = form(
      `${survey('type | name | label | appearance', 'begin group | t | | table-list', 'select_multiple yn | q | Q |', 'end group | | |')}\n${choices}`,
    )
    expect(xform).not.toContain('generated_table_list_label')
    expect(xform).toContain('<t><reserved_name_for_field_list_labels_3/><q/></t>')
    expect(xform).toContain(
      '<select ref="/data/t/reserved_name_for_field_list_labels_3" appearance="label"><label> </label>',
    )
  })
})

describe('loops', () => {
  const list = sheet('choices', [
    'list_name | name | label::English (en) | label::French (fr)',
    'l | a | Apple | Pomme',
    'l | none | None | Rien',
    'l | b | Bean | Haricot',
  ])

  it.each(['begin loop over l|end loop', 'begin_loop l|end_loop'])(
    '%s copy the questions for each choice but none',
    (pair) => {
      const [begin, end] = pair.split('|')
      const { xform } = form(
        `${survey('type | name | label::English (en) | label::French (fr) | relevant', `${begin} | f | F | Ffr |`, "integer | n | How many %(label)s? | Combien de %(label)s ? | '%(name)s' != 'x'", `${end} | | | |`)}\n${list}`,
      )
      expect(xform).toContain('<f><a><n/></a><b><n/></b></f>')
      expect(xform).toContain('<text id="/data/f/a/n:label"><value>How many Apple?</value></text>')
      expect(xform).toContain('<text id="/data/f/b/n:label"><value>Combien de Haricot ?</value></text>')
      expect(xform).toContain('<text id="/data/f/b:label"><value>Haricot</value></text>')
      expect(bindOf(xform, '/data/f/b/n')).toContain(`relevant="'b' != 'x'"`)
    },
  )

  it.each(['before', 'inside', 'after'])('have the branch of an or_other select that stands %s', (where) => {
    const select = 'select_multiple l or_other | s | S'
    const rows = ['begin loop over l | f | F', 'integer | n | %(label)s', 'end loop | |']
    rows.splice({ before: 0, inside: 2, after: 3 }[where] ?? 0, 0, select)
    const own = sheet('choices', ['list_name | name | label', 'l | a | Apple'])
    const { xform } = form(`${survey('type | name | label', ...rows)}\n${own}`)
    expect(xform).toMatch(/<f><a><n\/>.*<\/a><other><n\/>.*<\/other><\/f>/)
    expect(xform).toContain(
      '<group ref="/data/f/other"><label>Other</label><input ref="/data/f/other/n"><label>Other</label>',
    )
    expect(xform.match(/<name>other<\/name>/g)).toHaveLength(1)
  })

  it('have no branch of an or_other select that is disabled, or of another list', () => {
    const rows = [
      'begin loop over l | f | F |',
      'integer | n | N |',
      'end loop | | |',
      'select_one l or_other | s | S | yes',
      'select_one m or_other | t | T |',
    ]
    const own = sheet('choices', ['list_name | name | label', 'l | a | Apple', 'm | x | X'])
    expect(form(`${survey('type | name | label | disabled', ...rows)}\n${own}`).xform).toContain('<f><a><n/></a></f>')
  })

  it('nest', () => {
    const { xform } = form(
      `${survey('type | name | label', 'begin loop over l | f | F', 'begin loop over l | g | G', 'text | t | T', 'end loop | |', 'end loop | |')}\n${list}`,
    )
    expect(xform).toContain('<f><a><g><a><t/></a><b><t/></b></g></a><b><g>')
  })
})
