import { describe, expect, it } from 'vitest'
import { controlOf, form } from './support/compile.js'
import { sheet, survey } from './support/mistakes.js'

describe('labels and hints', () => {
  it('stay in the control without languages, media or guidance', () => {
    const { xform } = form(survey('type | name | label | hint', 'text | a | A | H'))
    expect(controlOf(xform, '/data/a')).toBe('<input ref="/data/a"><label>A</label><hint>H</hint></input>')
    expect(xform).not.toContain('<itext>')
  })

  it('of a question without translated text stay out of itext, in a form with languages too', () => {
    const { xform } = form(survey('type | name | label | label::French (fr)', 'text | a | A | Afr', 'text | b | B |'))
    expect(controlOf(xform, '/data/b')).toBe('<input ref="/data/b"><label>B</label></input>')
    expect(xform).not.toContain('/data/b:label')
  })

  it('a translated hint alone goes to itext', () => {
    const { xform } = form(survey('type | name | label | hint::French (fr)', 'text | a | A | Hfr'))
    expect(controlOf(xform, '/data/a')).toBe(
      `<input ref="/data/a"><label>A</label><hint ref="jr:itext('/data/a:hint')"/></input>`,
    )
    expect(xform).toContain(
      '<translation lang="French (fr)"><text id="/data/a:hint"><value>Hfr</value></text></translation>',
    )
  })

  it('guidance is always itext, next to the hint, and missing in a language it is a dash', () => {
    const { xform } = form(
      survey(
        'type | name | label::English (en) | label::French (fr) | hint::English (en) | guidance_hint::French (fr)',
        'text | a | A | Afr | H | G',
      ),
    )
    expect(xform).toContain('<text id="/data/a:hint"><value>H</value><value form="guidance">-</value></text>')
    expect(xform).toContain('<text id="/data/a:hint"><value form="guidance">G</value><value>-</value></text>')
  })

  it('guidance without a label has an empty label before it', () => {
    const { xform } = form(survey('type | name | label | hint | guidance_hint', 'text | a | | H | G'))
    expect(controlOf(xform, '/data/a')).toBe(
      `<input ref="/data/a"><label/><hint ref="jr:itext('/data/a:hint')"/></input>`,
    )
  })

  it('media of every kind have their address; a missing medium is left out', () => {
    const { xform } = form(
      survey(
        'type | name | label::English (en) | label::French (fr) | image | big-image | audio::French (fr) | media::video',
        'text | a | A | Afr | a.png | b.png | a.mp3 | a.mp4',
      ),
    )
    expect(xform).toContain(
      '<text id="/data/a:label"><value>Afr</value><value form="audio">jr://audio/a.mp3</value></text>',
    )
    expect(xform).toContain(
      '<value form="image">jr://images/a.png</value><value form="big-image">jr://images/b.png</value><value form="video">jr://video/a.mp4</value>',
    )
  })

  it('media may be named after answers, without spaces around them', () => {
    const { xform } = form(survey('type | name | label | image', 'text | a | A |', 'text | b | B | ${a}.png'))
    expect(xform).toContain('<value form="image">jr://images/<output value=" /data/a "/>.png</value>')
  })

  it('bare texts that need itext are in the default language', () => {
    const rows = survey('type | name | label | image', 'text | a | A | a.png')
    expect(form(rows).xform).toContain('<translation lang="default" default="true()">')
    expect(form(`${rows}\n${sheet('settings', ['default_language', 'Dutch (nl)'])}`).xform).toContain(
      '<translation lang="Dutch (nl)" default="true()">',
    )
  })

  it('languages come in the order of the columns', () => {
    const { model } = form(
      survey('type | name | label::B (bo) | label::A (ar) | constraint_message::C (ca)', 'text | a | x | y | z'),
    )
    expect(model.languages).toEqual(['B (bo)', 'A (ar)', 'C (ca)'])
  })
})

describe('references in text', () => {
  it('become outputs; the text around is escaped', () => {
    const { xform } = form(survey('type | name | label', 'text | a | A', 'note | b | <b> & ${a}'))
    expect(controlOf(xform, '/data/b')).toContain('<label> &lt;b&gt; &amp; <output value=" /data/a "/> </label>')
  })

  it.each([
    [
      "See instance('l')/root/item[name = ${a}]/label now",
      `See <output value="instance('l')/root/item[name =  /data/a ]/label"/> now`,
    ],
    [
      "See instance('l')/root/item[x < 3 and y = 'a b']/label.",
      `See <output value="instance('l')/root/item[x &lt; 3 and y = 'a b']/label"/>.`,
    ],
    [
      "instance('l')/root/item[1]/label and ${a}",
      `<output value="instance('l')/root/item[1]/label"/> and <output value=" /data/a "/>`,
    ],
    [
      "instance('l')/root/item[a[b[1] = 'x ]']]/c end",
      `<output value="instance('l')/root/item[a[b[1] = 'x ]']]/c"/> end`,
    ],
    ['For instance (a)/b', 'For instance (a)/b'],
  ])('%s', (label, xml) => {
    const { xform } = form(
      `${survey('type | name | label', 'text | a | A', `note | b | ${label}`)}\n${sheet('choices', ['list_name | name | label', 'l | a | A'])}`,
    )
    const written = controlOf(xform, '/data/b')
    expect(written).toContain(xml.includes('<output') ? `<label> ${xml} </label>` : `<label>${xml}</label>`)
  })

  it('to the last saved submission declare it, in a label too', () => {
    for (const row of ['text | a | A ${last-saved#a} |', 'text | a | A | ${last-saved#a}']) {
      const { xform } = form(survey('type | name | label | default', row))
      expect(xform).toContain('<instance id="__last-saved" src="jr://instance/last-saved"/>')
      expect(xform).toContain(` value=" instance('__last-saved')/data/a "`)
    }
    expect(form(survey('type | name | label', 'text | a | A')).xform).not.toContain('__last-saved')
  })

  it('may name the instanceID', () => {
    expect(
      form(survey('type | name | label | calculation', 'calculate | a | | ${instanceID}', 'text | b | B |')).xform,
    ).toContain('calculate=" /data/meta/instanceID "')
  })
})
