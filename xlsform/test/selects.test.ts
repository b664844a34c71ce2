import { describe, expect, it } from 'vitest'
import { controlOf, form } from './support/compile.js'
import { choices, sheet, survey } from './support/mistakes.js'

const itemsetOf = (xform: string, path: string): string | undefined =>
  controlOf(xform, path)?.match(/<itemset.*<\/itemset>/)?.[0]

describe('spellings of selects', () => {
  it.each([
    ['select_one yn', 'select1'],
    ['select one yn', 'select1'],
    ['select one from yn', 'select1'],
    ['select1 yn', 'select1'],
    ['add select one prompt using yn', 'select1'],
    ['select_multiple yn', 'select'],
    ['select all that apply yn', 'select'],
    ['select all that apply from yn', 'select'],
    ['add select multiple prompt using yn', 'select'],
    ['rank yn', 'odk:rank'],
  ])('%s', (type, control) => {
    expect(controlOf(form(`${survey('type | name | label', `${type} | q | Q`)}\n${choices}`).xform, '/data/q')).toBe(
      `<${control} ref="/data/q"><label>Q</label><itemset nodeset="instance('yn')/root/item">` +
        `<value ref="name"/><label ref="label"/></itemset></${control}>`,
    )
  })

  it('rank has its own type of bind', () => {
    expect(form(`${survey('type | name | label', 'rank yn | q | Q')}\n${choices}`).xform).toContain(
      '<bind nodeset="/data/q" type="odk:rank"/>',
    )
  })

  it.each(['or_other', 'or other', 'or specify other'])('%s adds the choice once and a question', (suffix) => {
    const { xform } = form(
      `${survey('type | name | label', `select_one yn ${suffix} | q | Q`, `select_multiple yn ${suffix} | r | R`)}\n${choices}`,
    )
    expect(xform.match(/<name>other<\/name>/g)).toHaveLength(1)
    expect(xform).toContain('<q/><q_other/><r/><r_other/>')
  })

  it('or_other keeps a choice other that exists', () => {
    const own = sheet('choices', ['list_name | name | label', 'l | other | Something else'])
    const { xform } = form(`${survey('type | name | label', 'select_one l or_other | q | Q')}\n${own}`)
    expect(xform).toContain('<root><item><name>other</name><label>Something else</label></item></root>')
  })

  it('or_other labels a translated list in every language', () => {
    const own = sheet('choices', ['list_name | name | label::English (en) | label::French (fr)', 'l | a | A | Afr'])
    const { xform } = form(`${survey('type | name | label', 'select_one l or_other | q | Q')}\n${own}`)
    expect(xform.match(/<text id="l-1"><value>Other<\/value><\/text>/g)).toHaveLength(2)
  })
})

describe('lists', () => {
  it('are written in order of first appearance, used or not; rows without a list are dropped', () => {
    const own = sheet('choices', [
      'list_name | name | label | x y | z',
      'b | 1 | One | drop | zed',
      'a | 2 | | |',
      ' | 3 | Three | |',
      'b | 4 | Four | | ',
    ])
    const { xform } = form(`${survey('type | name | label', 'select_one b | q | Q')}\n${own}`)
    expect(xform).toContain(
      '<instance id="b"><root><item><name>1</name><label>One</label><z>zed</z></item><item><name>4</name><label>Four</label></item></root></instance>' +
        '<instance id="a"><root><item><name>2</name></item></root></instance>',
    )
  })

  it.each([
    ['media', 'image', 'x.png'],
    ['a language', 'label::French (fr)', 'Xfr'],
    ['a reference', 'label', '${t}'],
  ])('%s in one choice sends the texts of the whole list to itext', (_, header, value) => {
    const own = sheet('choices', [`list_name | name | ${header} | extra`, `l | a | ${value} | e`, 'l | b | | '])
    const { xform } = form(`${survey('type | name | label', 'text | t | T', 'select_one l | q | Q')}\n${own}`)
    expect(xform).toContain(
      '<item><itextId>l-0</itextId><name>a</name><extra>e</extra></item><item><itextId>l-1</itextId><name>b</name></item>',
    )
    expect(itemsetOf(xform, '/data/q')).toContain('<label ref="jr:itext(itextId)"/>')
    expect(xform).toContain('<text id="l-0">')
    expect(xform).toContain('<text id="l-1"><value>-</value></text>')
  })

  it('references in labels of choices are absolute, even from within a repeat', () => {
    const own = sheet('choices', ['list_name | name | label', 'l | a | A ${t}'])
    const { xform } = form(
      `${survey('type | name | label', 'begin repeat | r | R', 'text | t | T', 'select_one l | q | Q', 'end repeat | |')}\n${own}`,
    )
    expect(xform).toContain('<text id="l-0"><value> A <output value=" /data/r/t "/> </value></text>')
  })

  it('sms_option is the last element of an item', () => {
    const own = sheet('choices', ['list_name | sms_option | name | label | x', 'l | s | a | A | y'])
    expect(form(`${survey('type | name | label', 'select_one l | q | Q')}\n${own}`).xform).toContain(
      '<x>y</x><sms_option>s</sms_option></item>',
    )
  })
})

