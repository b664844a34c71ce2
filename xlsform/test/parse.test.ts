import { describe, expect, it } from 'vitest'
import { choicesIn, type FormModel, type ModelQuestion, walkModel } from '../src/model/model.js'
import { parseXForm } from '../src/parse/parse-xform.js'
import { XlsFormError } from '../src/problems.js'
import { form } from './support/compile.js'
import { choices, sheet, survey } from './support/mistakes.js'

const questionsOf = (model: FormModel): ModelQuestion[] =>
  [...walkModel(model.children)].filter((node) => node.kind === 'question')

const codeOf = (xml: string): string | undefined => {
  try {
    parseXForm(xml)
  } catch (error) {
    if (error instanceof XlsFormError) return error.problems[0]?.code
    throw error
  }
  return undefined
}

// As other tools write it: other prefixes, binds by id, inline choices, white space everywhere.
const foreign = `<?xml version="1.0" encoding="UTF-8"?>
<html xmlns="http://www.w3.org/1999/xhtml" xmlns:f="http://www.w3.org/2002/xforms" xmlns:openrosa="http://openrosa.org/javarosa">
  <head>
    <title> Clinic </title>
    <f:model>
      <f:instance>
        <clinic xmlns="http://example.org/clinic" id="clinic_form" version="3">
          <name/>
          <visit openrosa:template=""><day/><why>checkup</why></visit>
          <visit><day/><why/></visit>
          <sex> f </sex>
          <unbound/>
          <orxmeta/>
        </clinic>
      </f:instance>
      <f:bind id="b1" nodeset="/clinic/name" type="xsd:string" required="true()" openrosa:requiredMsg="Say it"/>
      <f:bind nodeset="/clinic/visit/day" type="date" relevant=" ../why != '' "/>
      <f:itext>
        <f:translation lang="en"><f:text id="sex"><f:value>Sex of <f:output value="/clinic/name"/></f:value></f:text></f:translation>
      </f:itext>
    </f:model>
  </head>
  <body class="pages">
    <f:input bind="b1"><f:label>
       Name of the patient
    </f:label></f:input>
    <f:group ref="/clinic/visit"><f:label>Visit</f:label>
      <f:repeat nodeset="/clinic/visit" openrosa:count="3">
        <f:input ref="/clinic/visit/day"><f:label>Day</f:label></f:input>
        <f:input ref="/clinic/visit/why"><f:label>Why</f:label><f:hint>Short</f:hint></f:input>
      </f:repeat>
    </f:group>
    <f:select1 ref="/clinic/sex"><f:label ref="jr:itext('sex')"/>
      <f:item><f:label>Female</f:label><f:value>f</f:value></f:item>
      <f:item><f:label>Male</f:label><f:value>m</f:value></f:item>
    </f:select1>
  </body>
</html>`

/** With the namespace of OpenRosa under any prefix. */
const openRosa = (
  prefix: string,
) => `<h:html xmlns="http://www.w3.org/2002/xforms" xmlns:h="http://www.w3.org/1999/xhtml" xmlns:${prefix}="http://openrosa.org/xforms">
  <h:head><h:title>T</h:title><model><instance><data id="d" ${prefix}:version="7"><q/>
    <${prefix}:meta><${prefix}:instanceID/><${prefix}:instanceName/></${prefix}:meta></data></instance>
    <bind nodeset="/data/q" type="string"/></model></h:head><h:body><input ref="/data/q"/></h:body></h:html>`

describe('OpenRosa names in an XForm', () => {
  it.each(['orx', 'openrosa', 'x'])('version and meta are known with the prefix %s', (prefix) => {
    const model = parseXForm(openRosa(prefix))
    expect(model.version).toBe('7')
    expect(model.children.map(({ name }) => name)).toEqual(['q', 'meta'])
    expect(questionsOf(model).map(({ name }) => name)).toEqual(['q', 'instanceID', 'instanceName'])
  })

  it('a version without a prefix is meant first', () => {
    const model = parseXForm(openRosa('orx').replace('<data id="d"', '<data id="d" version="8"'))
    expect(model.version).toBe('8')
  })
})

