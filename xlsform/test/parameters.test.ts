import { describe, expect, it } from 'vitest'
import { parseXForm } from '../src/parse/parse-xform.js'
import { bindOf, controlOf, form, problemsOf } from './support/compile.js'
import { sheet, survey } from './support/mistakes.js'

const withParameters = (type: string, parameters: string, appearance = ''): { bind: string; control: string } => {
  const { xform } = form(
    survey('type | name | label | parameters | appearance', `${type} | q | Q | ${parameters} | ${appearance}`),
  )
  return { bind: bindOf(xform, '/data/q') ?? '', control: controlOf(xform, '/data/q') ?? '' }
}

describe('parameters of the control', () => {
  it.each([
    ['text', 'rows=5', '<input ref="/data/q" rows="5">'],
    ['text', 'ROWS = 5', '<input ref="/data/q" rows="5">'],
    ['geopoint', 'capture-accuracy=2.5', '<input ref="/data/q" accuracyThreshold="2.5">'],
    ['geopoint', 'warning-accuracy=10', '<input ref="/data/q" unacceptableAccuracyThreshold="10">'],
    ['geotrace', 'incremental=true', '<input ref="/data/q" incremental="true">'],
    ['geoshape', 'incremental=yes', '<input ref="/data/q" incremental="true">'],
    ['geotrace', 'incremental=YES', '<input ref="/data/q" incremental="true">'],
    ['geoshape', 'incremental=TRUE', '<input ref="/data/q" incremental="true">'],
    ['image', 'app=com.Ex.app_1 max-pixels=3', '<upload ref="/data/q" mediatype="image/*" intent="com.Ex.app_1">'],
    ['range', 'start=0,end=5;step=1', '<range ref="/data/q" start="0" end="5" step="1">'],
    [
      'range',
      'tick_interval=2 placeholder=3',
      '<range ref="/data/q" start="1" end="10" step="1" odk:tick-interval="2" odk:placeholder="3">',
    ],
  ])('%s with %s', (type, parameters, opening) => {
    expect(withParameters(type, parameters).control).toContain(opening)
  })

  it('app is an intent only without an appearance or with annotate', () => {
    expect(withParameters('image', 'app=a.b max-pixels=1', 'annotate').control).toContain('intent="a.b"')
    for (const appearance of ['signature', 'draw', 'new-front'])
      for (const app of ['a.b', 'nodots', '1'])
        expect(withParameters('image', `app=${app} max-pixels=1`, appearance).control).not.toContain('intent')
  })
})

describe('parameters of the bind', () => {
  it.each([
    ['image', 'max-pixels=800', 'type="binary" orx:max-pixels="800"'],
    ['audio', 'quality=Voice-Only', 'type="binary" odk:quality="voice-only"'],
    ['geopoint', 'allow-mock-accuracy=true', 'type="geopoint" odk:allow-mock-accuracy="true"'],
    ['geotrace', 'allow-mock-accuracy=false', 'type="geotrace" odk:allow-mock-accuracy="false"'],
    ['range', 'start=0 end=10 step=0.5', 'type="decimal"'],
    ['range', 'start=0.5 end=10.5', 'type="decimal"'],
    ['range', 'start=0.0 end=10.0 step=1.0', 'type="int"'],
    ['range', 'start=-5 end=5', 'type="int"'],
    ['range', 'start=10 end=1 step=1', 'type="int"'],
    ['range', 'start=0 end=1 step=0.1 tick_interval=0.3 placeholder=0.7', 'type="decimal"'],
  ])('%s with %s', (type, parameters, attributes) => {
    expect(withParameters(type, parameters).bind).toBe(`<bind nodeset="/data/q" ${attributes}/>`)
  })
})

