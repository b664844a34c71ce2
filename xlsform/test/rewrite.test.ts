import { describe, expect, it } from 'vitest'
import { compile, parseXForm } from '../src/index.js'
import { rewriteXForm } from '../src/rewrite/rewrite.js'

const csv = (rows: string, settings = '') => Buffer.from(`survey\n,type,name,label\n${rows}${settings}`)
const xform = (rows = ',integer,age,Your age?\n', settings = '') =>
  compile(csv(rows, settings), { fileName: 'visit.csv' }).xform

const uuid = '46ea15e2b8134624a47e2c4b77eef0d4'

describe('rewriteXForm', () => {
  it('sets id, version and title, and leaves the rest as it was', () => {
    const model = parseXForm(rewriteXForm(xform(), { id: 'visit_1', version: 'v<2', title: 'A & B' }))
    expect([model.formId, model.version, model.title]).toEqual(['visit_1', 'v<2', 'A & B'])
    expect(model.children).toEqual(parseXForm(xform()).children)
  })

  it('puts the identifier first into the instance, with the calculation that fills it', () => {
    const xml = rewriteXForm(xform(), { uuid })
    expect(xml).toContain('<data id="visit"><form><uuid/></form><age/>')
    const [form] = parseXForm(xml).children
    expect(form).toMatchObject({ kind: 'group', name: 'form', children: [{ name: 'uuid', calculate: `'${uuid}'` }] })
  })

  it('a form that was published before gets the new identifier in place of the old one', () => {
    const twice = rewriteXForm(rewriteXForm(xform(), { uuid: 'f'.repeat(32) }), { uuid })
    expect(twice).toBe(rewriteXForm(xform(), { uuid }))
  })

  it('a group named form of the author’s own is left alone', () => {
    const own = xform(',begin group,form,Form\n,text,uuid,Uuid\n,text,b,B\n,end group,,\n')
    expect(rewriteXForm(own, { uuid })).toBe(own)
  })

  it('changes several things at one place of the text', () => {
    const published = rewriteXForm(xform(), { uuid: 'f'.repeat(32) })
    expect(rewriteXForm(published, { uuid, publicKey: '' })).toBe(rewriteXForm(xform(), { uuid }))
    const both = rewriteXForm(published, { uuid, publicKey: 'MIIB+/=' })
    expect(parseXForm(both).publicKey).toBe('MIIB+/=')
    expect(both).not.toContain('f'.repeat(32))
    expect(rewriteXForm(both, { publicKey: '' })).toBe(rewriteXForm(xform(), { uuid }))
  })

  it('sets and takes away the key for encryption', () => {
    const encrypted = rewriteXForm(xform(), { publicKey: 'MIIB+/=' })
    expect(parseXForm(encrypted).publicKey).toBe('MIIB+/=')
    expect(rewriteXForm(encrypted, { publicKey: '' })).toBe(xform())
  })

  it('finds its way in a foreign XForm: prefixes, long tags, quotes, line ends', () => {
    const foreign = `<?xml version='1.0'?>\r\n<h:html xmlns:h="http://www.w3.org/1999/xhtml" xmlns="http://www.w3.org/2002/xforms">\r\n<h:head><h:title>Old 😀</h:title><model><instance><survey\r\n  id='a>b'  version='1'><q/></survey></instance><instance id="x"><root/></instance><bind nodeset="/survey/q"></bind></model></h:head><h:body/></h:html>`
    const xml = rewriteXForm(foreign, { id: 'ab', version: '2', title: 'New', uuid })
    expect(xml).toBe(
      `<?xml version='1.0'?>\r\n<h:html xmlns:h="http://www.w3.org/1999/xhtml" xmlns="http://www.w3.org/2002/xforms">\r\n<h:head><h:title>New</h:title><model><instance><survey id="ab" version="2"><form><uuid/></form><q/></survey></instance><bind nodeset="/survey/form/uuid" type="string" readonly="true()" calculate="'${uuid}'"/><instance id="x"><root/></instance><bind nodeset="/survey/q"></bind></model></h:head><h:body/></h:html>`,
    )
  })
})
