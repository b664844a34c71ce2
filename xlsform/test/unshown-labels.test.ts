import { describe, expect, it } from 'vitest'
import { parseXForm } from '../src/parse/parse-xform.js'
import { bindOf, form } from './support/compile.js'
import { sheet, survey } from './support/mistakes.js'

const hidden = [
  ['calculate', '1 + 1'],
  ['hidden', ''],
  ['start', ''],
  ['deviceid', ''],
  ['start-geopoint', ''],
] as const

const translated = survey(
  'type | name | label::English (en) | label::French (fr) | calculation',
  'text | a | A | Afr |',
  ...hidden.map(([type, calculation], at) => `${type} | h${at} | Sum of \${a} | Somme <de> | ${calculation}`),
)
const plain = survey(
  'type | name | label | calculation',
  'text | a | A |',
  ...hidden.map(([type, calculation], at) => `${type} | h${at} | Sum & "more" of \${a} | ${calculation}`),
)

describe('labels of questions that are not shown', () => {
  it('in languages are in itext and in the model, and no control shows them', () => {
    const { xform, model } = form(translated)
    for (const [at] of hidden.entries()) {
      expect(xform).toContain(
        `<text id="/data/h${at}:label"><value> Sum of <output value=" /data/a "/> </value></text>`,
      )
      expect(model.children[at + 1]).toMatchObject({
        labels: [
          { language: 'English (en)', text: 'Sum of ${a}' },
          { language: 'French (fr)', text: 'Somme <de>' },
        ],
        media: [],
        hints: [],
      })
    }
    expect(xform.match(/<label/g)).toHaveLength(1)
    expect(parseXForm(xform)).toEqual(model)
  })

  it('without a language are in the model; the XForm keeps them only when asked to', () => {
    const { xform, model } = form(plain)
    const label = { language: null, text: 'Sum & "more" of ${a}' }
    for (const [at] of hidden.entries()) expect(model.children[at + 1]).toMatchObject({ labels: [label] })
    expect(xform).not.toContain('Sum')
    const kept = form(plain, { keepUnshownLabels: true })
    expect(kept.xform).toContain(' xmlns:sheaf="urn:sheaf:xforms"')
    expect(bindOf(kept.xform, '/data/h0')).toContain(' sheaf:label="Sum &amp; &quot;more&quot; of ${a}"')
    expect(kept.model).toEqual(model)
    expect(parseXForm(kept.xform)).toEqual(model)
  })

  it('declare their namespace only where there is one to keep, under a prefix that the author left free', () => {
    const shown = survey('type | name | label', 'text | a | A')
    expect(form(shown, { keepUnshownLabels: true }).xform).not.toContain('urn:sheaf')
    const own = sheet('settings', ['namespaces', 'sheaf="http://example.org"'])
    const { xform, model } = form(`${plain}\n${own}`, { keepUnshownLabels: true })
    expect(xform).toContain(' xmlns:sheaf_="urn:sheaf:xforms"')
    expect(xform).toContain(' xmlns:sheaf="http://example.org"')
    expect(parseXForm(xform)).toEqual(model)
  })
})