describe('parseXForm', () => {
  const model = parseXForm(foreign)

  it('reads forms of other tools: any prefix, binds by id, inline choices, loose white space', () => {
    expect(model).toMatchObject({
      formId: 'clinic_form',
      title: 'Clinic',
      version: '3',
      rootName: 'clinic',
      style: 'pages',
      languages: ['en'],
      defaultLanguage: null,
    })
    expect(questionsOf(model).map(({ path, type }) => [path, type])).toEqual([
      ['/clinic/name', 'text'],
      ['/clinic/visit/day', 'date'],
      ['/clinic/visit/why', 'text'],
      ['/clinic/sex', 'select_one'],
    ])
  })

  it('reads labels, messages, counts and defaults', () => {
    const [name, , why, sex] = questionsOf(model)
    expect(name).toMatchObject({
      labels: [{ language: null, text: 'Name of the patient' }],
      requiredMessages: [{ language: null, text: 'Say it' }],
      required: 'true()',
      dataType: 'string',
    })
    expect(why).toMatchObject({ default: 'checkup', hints: [{ text: 'Short' }] })
    expect(sex).toMatchObject({
      labels: [{ language: 'en', text: 'Sex of ${name}' }],
      default: 'f',
    })
    expect(sex === undefined ? null : choicesIn(model)(sex)).toMatchObject([
      { name: 'f', labels: [{ language: null, text: 'Female' }] },
      { name: 'm', labels: [{ language: null, text: 'Male' }] },
    ])
    expect(model.children[1]).toMatchObject({ kind: 'repeat', count: '3', labels: [{ text: 'Visit' }] })
  })

  it('takes bytes as well as text', () => {
    expect(parseXForm(new TextEncoder().encode(foreign))).toEqual(model)
  })

  it.each([
    ['a document type', `<!DOCTYPE html [<!ENTITY a "b">]>${foreign.replace(/^<\?xml.*\?>/, '')}`, 'doctype'],
    ['broken XML', '<h:html xmlns:h="http://www.w3.org/1999/xhtml"><h:head></h:html>', 'invalid-xml'],
    ['an undeclared prefix', '<h:html/>', 'invalid-xml'],
    ['an unknown entity', '<a>&nbsp;</a>', 'invalid-xml'],
    ['an empty text', '', 'invalid-xml'],
    ['other XML', '<a><b/></a>', 'not-an-xform'],
    ['depth without end', '<a>'.repeat(20_000), 'nesting-too-deep'],
  ])('refuses %s', (_, xml, code) => {
    expect(codeOf(xml)).toBe(code)
  })

  it('refuses depth without reading on', () => {
    const start = performance.now()
    codeOf('<a>'.repeat(2_000_000))
    expect(performance.now() - start).toBeLessThan(5000)
  })
})

describe('the model', () => {
  const { model } = form(
    `${survey(
      'type | name | label::English (en) | label::French (fr) | hint | relevant | required | constraint | constraint_message | calculation | default | save_to | image',
      'select_one yn | q | Q | Qfr | H | 1 = 1 | yes | . != 3 | No | | yes | p | i.png',
      'begin repeat | r | R | Rfr | | | | | | | | |',
      'calculate | c | | | | | | | | 2 * 3 | | |',
      'text | d | D ${q} | | | | | | | | today() | |',
      'end repeat | | | | | | | | | | | |',
    )}
     ${choices}
     ${sheet('settings', ['form_id | version | submission_url | public_key | default_language', 'f | 2 | https://e.org | KEY | English (en)'])}
     ${sheet('entities', ['list_name | label', 'people | ${q}'])}`,
  )

  it('holds what a server needs of a question', () => {
    expect(questionsOf(model)[0]).toEqual({
      kind: 'question',
      name: 'q',
      path: '/data/q',
      type: 'select_one',
      dataType: 'string',
      labels: [
        { language: 'English (en)', text: 'Q' },
        { language: 'French (fr)', text: 'Qfr' },
      ],
      media: [{ kind: 'image', language: 'English (en)', file: 'i.png' }],
      hints: [{ language: null, text: 'H' }],
      guidance: [],
      appearance: null,
      relevant: '1 = 1',
      readonly: null,
      required: 'true()',
      constraint: '. != 3',
      calculate: null,
      requiredMessages: [],
      constraintMessages: [{ language: null, text: 'No' }],
      default: 'yes',
      initial: null,
      list: 'yn',
      itemset: { nodeset: "instance('yn')/root/item", value: 'name', label: 'label' },
      choices: null,
      saveTo: 'p',
    })
  })

  it('holds order, repeats, settings and entities', () => {
    expect([...walkModel(model.children)].map(({ kind, path }) => `${kind} ${path}`)).toEqual([
      'question /data/q',
      'repeat /data/r',
      'question /data/r/c',
      'question /data/r/d',
      'group /data/meta',
      'question /data/meta/instanceID',
    ])
    expect(model).toMatchObject({
      formId: 'f',
      version: '2',
      submissionUrl: 'https://e.org',
      publicKey: 'KEY',
      languages: ['English (en)', 'French (fr)'],
      defaultLanguage: 'English (en)',
      entities: [{ dataset: 'people', container: '/data', creates: true, updates: false }],
    })
    expect(questionsOf(model)[2]).toMatchObject({ initial: 'today()', default: null })
  })

  it('finds the choices of a question', () => {
    const [question] = questionsOf(model)
    expect(question && choicesIn(model)(question)?.map(({ name }) => name)).toEqual(['yes', 'no'])
  })

  it('is plain data', () => {
    expect(JSON.parse(JSON.stringify(model))).toEqual(model)
  })

  it('a read-only text that can have a value is no note', () => {
    const { model: own } = form(
      survey(
        'type | name | label | read_only | calculation | default',
        'text | a | A | yes | |',
        'text | b | B | yes | 1 |',
        'text | c | C | yes | | x',
        'note | d | D | | |',
      ),
    )
    expect(
      questionsOf(own)
        .slice(0, 4)
        .map(({ type }) => type),
    ).toEqual(['note', 'text', 'text', 'note'])
  })
})