describe('tick labels', () => {
  it('are an itemset of the list', () => {
    const list = sheet('choices', ['list_name | name | label', 't | 0 | Low', 't | 10 | High'])
    const { xform } = form(
      `${survey('type | name | label | parameters | appearance', 'range | q | Q | start=0 end=10 tick_interval=5 tick_labelset=t | vertical', 'range | r | R | start=0 end=10 tick_labelset=t | no-ticks vertical')}\n${list}`,
    )
    for (const path of ['/data/q', '/data/r'])
      expect(controlOf(xform, path)).toContain(
        `<itemset nodeset="instance('t')/root/item"><value ref="name"/><label ref="label"/></itemset>`,
      )
  })
})

describe('tick labels of ranges', () => {
  const rows = (parameters: string): string =>
    survey(
      'type | name | label | parameters | appearance | choice_filter',
      'text | x | X | | |',
      `range | q | Q | ${parameters} tick_labelset=t | no-ticks | name = \${x}`,
    )
  const doubled = sheet('choices', ['list_name | name | label', 't | 1 | Low', 't | 1 | Lowest', 't | 10 | High'])
  const allowed = sheet('settings', ['allow_choice_duplicates', 'yes'])

  it('may be doubled where choices may, and are not filtered', () => {
    const { xform, warnings } = form(`${rows('step=1')}\n${doubled}\n${allowed}`)
    expect(controlOf(xform, '/data/q')).toContain(`<itemset nodeset="instance('t')/root/item">`)
    expect(warnings.map(({ code, row, column }) => [code, row, column])).toEqual([
      ['filter-ignored', 3, 'choice_filter'],
    ])
  })

  it('must label both ends, doubled or not', () => {
    const low = sheet('choices', ['list_name | name | label', 't | 1 | Low', 't | 1 | Lowest'])
    expect(problemsOf(`${rows('step=1')}\n${low}\n${allowed}`).map(({ code }) => code)).toEqual(['invalid-parameter'])
  })
})

describe('lists of search() selects', () => {
  const list = sheet('choices', ['list_name | name | label | geometry', 'l | 1 | A | 1 1 0 0', 'l | 10 | B | 2 2 0 0'])
  const select = "select_one l | s | S | | search('f') |"
  it.each([
    ['a map', 'geopoint | q | Q | reference-geometry=l | |'],
    ['the ticks of a range', 'range | q | Q | tick_labelset=l | |'],
    ['a calculation', "text | q | Q | | | count(instance('l')/root/item)"],
    ['a label', "note | q | Q instance('l')/root/item[1]/label | | |"],
  ])('are an instance as well when %s reads them, in whichever order', (_, row) => {
    for (const rows of [
      [select, row],
      [row, select],
    ]) {
      const { xform, model, warnings } = form(
        `${survey('type | name | label | parameters | appearance | calculation', ...rows)}\n${list}`,
      )
      expect(xform.match(/<instance id="l"><root><item>/g)).toHaveLength(1)
      expect(controlOf(xform, '/data/s')).toContain('<item><label>A</label><value>1</value></item>')
      expect(warnings).toEqual([])
      expect(parseXForm(xform)).toEqual(model)
    }
  })

  it('are none when nothing does', () => {
    const { xform } = form(`${survey('type | name | label | parameters | appearance', select)}\n${list}`)
    expect(xform).not.toContain('<instance id="l"')
  })
})