describe('randomize', () => {
  it.each([
    ['randomize=true', "randomize(instance('yn')/root/item)"],
    ['randomize=false', "instance('yn')/root/item"],
    ['randomize=true, seed=7', "randomize(instance('yn')/root/item, 7)"],
    ['randomize = true ; seed = ${MySeed}', "randomize(instance('yn')/root/item,  /data/MySeed )"],
  ])('%s', (parameters, nodeset) => {
    const rows = survey(
      'type | name | label | parameters',
      'integer | MySeed | S |',
      `select_one yn | q | Q | ${parameters}`,
    )
    expect(itemsetOf(form(`${rows}\n${choices}`).xform, '/data/q')).toContain(`<itemset nodeset="${nodeset}">`)
  })
})

describe('choices from files', () => {
  it.each([
    ['select_one_from_file', 'cities.csv', 'jr://file-csv/cities.csv', 'name', 'label', 'select1'],
    ['select_multiple_from_file', 'cities.xml', 'jr://file/cities.xml', 'name', 'label', 'select'],
    ['select one from file', 'cities.geojson', 'jr://file/cities.geojson', 'id', 'title', 'select1'],
  ])('%s %s', (command, file, src, value, label, control) => {
    const { xform } = form(survey('type | name | label', `${command} ${file} | q | Q`))
    expect(xform).toContain(`<instance id="cities" src="${src}"/>`)
    expect(controlOf(xform, '/data/q')).toBe(
      `<${control} ref="/data/q"><label>Q</label><itemset nodeset="instance('cities')/root/item"><value ref="${value}"/><label ref="${label}"/></itemset></${control}>`,
    )
  })

  it('value and label name other columns, case kept', () => {
    const { xform } = form(
      survey('type | name | label | parameters', 'select_one_from_file c.csv | q | Q | value=Code label=Title'),
    )
    expect(itemsetOf(xform, '/data/q')).toContain('<value ref="Code"/><label ref="Title"/>')
  })

  it('external rows and pulldata declare instances, one source once', () => {
    const { xform } = form(
      survey(
        'type | name | label | calculation | relevant | choice_filter | default',
        'csv-external | a | | | | |',
        'xml-external | b | | | | |',
        "calculate | c | | pulldata('a', 'x', 'y', 'z') | | |",
        'text | d | D | | pulldata("e", "x", "y", "z") = 1 | |',
        "text | f | F | | | | pulldata('g', 'x', 'y', 'z')",
      ),
    )
    expect(xform.match(/<instance id="[^>]*>/g)).toEqual([
      '<instance id="a" src="jr://file-csv/a.csv"/>',
      '<instance id="b" src="jr://file/b.xml"/>',
      '<instance id="e" src="jr://file-csv/e.csv"/>',
      '<instance id="g" src="jr://file-csv/g.csv"/>',
    ])
    expect(xform).toContain(`calculate="pulldata('a', 'x', 'y', 'z')"`)
    expect(xform).not.toContain('<a/>')
  })
})

describe('choice filters', () => {
  it('inside a repeat references start at the question', () => {
    const { xform } = form(
      `${survey('type | name | label | choice_filter', 'text | o | O |', 'begin repeat | r | R |', 'text | t | T |', 'select_one yn | q | Q | a = ${t} and b = ${o}', 'end repeat | | |')}\n${choices}`,
    )
    expect(itemsetOf(xform, '/data/r/q')).toContain('item[a =  current()/../t  and b =  /data/o ]')
  })
})

