import { describe, expect, it } from 'vitest'
import type { FormModel } from '../src/model/model.js'
import { parseXForm } from '../src/parse/parse-xform.js'
import { bindOf, controlOf, form } from './support/compile.js'
import { sheet, survey } from './support/mistakes.js'

describe('headers', () => {
  it.each([
    ['relevant', 'relevant'],
    ['relevance', 'relevant'],
    ['bind::relevant', 'relevant'],
    ['Relevant', 'relevant'],
    ['required', 'required'],
    ['constraint', 'constraint'],
    ['Constraint', 'constraint'],
    ['calculation', 'calculate'],
    ['calculate', 'calculate'],
    ['READ ONLY', 'readonly'],
    ['readonly', 'readonly'],
    ['Constraint Message', 'jr:constraintMsg'],
    ['constraining_message', 'jr:constraintMsg'],
    ['required_message', 'jr:requiredMsg'],
    ['requiredMsg', 'jr:requiredMsg'],
    ['noAppErrorString', 'jr:noAppErrorString'],
    ['no_app_error_string', 'jr:noAppErrorString'],
    ['bind::odk:length', 'odk:length'],
    ['bind:jr:constraintMsg', 'jr:constraintMsg'],
  ])('%s is the attribute %s of the bind', (header, attribute) => {
    const { xform } = form(survey(`type | name | label | ${header}`, 'text | q | Q | 1'))
    expect(bindOf(xform, '/data/q')).toBe(`<bind nodeset="/data/q" type="string" ${attribute}="1"/>`)
  })

  it.each([
    ['appearance', 'appearance'],
    ['control::appearance', 'appearance'],
    ['body::class', 'class'],
    ['body:class', 'class'],
    ['rows', 'rows'],
    ['autoplay', 'autoplay'],
  ])('%s is the attribute %s of the control', (header, attribute) => {
    const { xform } = form(survey(`type | name | label | ${header}`, 'text | q | Q | 1'))
    expect(controlOf(xform, '/data/q')).toBe(`<input ref="/data/q" ${attribute}="1"><label>Q</label></input>`)
  })

  it.each(['repeat_count', 'count', 'jr:count', 'Repeat Count'])('%s says how often a repeat repeats', (header) => {
    const { xform } = form(
      survey(
        `type | name | label | ${header}`,
        'integer | n | N |',
        'begin repeat | r | R | ${n}',
        'text | q | Q |',
        'end repeat | | |',
      ),
    )
    expect(xform).toContain('<repeat nodeset="/data/r" jr:count=" /data/n ">')
  })

  it('compact_tag and instance:: are attributes of the instance element', () => {
    const { xform } = form(survey('type | name | label | compact_tag | instance::hxl', 'text | q | Q | t | #name'))
    expect(xform).toContain('<q odk:tag="t" hxl="#name"/>')
  })

  it('hxl is such an attribute too, and the tag of its question in the model, compiled or read back', () => {
    const { xform, model } = form(survey('type | name | label | hxl', 'text | q | Q | #adm1+name', 'text | p | P | '))
    expect(xform).toContain('<q hxl="#adm1+name"/>')
    const tagsIn = ({ children }: FormModel) => children.slice(0, 2).map((node) => ('hxl' in node ? node.hxl : null))
    expect([tagsIn(model), tagsIn(parseXForm(xform))]).toEqual([
      ['#adm1+name', null],
      ['#adm1+name', null],
    ])
  })

  it.each([
    ['command | tag | caption'],
    ['type | value | Label'],
    ['TYPE | Name | LABEL'],
    [' type  |  name | label '],
  ])('%s name the three columns every form has', (header) => {
    expect(controlOf(form(survey(header, 'text | q | Q')).xform, '/data/q')).toBe(
      '<input ref="/data/q"><label>Q</label></input>',
    )
  })

  it('single colons separate only where no header of the sheet has two', () => {
    const old = form(survey('type | name | label:French (fr)', 'text | q | Q')).xform
    expect(old).toContain('<translation lang="French (fr)">')
    const { xform, warnings } = form(
      survey('type | name | label::English (en) | label:French (fr)', 'text | q | Q | Qfr'),
    )
    expect(xform).not.toContain('French')
    expect(warnings.map(({ code, message }) => [code, message])).toContainEqual([
      'unknown-column',
      "The column 'label:French (fr)' is not known and is ignored. Did you mean 'label::French (fr)'?",
    ])
  })

  it('a misspelt column is ignored with a hint; an unknown one without', () => {
    const { warnings } = form(survey('type | name | label | relevent | remarks for us', 'text | q | Q | x | y'))
    expect(warnings.map(({ column, message }) => [column, message])).toEqual([
      ['relevent', "The column 'relevent' is not known and is ignored. Did you mean 'relevant'?"],
    ])
  })

  it('a bare label next to others is in the default language; the one with a suffix wins', () => {
    const settings = sheet('settings', ['default_language', 'English (en)'])
    const both = form(`${survey('type | name | label | label::French (fr)', 'text | q | Q | Qfr')}\n${settings}`).xform
    expect(both).toContain(
      '<translation lang="English (en)" default="true()"><text id="/data/q:label"><value>Q</value>',
    )
    for (const header of ['label | label::English (en)', 'label::English (en) | label']) {
      const cells = header.startsWith('label |') ? 'bare | suffix' : 'suffix | bare'
      const { xform } = form(`${survey(`type | name | ${header}`, `text | q | ${cells}`)}\n${settings}`)
      expect(xform).toContain('<value>suffix</value>')
      expect(xform).not.toContain('bare')
    }
  })

  it('headers after more than twenty empty ones are not read', () => {
    const gap = ' |'.repeat(21)
    expect(
      form(`| survey |\n| | type | name | label |${gap} hint |\n| | text | q | Q |${gap} H |`).xform,
    ).not.toContain('<hint>')
    const near = ' |'.repeat(20)
    expect(form(`| survey |\n| | type | name | label |${near} hint |\n| | text | q | Q |${near} H |`).xform).toContain(
      '<hint>',
    )
  })
})

describe('text cleaning', () => {
  it('runs of spaces on the survey become one, unless clean_text_values is no', () => {
    const rows = survey('type | name | label', 'text | q | A   b')
    expect(form(rows).xform).toContain('<label>A b</label>')
    expect(form(`${rows}\n${sheet('settings', ['clean_text_values', 'no'])}`).xform).toContain('<label>A   b</label>')
  })

  it('spaces and line breaks within choices stay', () => {
    const rows = `${survey('type | name | label', 'select_one l | q | Q')}\n${sheet('choices', ['list_name | name | label', 'l | a | A   b'])}`
    expect(form(rows).xform).toContain('<label>A   b</label>')
  })

  it('curly quotes become straight on all sheets', () => {
    const rows = `${survey('type | name | label | relevant', 'select_one l | q | “Q” | . != ‘x’')}\n${sheet('choices', ['list_name | name | label', 'l | a | it’s'])}`
    const { xform } = form(rows)
    expect(xform).toContain('<label>"Q"</label>')
    expect(xform).toContain(`relevant=". != 'x'"`)
    expect(xform).toContain("<label>it's</label>")
  })
})
