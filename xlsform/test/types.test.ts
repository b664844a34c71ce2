import { describe, expect, it } from 'vitest'
import type { ModelQuestion } from '../src/model/model.js'
import { bindOf, controlOf, form } from './support/compile.js'
import { survey } from './support/mistakes.js'

interface Expected {
  /** Opening tag of the control, or null. */
  control: string | null
  /** Attributes of the bind. */
  bind: string
  model: string
}

const expectation = (control: string | null, bind: string, model: string): Expected => ({ control, bind, model })
const input = (type: string, model: string): Expected => expectation('<input ref="/data/q">', `type="${type}"`, model)
const upload = (mediatype: string, model: string): Expected =>
  expectation(`<upload ref="/data/q" mediatype="${mediatype}">`, 'type="binary"', model)
const preload = (type: string, kind: string, name: string): Expected =>
  expectation(null, `type="${type}" jr:preload="${kind}" jr:preloadParams="${name}"`, name)
const days = (most: number): Expected =>
  expectation('<input ref="/data/q">', `type="int" constraint="0 &lt;= . and . &lt;= ${most}"`, 'integer')

const types: [string[], Expected][] = [
  [['string', 'text', 'q string', 'add text prompt'], input('string', 'text')],
  [['integer', 'int', 'q int', 'add integer prompt'], input('int', 'integer')],
  [['decimal', 'q decimal', 'add decimal prompt'], input('decimal', 'decimal')],
  [['date', 'q date', 'add date prompt'], input('date', 'date')],
  [['time'], input('time', 'time')],
  [
    ['dateTime', 'datetime', 'date time', 'q dateTime', 'q date time', 'add dateTime prompt', 'add date time prompt'],
    input('dateTime', 'dateTime'),
  ],
  [
    ['note', 'q note', 'add note prompt'],
    expectation('<input ref="/data/q">', 'type="string" readonly="true()"', 'note'),
  ],
  [['geopoint', 'gps', 'location', 'q geopoint', 'q location', 'add location prompt'], input('geopoint', 'geopoint')],
  [['geotrace', 'q geotrace'], input('geotrace', 'geotrace')],
  [['geoshape', 'q geoshape'], input('geoshape', 'geoshape')],
  [['barcode', 'q barcode', 'add barcode prompt'], input('barcode', 'barcode')],
  [['image', 'photo', 'q image', 'q picture', 'add image prompt', 'add photo prompt'], upload('image/*', 'image')],
  [['audio', 'q audio', 'add audio prompt'], upload('audio/*', 'audio')],
  [['video', 'q video', 'add video prompt'], upload('video/*', 'video')],
  [['file', 'add file prompt'], upload('application/*', 'file')],
  [['osm'], upload('osm/*', 'osm')],
  [['range'], expectation('<range ref="/data/q" start="1" end="10" step="1">', 'type="int"', 'range')],
  [
    ['acknowledge', 'q acknowledge', 'add acknowledge prompt'],
    expectation('<trigger ref="/data/q">', 'type="string"', 'acknowledge'),
  ],
  [['hidden'], expectation(null, 'type="string"', 'hidden')],
  [['start', 'start time', 'get start time'], preload('dateTime', 'timestamp', 'start')],
  [['end', 'end time', 'get end time'], preload('dateTime', 'timestamp', 'end')],
  [['today', 'get today'], preload('date', 'date', 'today')],
  [['deviceid', 'device id', 'get device id', 'imei'], preload('string', 'property', 'deviceid')],
  [['phonenumber', 'get phone number'], preload('string', 'property', 'phonenumber')],
  [['username'], preload('string', 'property', 'username')],
  [['email'], preload('string', 'property', 'email')],
  [['subscriberid', 'subscriber id', 'get subscriber id'], preload('string', 'property', 'subscriberid')],
  [['simserial', 'sim id', 'get sim id'], preload('string', 'property', 'simserial')],
  ...['deviceid', 'phonenumber', 'simserial', 'subscriberid', 'username', 'email'].map((name): [string[], Expected] => [
    [`uri:${name}`],
    preload('string', 'property', `uri:${name}`),
  ]),
  [['start-geopoint'], expectation(null, 'type="geopoint"', 'start-geopoint')],
  [['background-audio'], expectation(null, 'type="binary"', 'background-audio')],
  [['phone number'], expectation('<input ref="/data/q">', `type="string" constraint="regex(., '^\\d*$')"`, 'text')],
  [['percentage'], days(100)],
  [['number of days in last month'], days(31)],
  [['number of days in last six months'], days(183)],
  [['number of days in last year'], days(365)],
]

const spellings = types.flatMap(([names, expected]) => names.map((name): [string, Expected] => [name, expected]))

