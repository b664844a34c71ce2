import { describe, expect, it } from 'vitest'
import { form, problemsOf } from './support/compile.js'
import { plain, sheet, survey } from './support/mistakes.js'

const withSettings = (header: string, row: string, base = plain) => form(`${base}\n${sheet('settings', [header, row])}`)

describe('identity of a form', () => {
  it.each(['form_id', 'id_string', 'set_form_id', 'Form ID'])('%s is the id of the root element', (header) => {
    expect(withSettings(header, 'f1').xform).toContain('<data id="f1">')
  })

  it.each(['form_title', 'title', 'set_form_title', 'Form Title'])('%s is the title', (header) => {
    const { xform, title } = withSettings(header, 'A & B')
    expect(xform).toContain('<h:title>A &amp; B</h:title>')
    expect(title).toBe('A & B')
  })

  it("without an id it is the file's stem, else data; without a title the id", () => {
    expect(form(plain, { fileName: 'C:\\forms\\my form.v2.xlsx' })).toMatchObject({
      formId: 'my form.v2',
      title: 'my form.v2',
    })
    expect(form(plain)).toMatchObject({ formId: 'data', title: 'data', version: null })
  })

  it('form_id wins over id_string, with a warning', () => {
    const { formId, warnings } = withSettings('id_string | form_id', 'old | new')
    expect(formId).toBe('new')
    expect(warnings.map(({ code }) => code)).toEqual(['two-form-ids'])
  })

  it("the root element's name is the setting, else what the caller says, else data", () => {
    expect(withSettings('name', 'root').xform).toContain('<root id="data">')
    expect(form(plain, { rootName: 'survey_root' }).xform).toContain('<survey_root id="data">')
    expect(form(`${plain}\n${sheet('settings', ['name', 'mine'])}`, { rootName: 'other' }).xform).toContain('<mine ')
  })

  it('version is an attribute of the root, and absent when not given', () => {
    const { xform, version } = withSettings('version', '2024.1')
    expect(xform).toContain('<data id="data" version="2024.1">')
    expect(version).toBe('2024.1')
    expect(form(plain).xform).toContain('<data id="data"><a/>')
  })

  it.each([
    ['form_title', 'form_title'],
    ['set_form_title', 'form_title'],
    ['set form title', 'form_title'],
  ])('a survey row of type %s sets the title', (type) => {
    expect(form(survey('type | name | label', `${type} | Hello | `, 'text | a | A')).title).toBe('Hello')
  })

  it.each(['form_id', 'set_form_id', 'set form id'])('a survey row of type %s sets the id', (type) => {
    expect(form(survey('type | name | label', `${type} | hello | `, 'text | a | A')).formId).toBe('hello')
  })

  it('only the first data row counts', () => {
    expect(form(`${plain}\n${sheet('settings', ['form_id', 'one', 'two'])}`).formId).toBe('one')
  })
})