describe('reference-geometry', () => {
  const control = (parameters: string, extra = ''): string => {
    const rows = survey(
      'type | name | label | parameters',
      'begin repeat | r | R |',
      'geopoint | geometry | G |',
      'end repeat | | |',
      `geoshape | q | Q | reference-geometry=${parameters}`,
    )
    return controlOf(form(`${rows}\n${extra}`).xform, '/data/q') ?? ''
  }

  it('of a repeat offers its geometries', () => {
    expect(control('${r}')).toContain(
      `<itemset nodeset="/data/r[./geometry != '']"><value ref="geometry"/><label ref="geometry"/></itemset>`,
    )
  })

  it.each(['geopoint', 'geotrace', 'geoshape'])('of a %s takes the choice_filter, as in selects', (type) => {
    const filtered = (parameters: string, filter: string, extra = ''): string => {
      const rows = survey(
        'type | name | label | parameters | choice_filter',
        'begin repeat | r | R | |',
        'geopoint | geometry | G | |',
        'integer | age | A | |',
        'end repeat | | | |',
        'begin repeat | o | O | |',
        'text | t | T | |',
        `${type} | q | Q | reference-geometry=${parameters} | ${filter}`,
        'end repeat | | | |',
        'text | top | T | |',
      )
      const { xform, model } = form(`${rows}\n${extra}`)
      expect(parseXForm(xform)).toEqual(model)
      return /nodeset="([^"]*)"><value/.exec(controlOf(xform, '/data/o/q') ?? '')?.[1] ?? ''
    }
    const list = sheet('choices', ['list_name | name | label | geometry', 'l | a | A | 1 1 0 0'])
    const items = "instance('l')/root/item"
    expect(filtered('l', 'name = ${top}', list)).toBe(`${items}[name =  /data/top ]`)
    expect(filtered('l', 'name = ${t}', list)).toBe(`${items}[name =  current()/../t ]`)
    expect(filtered('zones.geojson', 'region = 1')).toBe("instance('zones')/root/item[region = 1]")
    expect(filtered('trees', 'region = 1', sheet('entities', ['list_name | label', 'trees | x']))).toBe(
      "instance('trees')/root/item[region = 1]",
    )
    expect(filtered('${r}', '${age} = 1')).toBe('/data/r[ ./age  = 1]')
    expect(filtered('${r}', "${geometry} != '' and ${t} = ${top}")).toBe(
      "/data/r[ ./geometry  != '' and  current()/../t  =  /data/top ]",
    )
  })

  it('of the repeat that it stands in filters by the instance under test', () => {
    const { xform } = form(
      survey(
        'type | name | label | parameters | choice_filter',
        'begin repeat | r | R | |',
        'text | kind | K | |',
        "geopoint | geometry | G | reference-geometry=${r} | ${kind} != 'x'",
        'end repeat | | | |',
      ),
    )
    expect(controlOf(xform, '/data/r/geometry')).toContain(`<itemset nodeset="/data/r[ ./kind  != 'x']">`)
  })

  it('with a filter that cannot be read is refused', () => {
    const rows = survey(
      'type | name | label | parameters | choice_filter',
      'geopoint | q | Q | reference-geometry=z.csv | name <> 1',
    )
    expect(problemsOf(rows).map(({ code, column }) => [code, column])).toEqual([
      ['invalid-expression', 'choice_filter'],
    ])
  })

  it('of a choice list, a file and an entity list are as in selects', () => {
    const list = sheet('choices', ['list_name | name | label | geometry', 'l | a | A | 1 1 0 0'])
    expect(control('l', list)).toContain(
      `<itemset nodeset="instance('l')/root/item"><value ref="name"/><label ref="label"/></itemset>`,
    )
    expect(control('zones.geojson')).toContain(
      `<itemset nodeset="instance('zones')/root/item"><value ref="id"/><label ref="title"/></itemset>`,
    )
    expect(control('trees', sheet('entities', ['list_name | label', 'trees | x']))).toContain(
      `<itemset nodeset="instance('trees')/root/item">`,
    )
  })
})

describe('audit', () => {
  it('sits first in meta, with its parameters on the bind', () => {
    const { xform } = form(
      survey(
        'type | name | label | parameters',
        'text | a | A |',
        'audit | audit | | track-changes=true track-changes-reasons=on-form-edit identify-user=false location-priority=high-accuracy location-min-interval=10 location-max-age=10',
      ),
    )
    expect(xform).toContain('<meta><audit/><instanceID/></meta>')
    expect(bindOf(xform, '/data/meta/audit')).toBe(
      '<bind nodeset="/data/meta/audit" type="binary" odk:track-changes="true" odk:track-changes-reasons="on-form-edit" odk:identify-user="false"' +
        ' odk:location-priority="high-accuracy" odk:location-min-interval="10" odk:location-max-age="10"/>',
    )
  })

  it('needs no name', () => {
    expect(form(survey('type | name | label', 'text | a | A', 'audit | |')).xform).toContain('<meta><audit/>')
  })
})
