import { describe, expect, it } from 'vitest'
import { form, xformOf } from './support/compile.js'
import { sheet, survey } from './support/mistakes.js'

const everything = xformOf(
  `${survey(
    'type | name | label | label::French (fr) | calculation | default | choice_filter',
    'select_one_from_file f.csv | a | A | Afr | | |',
    'select_one l | b | B | Bfr | | ${last-saved#b} |',
    'calculate | c | | | 1 | |',
  )}
   ${sheet('choices', ['list_name | name | label', 'l | x | X'])}
   ${sheet('settings', ['submission_url | style | version', 'https://e.org | pages | 1'])}`,
)

describe('the document', () => {
  it('starts with the XML declaration and declares every namespace', () => {
    expect(everything).toMatch(/^<\?xml version="1.0"\?>\n<h:html xmlns="http:\/\/www.w3.org\/2002\/xforms" /)
    for (const [prefix, uri] of [
      ['h', 'http://www.w3.org/1999/xhtml'],
      ['ev', 'http://www.w3.org/2001/xml-events'],
      ['xsd', 'http://www.w3.org/2001/XMLSchema'],
      ['jr', 'http://openrosa.org/javarosa'],
      ['orx', 'http://openrosa.org/xforms'],
      ['odk', 'http://www.opendatakit.org/xforms'],
    ])
      expect(everything).toContain(` xmlns:${prefix}="${uri}"`)
    expect(everything).not.toContain('xmlns:entities')
    expect(everything).not.toContain('<!DOCTYPE')
  })

  it('has its parts in order', () => {
    const parts = [
      '<h:head><h:title>',
      '<model odk:xforms-version="1.0.0">',
      '<submission ',
      '<itext>',
      '<instance><data ',
      '<instance id="f" src=',
      '<instance id="__last-saved"',
      '<instance id="l"><root>',
      '<bind nodeset="/data/a"',
      '<bind nodeset="/data/b"',
      '<setvalue ref="/data/b"',
      '<bind nodeset="/data/c"',
      '<bind nodeset="/data/meta/instanceID"',
      '</model></h:head>',
      '<h:body class="pages">',
      '</h:body></h:html>',
    ]
    const positions = parts.map((part) => everything.indexOf(part))
    expect(positions).not.toContain(-1)
    expect(positions).toEqual([...positions].sort((a, b) => a - b))
  })

  it('leaves out the parts without content', () => {
    const xform = xformOf(survey('type | name | label', 'text | a | A'))
    for (const part of ['<submission', '<itext', '<instance id', 'class=', '<setvalue'])
      expect(xform).not.toContain(part)
  })

  it('escapes text and attributes', () => {
    const { xform } = form(
      survey('type | name | label | relevant | default', 'text | a | 1 < 2 & 3 > 2 "q" | . != "<&>" | <&>"'),
    )
    expect(xform).toContain('<label>1 &lt; 2 &amp; 3 &gt; 2 "q"</label>')
    expect(xform).toContain('relevant=". != &quot;&lt;&amp;&gt;&quot;"')
    expect(xform).toContain('<a>&lt;&amp;&gt;"</a>')
  })

  it('meta has audit, instanceID and instanceName in this order', () => {
    const { xform } = form(
      `${survey('type | name | label', 'audit | |', 'text | a | A')}\n${sheet('settings', ['instance_name', "'x'"])}`,
    )
    expect(xform).toContain('<a/><meta><audit/><instanceID/><instanceName/></meta></data>')
  })

  it('grows with the form and no faster', () => {
    const time = (questions: number): number => {
      const rows = Array.from(
        { length: questions },
        (_, index) => `text | q${index} | Question \${q${Math.max(0, index - 1)}} | \${q0} != ''`,
      )
      const markdown = survey('type | name | label | relevant', 'text | q0 | Q |', ...rows.slice(1))
      form(markdown)
      // Of the processor, and the least of several: a busy machine changes little in it.
      const runs = [1, 2, 3].map(() => {
        const start = process.cpuUsage()
        form(markdown)
        const { user, system } = process.cpuUsage(start)
        return (user + system) / 1000
      })
      return Math.min(...runs)
    }
    time(500)
    // Eight times the questions may take up to sixteen times as long before this is called worse than linear.
    expect(time(4000)).toBeLessThan(time(500) * 16 + 200)
  })
})
