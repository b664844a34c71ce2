import { describe, expect, it } from 'vitest'
import { compile } from '../src/compile.js'
import { parseXForm } from '../src/parse/parse-xform.js'
import { bindOf, form, problemsOf } from './support/compile.js'
import { plain, sheet, survey } from './support/mistakes.js'
import { rawXlsx, text, zip } from './support/workbooks.js'

const codesOf = (sheets: string): string[] => problemsOf(sheets).map(({ row, code }) => `${row} ${code}`)

describe('forms that are odd', () => {
  it('a survey without names is one problem, not one for each row', () => {
    expect(codesOf(survey('type | label', 'text | A', 'text | B', 'begin group | C', 'end group |'))).toEqual([
      '1 missing-column',
    ])
  })

  it('a double is found even when the name came in another case first', () => {
    expect(codesOf(survey('type | name | label', 'text | A | x', 'text | a | x', 'text | a | x'))).toEqual([
      '4 duplicate-name',
    ])
  })

  it('no column may change the namespace of what the compiler writes', () => {
    expect(codesOf(survey('type | name | label | bind::xmlns', 'text | a | A | x'))).toEqual(['1 reserved-attribute'])
    expect(codesOf(survey('type | name | label | body::xmlns', 'text | a | A | x'))).toEqual(['1 reserved-attribute'])
  })

  it.each(['', 'http://www.w3.org/2000/xmlns/', 'http://www.w3.org/XML/1998/namespace'])(
    "no prefix can stand for the namespace '%s'",
    (uri) => {
      expect(codesOf(`${plain}\n${sheet('settings', ['namespaces', `foo="${uri}"`])}`)).toEqual([
        '2 invalid-namespaces',
      ])
    },
  )

  it('the prefix entities is declared before it is used', () => {
    expect(codesOf(survey('type | name | label', 'text | entities:a | A'))).toEqual(['2 undeclared-prefix'])
    const declared = sheet('settings', ['namespaces', 'entities="http://example.org/e"'])
    const { xform, model } = form(`${survey('type | name | label', 'text | entities:a | A')}\n${declared}`)
    expect(parseXForm(xform)).toEqual(model)
  })

  it('a quote in the name of a list ends no literal', () => {
    const list = (name: string): string =>
      sheet('choices', ['list_name | name | label::a | label::b', `${name} | x | X | Y`])
    const rows = (name: string): string =>
      survey('type | name | label | appearance', `select_one ${name} | q | Q | search('f')`)
    const { xform, model } = form(`${rows("o'k")}\n${list("o'k")}`)
    expect(xform).toContain('<label ref="jr:itext(&quot;o\'k-0&quot;)"/>')
    expect(parseXForm(xform)).toEqual(model)
    expect(codesOf(`${rows('o\'"k')}\n${list('o\'"k')}`)).toEqual(['2 invalid-list-name'])
  })

  it('either of two conditions on a flat group still needs the condition of its question', () => {
    const { xform } = form(
      `${survey('type | name | label | relevant', 'text | x | X |', 'begin group | g | G | ${x} = 1 or ${x} = 2', 'text | a | A | ${x} = 3', 'end group | | |')}\n${sheet('settings', ['flat', 'yes'])}`,
    )
    expect(bindOf(xform, '/data/a')).toContain('relevant="( /data/x  = 1 or  /data/x  = 2) and ( /data/x  = 3)"')
  })

  it('a setting in a disabled row sets nothing', () => {
    expect(form(survey('type | name | label | disabled', 'form_title | Old | | yes', 'text | a | A |')).title).toBe(
      'data',
    )
  })

  it('text in UTF-16 is read in either byte order', () => {
    const little = Buffer.from(`\uFEFF${plain}`, 'utf16le')
    const big = Buffer.from(little).swap16()
    for (const bytes of [little, big]) expect(compile(new Uint8Array(bytes)).model.children).toHaveLength(2)
  })
})

describe('workbooks that are odd', () => {
  const cells = (row: number, ...texts: string[]): string =>
    `<row r="${row}">${texts.map((one, index) => `<c r="${'ABC'[index]}${row}" t="str"><v>${one}</v></c>`).join('')}</row>`
  const questions = `<sheetData>${cells(1, 'type', 'name', 'label')}${cells(2, 'text', 'a', 'A')}</sheetData>`

  it('sizes in the fields for large files are read, true or false', () => {
    const bytes = rawXlsx(questions, { isLarge: true })
    expect(compile(bytes).model.children).toHaveLength(2)
    const lying = Buffer.from(bytes)
    const directory = lying.indexOf(Buffer.from([0x50, 0x4b, 0x01, 0x02]))
    const field = directory + 46 + lying.readUInt16LE(directory + 28)
    lying.writeBigUInt64LE(2n ** 60n, field + 4)
    expect(() => compile(new Uint8Array(lying))).toThrow(/unpacks to more data/)
    lying.writeUInt16LE(7, field)
    expect(() => compile(new Uint8Array(lying))).toThrow(/damaged/)
  })

  it('a quote that is never closed is named with its line', () => {
    expect(() => compile(text('survey\r\n,type,name,label\r\n,text,a,"A\n,text,b,B'))).toThrow(/in line 3 .* Close it/)
  })

  it('a sheet whose part is missing is a damaged file, not an empty sheet', () => {
    const parts = [
      { name: 'xl/workbook.xml', content: '<workbook><sheets><sheet name="survey" r:id="r1"/></sheets></workbook>' },
    ].map(({ name, content }) => ({ name, content: text(content) }))
    expect(() => compile(zip(parts))).toThrow("the sheet 'survey' is not in the file")
  })
})

describe('XForms that are odd', () => {
  const xml = (encoding: string): string =>
    `<?xml version="1.0" encoding="${encoding}"?><h:html xmlns="http://www.w3.org/2002/xforms" xmlns:h="http://www.w3.org/1999/xhtml"><h:head><h:title>Été</h:title><model><instance><data id="f"><a/></data></instance><bind nodeset="/data/a" type="xs:int"/></model></h:head><h:body/></h:html>`

  it('are read in the encoding that they declare or are marked with', () => {
    const little = Buffer.from(`\uFEFF${xml('UTF-16')}`, 'utf16le')
    for (const bytes of [
      Buffer.from(xml('UTF-8')),
      Buffer.from(xml('ISO-8859-1'), 'latin1'),
      little,
      Buffer.from(little).swap16(),
    ])
      expect(parseXForm(new Uint8Array(bytes)).title).toBe('Été')
  })

  it('are refused when their bytes are not what they declare, or declare what nobody knows', () => {
    for (const bytes of [Buffer.from(xml('UTF-8'), 'latin1'), Buffer.from(xml('klingon'))])
      expect(() => parseXForm(new Uint8Array(bytes))).toThrow(/Save it as UTF-8/)
  })

  it('may write the types of XML Schema with either usual prefix', () => {
    expect(parseXForm(xml('UTF-8')).children[0]).toMatchObject({ dataType: 'int' })
  })
})