describe('what settings write', () => {
  it.each([
    ['style', 'pages theme-grid', '<h:body class="pages theme-grid">'],
    ['instance_xmlns', 'http://x.org/f', '<data xmlns="http://x.org/f" id="data">'],
    ['attribute::kind', 'k', '<data id="data" kind="k">'],
    ['prefix', 'P', '<data id="data" odk:prefix="P">'],
    ['delimiter', '+', '<data id="data" odk:delimiter="+">'],
    [
      'instance_id',
      'uuid',
      '<bind nodeset="/data/meta/instanceID" type="string" readonly="true()" jr:preload="uuid"/>',
    ],
    ['submission_url', 'https://e.org', '<submission action="https://e.org" method="post"/>'],
    ['public_key', 'KEY', '<submission base64RsaPublicKey="KEY"/>'],
    ['auto_send', 'true', '<submission orx:auto-send="true"/>'],
    ['auto_send', 'YES', '<submission orx:auto-send="true"/>'],
    ['auto_send', 'wifi_only', '<submission orx:auto-send="wifi_only"/>'],
    ['auto_delete', 'false', '<submission orx:auto-delete="false"/>'],
    ['auto_delete', 'no', '<submission orx:auto-delete="false"/>'],
    ['client_editable', 'true', '<submission odk:client-editable="true"/>'],
    ['client_editable', 'yes', '<submission odk:client-editable="true"/>'],
    ['client_editable', 'TRUE', '<submission odk:client-editable="true"/>'],
    ['namespaces', 'a=http://a.org b=http://b.org/?x=1', ' xmlns:a="http://a.org" xmlns:b="http://b.org/?x=1">'],
    [
      'namespaces',
      `a=http://a.org, b='http://b.org'; c = urn:c`,
      ' xmlns:a="http://a.org" xmlns:b="http://b.org" xmlns:c="urn:c">',
    ],
    ['namespaces', 'a="http://a.org" b="http://b.org"', ' xmlns:a="http://a.org" xmlns:b="http://b.org">'],
  ])('%s', (setting, value, fragment) => {
    expect(withSettings(setting, value).xform).toContain(fragment)
  })

  it.each(['no', 'false', 'FALSE'])('client_editable = %s writes nothing', (no) => {
    const { xform, warnings } = withSettings('client_editable', no)
    expect(xform).not.toContain('<submission')
    expect(warnings).toEqual([])
  })

  it('client_editable that is neither yes nor no is taken for no, with a warning', () => {
    const { xform, warnings } = withSettings('client_editable', 'sometimes')
    expect(xform).not.toContain('<submission')
    expect(warnings.map(({ code, column }) => [code, column])).toEqual([['unclear-setting', 'client_editable']])
  })

  it.each(['a=', 'a="http://a.org', 'a=,', 'a', '=http://a.org'])(
    'namespaces that are no pairs are refused: %s',
    (text) => {
      expect(problemsOf(`${plain}\n${sheet('settings', ['namespaces', text])}`).map(({ code }) => code)).toEqual([
        'invalid-namespaces',
      ])
    },
  )

  it('namespaces do not override those every form declares', () => {
    expect(withSettings('namespaces', 'odk="http://no.example"').xform).not.toContain('no.example')
  })

  it.each(['yes', 'Yes', 'YES', 'true', 'True', 'TRUE', 'true()'])(
    'omit_instanceID = %s leaves the meta block out',
    (yes) => {
      const { xform } = withSettings('omit_instanceID', yes)
      expect(xform).toContain('<data id="data"><a/></data>')
      expect(xform).not.toContain('instanceID')
    },
  )

  it('no other word means yes', () => {
    expect(withSettings('omit_instanceID', 'y').xform).toContain('<instanceID/>')
  })

  it('sms settings are read and not written', () => {
    expect(withSettings('sms_keyword', 'secret').xform).not.toContain('secret')
  })

  it('add_none_option adds the constraint and the choice', () => {
    const rows = survey(
      'type | name | label | constraint',
      'select_multiple l | a | A |',
      'select_multiple l | b | B | . != 1',
      'select_multiple l | c | C | . = 1 or . = 2',
    )
    const { xform } = form(
      `${rows}\n${sheet('choices', ['list_name | name | label', 'l | x | X'])}\n${sheet('settings', ['add_none_option', 'yes'])}`,
    )
    const none = "(.='none' or not(selected(., 'none')))"
    expect(xform).toContain(`<bind nodeset="/data/a" type="string" constraint="${none}"/>`)
    expect(xform).toContain(` constraint=". != 1 and ${none}"`)
    expect(xform).toContain(` constraint="(. = 1 or . = 2) and ${none}"`)
    expect(xform).toContain('<item><name>none</name><label>None</label></item></root>')
  })

  it('flat groups leave no element and pass their relevance on', () => {
    const { xform } = form(
      `${survey(
        'type | name | label | relevant',
        'begin group | g | G | 1 = 1',
        'text | a | A |',
        'begin group | h | H | 2 = 2',
        'text | b | B | 3 = 3',
        'end group | | |',
        'end group | | |',
      )}\n${sheet('settings', ['flat', 'yes'])}`,
    )
    expect(xform).toContain('<data id="data"><a/><b/><meta>')
    expect(xform).toContain('<bind nodeset="/data/a" type="string" relevant="1 = 1"/>')
    expect(xform).toContain('<bind nodeset="/data/b" type="string" relevant="1 = 1 and (2 = 2 and (3 = 3))"/>')
    expect(xform).toContain('<group><label>G</label><input ref="/data/a">')
    expect(xform).not.toContain('nodeset="/data/g"')
  })
})
