// @vitest-environment jsdom
import { describe, expect, it } from 'vitest'
import { xformOf } from './support/compile.js'
import { choices, sheet, survey } from './support/mistakes.js'
import { danglingReferences } from './support/static-check.js'

const xform = xformOf(
  `${survey(
    'type | name | label::English (en) | label::French (fr) | relevant | repeat_count | choice_filter',
    'integer | n | N | Nfr | | |',
    'begin repeat | r | R | Rfr | | ${n} |',
    'select_one yn | a | A | Afr | ${n} > 1 | | name != ${b}',
    'text | b | B ${n} | Bfr | ${a} = 1 | |',
    'end repeat | | | | | |',
  )}\n${choices}\n${sheet('settings', ['default_language', 'English (en)'])}`,
)

// The corpus is only as good as the check it passes, so the check is shown faults of every kind.
describe('the static check', () => {
  it('finds nothing in a sound form', () => {
    expect(danglingReferences(xform)).toEqual([])
  })

  it.each([
    ['a bind of nothing', '<bind nodeset="/data/n"', '<bind nodeset="/data/m"'],
    ['a control of nothing', '<input ref="/data/n"', '<input ref="/data/m"'],
    ['an absolute path to nothing', 'relevant=" /data/n  &gt; 1"', 'relevant=" /data/m  &gt; 1"'],
    ['a relative path to nothing', 'relevant=" ../a  = 1"', 'relevant=" ../../a  = 1"'],
    ['a filter with a path to nothing', 'current()/../b', 'current()/../c'],
    ['a label with a path to nothing', '<output value=" /data/n "/>', '<output value=" /data/m "/>'],
    ['a count of nothing', 'jr:count=" /data/n "', 'jr:count=" /data/m "'],
    ['an itext id that is missing', "jr:itext('/data/n:label')", "jr:itext('/data/m:label')"],
    ['an itext id in one language only', '<text id="/data/n:label"><value>Nfr</value></text>', ''],
    ['an instance that is not declared', "instance('yn')", "instance('ny')"],
    ['items without the element asked for', '<value ref="name"/>', '<value ref="nome"/>'],
    ['XML that is not well-formed', '</h:body>', ''],
  ])('finds %s', (_, sound, broken) => {
    expect(xform).toContain(sound)
    expect(danglingReferences(xform.replace(sound, broken))).not.toEqual([])
  })
})
