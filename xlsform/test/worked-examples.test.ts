import { describe, expect, it } from 'vitest'
import { parseXForm } from '../src/parse/parse-xform.js'
import { form } from './support/compile.js'

// Every fragment must stand in the XForm, and the XForm must mean the same when it is parsed back.
const expectFragments = (markdown: string, fragments: string[]): void => {
  const { xform, model } = form(markdown)
  for (const fragment of fragments) expect(xform).toContain(fragment.replace(/\n\s*/g, ''))
  expect(parseXForm(xform)).toEqual(model)
}

describe('worked examples of the specification', () => {
  it('1: a minimal form', () => {
    expectFragments('| survey |\n| | type | name | label | hint |\n| | text | name | Your name? | Full |', [
      '<instance><data id="data"><name/><meta><instanceID/></meta></data></instance>',
      '<bind nodeset="/data/name" type="string"/>',
      '<h:body><input ref="/data/name"><label>Your name?</label><hint>Full</hint></input></h:body>',
    ])
  })

  it('2: a cascade', () => {
    expectFragments(
      `| survey |
       | | type | name | label | choice_filter |
       | | select_one st | state | State | |
       | | select_one ci | city | City | state = \${state} |
       | choices |
       | | list_name | name | label | state |
       | | st | tx | Texas | |
       | | ci | hou | Houston | tx |`,
      [
        '<instance id="st"><root><item><name>tx</name><label>Texas</label></item></root></instance>',
        '<instance id="ci"><root><item><name>hou</name><label>Houston</label><state>tx</state></item></root></instance>',
        '<bind nodeset="/data/state" type="string"/><bind nodeset="/data/city" type="string"/>',
        `<select1 ref="/data/city"><label>City</label>
         <itemset nodeset="instance('ci')/root/item[state =  /data/state ]"><value ref="name"/><label ref="label"/></itemset></select1>`,
      ],
    )
  })

  it('3: two languages', () => {
    expectFragments(
      `| survey |
       | | type | name | label::English (en) | label::French (fr) | required | required_message::French (fr) |
       | | text | a | A \${b} | Afr | yes | Il faut |
       | | integer | b | B | | | |
       | settings |
       | | default_language |
       | | English (en) |`,
      [
        '<translation lang="English (en)" default="true()">',
        '<text id="/data/a:label"><value> A <output value=" /data/b "/> </value></text>',
        '<text id="/data/b:label"><value>B</value></text>',
        '<text id="/data/a:jr:requiredMsg"><value>-</value></text>',
        '<translation lang="French (fr)">',
        '<text id="/data/a:jr:requiredMsg"><value>Il faut</value></text>',
        '<text id="/data/a:label"><value>Afr</value></text>',
        '<text id="/data/b:label"><value>-</value></text>',
        `<bind nodeset="/data/a" type="string" required="true()" jr:requiredMsg="jr:itext('/data/a:jr:requiredMsg')"/>`,
        `<input ref="/data/a"><label ref="jr:itext('/data/a:label')"/></input>`,
      ],
    )
  })

  it('4: nested repeats', () => {
    expectFragments(
      `| survey |
       | | type | name | label | repeat_count | calculation | relevant |
       | | integer | n | N | | | |
       | | begin_repeat | a | A | 3 | | |
       | | text | x | X \${n} | | | |
       | | begin_repeat | b | B | \${n} | | |
       | | text | y | Y of \${x} | | | |
       | | calculate | z | | | position(..) + \${n} | |
       | | end_repeat | | | | | |
       | | begin_group | g | G | | | |
       | | text | w | W | | | \${x} = 'q' and \${n} > 1 |
       | | end_group | | | | | |
       | | end_repeat | | | | | |
       | | calculate | first | | | indexed-repeat(\${x}, \${a}, 1) | |
       | | calculate | all | | | sum(\${z}) + count(\${b}) | |`,
      [
        `<data id="data"><n/><a_count/>
         <a jr:template=""><x/><b jr:template=""><y/><z/></b><g><w/></g></a>
         <a><x/><b><y/><z/></b><g><w/></g></a>
         <first/><all/><meta><instanceID/></meta></data>`,
        '<bind nodeset="/data/a_count" type="string" readonly="true()" calculate="3"/>',
        '<bind nodeset="/data/a/b/z" type="string" calculate="position(..) +  /data/n "/>',
        `<bind nodeset="/data/a/g/w" type="string" relevant=" ../../x  = 'q' and  /data/n  &gt; 1"/>`,
        '<bind nodeset="/data/first" type="string" calculate="indexed-repeat( /data/a/x ,  /data/a , 1)"/>',
        '<bind nodeset="/data/all" type="string" calculate="sum( /data/a/b/z ) + count( /data/a/b )"/>',
        `<group ref="/data/a"><label>A</label><repeat nodeset="/data/a" jr:count=" /data/a_count ">
         <input ref="/data/a/x"><label> X <output value=" /data/n "/> </label></input>
         <group ref="/data/a/b"><label>B</label><repeat nodeset="/data/a/b" jr:count=" /data/n ">
         <input ref="/data/a/b/y"><label> Y of <output value=" ../../x "/> </label></input></repeat></group>
         <group ref="/data/a/g"><label>G</label><input ref="/data/a/g/w"><label>W</label></input></group>
         </repeat></group>`,
      ],
    )
  })

  it('5: defaults and triggers', () => {
    expectFragments(
      `| survey |
       | | type | name | label | default | trigger | calculation |
       | | text | t | T | hello | | |
       | | date | d | D | today() | | |
       | | begin repeat | r | R | | | |
       | | text | rt | RT | concat(\${t}, '-') | | |
       | | end repeat | | | | | |
       | | dateTime | when | | | \${t} | now() |`,
      [
        '<data id="data"><t>hello</t><d/><r jr:template=""><rt/></r><r><rt/></r><when/>',
        '<bind nodeset="/data/d" type="date"/><setvalue ref="/data/d" event="odk-instance-first-load" value="today()"/>',
        `<bind nodeset="/data/r/rt" type="string"/>
         <setvalue ref="/data/r/rt" event="odk-instance-first-load" value="concat( /data/t , '-')"/>`,
        '<bind nodeset="/data/when" type="dateTime"/>',
        '<input ref="/data/t"><label>T</label><setvalue ref="/data/when" event="xforms-value-changed" value="now()"/></input>',
        `<group ref="/data/r"><label>R</label><repeat nodeset="/data/r"><input ref="/data/r/rt"><label>RT</label></input>
         <setvalue ref="/data/r/rt" event="odk-new-repeat" value="concat( /data/t , '-')"/></repeat></group>`,
      ],
    )
  })

  it('6: earlier answers', () => {
    expectFragments(
      `| survey |
       | | type | name | label | choice_filter |
       | | begin repeat | p | P | |
       | | text | nm | N | |
       | | integer | age | A | |
       | | end repeat | | | |
       | | select_one \${nm} | adult | Adult | \${age} > 17 |`,
      [
        `<select1 ref="/data/adult"><label>Adult</label>
         <itemset nodeset="/data/p[ ./age  &gt; 17]"><value ref="nm"/><label ref="nm"/></itemset></select1>`,
      ],
    )
  })

  it('7: media and guidance', () => {
    expectFragments(
      `| survey |
       | | type | name | label | image | big-image | guidance_hint |
       | | text | a | A | | | |
       | | text | d | D | d.png | dbig.png | |
       | | text | b | B | | | Guide \${a} |`,
      [
        '<translation lang="default" default="true()">',
        '<text id="/data/b:hint"><value form="guidance"> Guide <output value=" /data/a "/> </value></text>',
        '<text id="/data/d:label"><value>D</value><value form="image">jr://images/d.png</value><value form="big-image">jr://images/dbig.png</value></text>',
        `<input ref="/data/b"><label>B</label><hint ref="jr:itext('/data/b:hint')"/></input>`,
      ],
    )
  })

  it('8: an entity in a repeat', () => {
    expectFragments(
      `| survey |
       | | type | name | label | save_to |
       | | begin repeat | r | R | |
       | | text | a | A | p1 |
       | | end repeat | | | |
       | entities |
       | | list_name | label |
       | | trees | \${a} |`,
      [
        '<model odk:xforms-version="1.0.0" entities:entities-version="2025.1.0">',
        '<r jr:template=""><a/><meta><entity dataset="trees" create="1" id=""><label/></entity></meta></r>',
        '<r><a/><meta><entity dataset="trees" create="1" id=""><label/></entity></meta></r>',
        '<bind nodeset="/data/r/a" type="string" entities:saveto="p1"/>',
        '<bind nodeset="/data/r/meta/entity/@id" readonly="true()" type="string"/>',
        '<setvalue ref="/data/r/meta/entity/@id" event="odk-instance-first-load" value="uuid()"/>',
        '<bind nodeset="/data/r/meta/entity/label" calculate=" ../../../a " readonly="true()" type="string"/>',
        '<setvalue ref="/data/r/meta/entity/@id" event="odk-new-repeat" value="uuid()"/></repeat>',
        'xmlns:entities="http://www.opendatakit.org/xforms/entities"',
      ],
    )
  })

  it('9: settings', () => {
    expectFragments(
      `| survey |
       | | type | name | label |
       | | text | a | A |
       | settings |
       | | form_title | form_id | version | style | public_key | submission_url | instance_name | name |
       | | My form | my_form | 7 | pages | MIIB | https://e.org/s | concat(\${a}, '!') | root_el |`,
      [
        '<h:title>My form</h:title>',
        '<submission action="https://e.org/s" method="post" base64RsaPublicKey="MIIB"/>',
        '<root_el id="my_form" version="7"><a/><meta><instanceID/><instanceName/></meta></root_el>',
        `<bind nodeset="/root_el/meta/instanceName" type="string" calculate="concat( /root_el/a , '!')"/>`,
        '<h:body class="pages">',
      ],
    )
  })

  it('10: or_other, table-list and an external select', () => {
    expectFragments(
      `| survey |
       | | type | name | label |
       | | select_one c or_other | a | A |
       | choices |
       | | list_name | name | label |
       | | c | x | X |`,
      [
        '<instance id="c"><root><item><name>x</name><label>X</label></item><item><name>other</name><label>Other</label></item></root></instance>',
        `<bind nodeset="/data/a_other" type="string" relevant="selected(../a, 'other')"/>`,
        '<input ref="/data/a_other"><label>Specify other.</label></input>',
      ],
    )
    const itemset = `<itemset nodeset="instance('yn')/root/item"><value ref="name"/><label ref="label"/></itemset>`
    expectFragments(
      `| survey |
       | | type | name | label | hint | appearance |
       | | begin group | t | Table | Hint | table-list compact |
       | | select_one yn | q1 | Q1 | | |
       | | select_one yn | q2 | Q2 | | |
       | | end group | | | | |
       | choices |
       | | list_name | name | label |
       | | yn | y | Yes |`,
      [
        `<group ref="/data/t" appearance="field-list compact">
         <input ref="/data/t/generated_table_list_label_2"><label>Table</label><hint>Hint</hint></input>
         <select1 ref="/data/t/reserved_name_for_field_list_labels_3" appearance="label"><label> </label>${itemset}</select1>
         <select1 ref="/data/t/q1" appearance="list-nolabel"><label>Q1</label>${itemset}</select1>
         <select1 ref="/data/t/q2" appearance="list-nolabel"><label>Q2</label>${itemset}</select1></group>`,
      ],
    )
    expectFragments(
      `| survey |
       | | type | name | label | choice_filter |
       | | text | state | State | |
       | | select_one_external ci | city | City | state=\${state} |
       | external_choices |
       | | list_name | name | label | state |
       | | ci | hou | Houston | tx |`,
      [`<input ref="/data/city" query="instance('ci')/root/item[state= /data/state ]"><label>City</label></input>`],
    )
  })
})