describe('search()', () => {
  it('writes the choices into the control instead of an instance', () => {
    const own = sheet('choices', ['list_name | name | label', 'l | a | A', 'l | b | B'])
    const { xform } = form(
      `${survey('type | name | label | appearance', "select_one l | q | Q | quick search('f')")}\n${own}`,
    )
    expect(controlOf(xform, '/data/q')).toBe(
      `<select1 ref="/data/q" appearance="quick search('f')"><label>Q</label><item><label>A</label><value>a</value></item><item><label>B</label><value>b</value></item></select1>`,
    )
    expect(xform).not.toContain('<instance id="l">')
  })

  it('uses itext where the list needs it', () => {
    const own = sheet('choices', ['list_name | name | label::French (fr)', 'l | a | A'])
    const { xform } = form(
      `${survey('type | name | label | appearance', "select_one l | q | Q | search('f')")}\n${own}`,
    )
    expect(xform).toContain(`<item><label ref="jr:itext('l-0')"/><value>a</value></item>`)
  })
})

describe('external choices', () => {
  const external = sheet('external_choices', [
    'list name | name | label | state',
    'ci | a | say "A" | tx',
    'ci | b | B | ',
  ])

  it('give a query and itemsets.csv', () => {
    const { xform, itemsets } = form(
      `${survey('type | name | label | choice_filter', 'text | s | S |', 'select_one_external ci | q | Q | state=${s}')}\n${external}`,
    )
    expect(controlOf(xform, '/data/q')).toBe(
      `<input ref="/data/q" query="instance('ci')/root/item[state= /data/s ]"><label>Q</label></input>`,
    )
    expect(xform).not.toContain('<instance id="ci"')
    expect(itemsets).toBe('"list_name","name","label","state"\r\n"ci","a","say ""A""","tx"\r\n"ci","b","B",""\r\n')
  })

  it('without a filter there are no brackets, but a warning', () => {
    const { xform, warnings } = form(`${survey('type | name | label', 'select_one_external ci | q | Q')}\n${external}`)
    expect(xform).toContain(`query="instance('ci')/root/item"`)
    expect(warnings.map(({ code }) => code)).toEqual(['external-without-filter'])
  })

  it('without such a select there is no itemsets.csv', () => {
    expect(form(`${survey('type | name | label', 'text | q | Q')}\n${external}`).itemsets).toBeUndefined()
  })
})

describe('earlier answers', () => {
  const within = (...rows: string[]): string => form(survey('type | name | label | choice_filter', ...rows)).xform

  it('without a filter leave out empty answers', () => {
    const xform = within('begin repeat | p | P |', 'text | nm | N |', 'end repeat | | |', 'select_one ${nm} | q | Q |')
    expect(itemsetOf(xform, '/data/q')).toBe(
      `<itemset nodeset="/data/p[./nm != '']"><value ref="nm"/><label ref="nm"/></itemset>`,
    )
  })

  it('from within the same repeat offer all its instances', () => {
    const xform = within(
      'text | o | O |',
      'begin repeat | p | P |',
      'text | nm | N |',
      'integer | age | A |',
      'select_one ${nm} | q | Q | ${age} > 5 and ${o} = 1',
      'end repeat | | |',
    )
    expect(itemsetOf(xform, '/data/p/q')).toContain('nodeset="../../p[ ./age  &gt; 5 and  /data/o  = 1]"')
  })

  it('keep what is outside of the answers relative to the question', () => {
    const xform = within(
      'begin repeat | h | H |',
      'text | own | O |',
      'begin repeat | p | P |',
      'text | nm | N |',
      'end repeat | | |',
      'select_one ${nm} | q | Q | ${nm} != ${own}',
      'end repeat | | |',
    )
    expect(itemsetOf(xform, '/data/h/q')).toContain('nodeset="../p[ ./nm  !=  current()/../own ]"')
  })
})

describe('osm', () => {
  it('writes a tag for each row of its list', () => {
    const { xform } = form(
      `${survey('type | name | label', 'osm tags | q | Q')}\n${sheet('osm', ['list_name | name | label', 'tags | building | Building', 'tags | name | Name'])}`,
    )
    expect(controlOf(xform, '/data/q')).toBe(
      '<upload ref="/data/q" mediatype="osm/*"><label>Q</label><tag key="building"><label>Building</label></tag><tag key="name"><label>Name</label></tag></upload>',
    )
  })
})