describe('types', () => {
  it.each(spellings)('%s', (type, { control, bind, model: modelType }) => {
    const { xform, model } = form(survey('type | name | label', `${type} | q | Q`))
    expect(bindOf(xform, '/data/q')).toBe(`<bind nodeset="/data/q" ${bind}/>`)
    if (control === null) expect(controlOf(xform, '/data/q')).toBeUndefined()
    else expect(controlOf(xform, '/data/q')).toContain(`${control}<label>Q</label>`)
    expect((model.children[0] as ModelQuestion).type).toBe(modelType)
  })

  it.each(['calculate', 'q calculate', 'add calculate prompt'])('%s has a bind and no control', (type) => {
    const { xform } = form(survey('type | name | label | calculation', `${type} | q | Q | 1 + 1`))
    expect(bindOf(xform, '/data/q')).toBe('<bind nodeset="/data/q" type="string" calculate="1 + 1"/>')
    expect(controlOf(xform, '/data/q')).toBeUndefined()
  })

  it('trigger has a control and no bind, unless columns ask for one', () => {
    const { xform } = form(
      survey('type | name | label | relevant', 'trigger | q | Q |', 'trigger | r | R | true() and 1'),
    )
    expect(controlOf(xform, '/data/q')).toBe('<trigger ref="/data/q"><label>Q</label></trigger>')
    expect(bindOf(xform, '/data/q')).toBeUndefined()
    expect(bindOf(xform, '/data/r')).toBe('<bind nodeset="/data/r" relevant="true() and 1"/>')
  })

  it('the counting types bring a hint, which a hint of the row replaces', () => {
    const { xform } = form(
      survey(
        'type | name | label | hint',
        'phone number | a | A |',
        'number of days in last year | b | B |',
        'number of days in last year | c | C | Mine',
      ),
    )
    expect(controlOf(xform, '/data/a')).toContain('<hint>Enter numbers only.</hint>')
    expect(controlOf(xform, '/data/b')).toContain('<hint>Enter a number 0-365.</hint>')
    expect(controlOf(xform, '/data/c')).toContain('<hint>Mine</hint>')
  })

  it("columns of a row override the type's own properties", () => {
    const { xform } = form(
      survey('type | name | label | bind::type | constraint', 'percentage | q | Q | decimal | . < 5'),
    )
    expect(bindOf(xform, '/data/q')).toBe('<bind nodeset="/data/q" type="decimal" constraint=". &lt; 5"/>')
  })

  it('types are compared after trimming and collapsing spaces', () => {
    expect(form(survey('type | name | label', '  date   time  | q | Q')).xform).toContain('type="dateTime"')
  })
})

describe('controls', () => {
  it('a question with a calculation or trigger and neither label nor hint has none', () => {
    const { xform } = form(
      survey(
        'type | name | label | hint | calculation | trigger',
        'text | a | A | | |',
        'text | b | | | 1 |',
        'text | c | | | 1 | ${a}',
        'text | d | D | | 1 |',
        'text | e | | E | 1 |',
      ),
    )
    expect(['b', 'c'].map((name) => controlOf(xform, `/data/${name}`))).toEqual([undefined, undefined])
    expect(controlOf(xform, '/data/d')).toBe('<input ref="/data/d"><label>D</label></input>')
    expect(controlOf(xform, '/data/e')).toBe('<input ref="/data/e"><label/><hint>E</hint></input>')
  })

  it('media alone do as a label', () => {
    expect(controlOf(form(survey('type | name | image', 'text | a | a.png')).xform, '/data/a')).toBe(
      `<input ref="/data/a"><label ref="jr:itext('/data/a:label')"/></input>`,
    )
  })

  it('a note without a name is named after its row', () => {
    expect(form(survey('type | name | label', 'text | a | A', 'note | | Read this')).xform).toContain(
      '<generated_note_name_3/>',
    )
  })

  it('a label appearance without a label gets a blank one', () => {
    expect(controlOf(form(survey('type | name | label | appearance', 'text | a | | label')).xform, '/data/a')).toBe(
      '<input ref="/data/a" appearance="label"><label> </label></input>',
    )
  })

  it('label, hint, choices and actions come in this order', () => {
    const { xform } = form(
      `${survey('type | name | label | hint | trigger | calculation', 'select_one l | a | A | H | |', 'text | b | | | ${a} | 1')}
       | choices |
       | | list_name | name | label |
       | | l | x | X |`,
    )
    expect(controlOf(xform, '/data/a')).toMatch(/^<select1[^>]*><label>.*<hint>.*<itemset.*<setvalue.*<\/select1>$/)
  })
})
