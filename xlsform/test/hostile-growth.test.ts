import { describe, expect, it } from 'vitest'
import { compile } from '../src/compile.js'
import { sortTexts } from '../src/model/model-texts.js'
import { parseXForm } from '../src/parse/parse-xform.js'
import { XlsFormError } from '../src/problems.js'
import { isDateFormat } from '../src/workbook/cell-text.js'
import { Itext } from '../src/xform/itext.js'
import { Output } from '../src/xform/output.js'
import { problemsOf } from './support/compile.js'
import { sheet, survey } from './support/mistakes.js'
import { rawXlsx, text } from './support/workbooks.js'

/** Codes of what is wrong; each case took minutes or gigabytes before, so the test's own time limit is the check. */
const codes = (act: () => unknown): string[] => {
  try {
    act()
    return ['ok']
  } catch (error) {
    if (error instanceof XlsFormError) return [...new Set(error.problems.map(({ code }) => code))]
    throw error
  }
}

const many = (count: number, line: (index: number) => string): string =>
  Array.from({ length: count }, (_, i) => line(i)).join('\n')
const cell = (address: string, value: string): string => `<c r="${address}" t="str"><v>${value}</v></c>`
const rows = `<row r="1">${cell('A1', 'type')}${cell('B1', 'name')}${cell('C1', 'label')}</row><row r="2">${cell('A2', 'text')}${cell('B2', 'q')}${cell('C2', 'Q')}</row>`

describe('time that grows with the file and no faster', () => {
  it('tags without attributes, in the styles and among the cells', () => {
    const styles = `<cellXfs>${'<xf/>'.repeat(100_000)}</cellXfs>`
    expect(codes(() => compile(rawXlsx(`<sheetData>${rows}</sheetData>`, { styles })))).toEqual(['ok'])
    const cells = '<c><v>1</v></c>'.repeat(300_000)
    expect(codes(() => compile(rawXlsx(`<sheetData>${rows}<row>${cells}</row></sheetData>`)))).toContain('unknown-type')
  })

  it('one text in very many languages, written and sorted', () => {
    const languages = Array.from({ length: 100_000 }, (_, index) => `l${index}`)
    const itext = new Itext('l0', languages)
    for (const form of ['', 'guidance']) for (const language of languages) itext.add('a', form, language, language)
    const out = new Output()
    itext.write(out)
    const last = languages.at(-1)
    expect(out.toString()).toContain(
      `<translation lang="${last}"><text id="a"><value>${last}</value><value form="guidance">${last}</value></text>`,
    )
    const texts = languages.map((language) => ({ language, text: language })).reverse()
    expect(sortTexts(texts, languages, true)[0]).toEqual({ language: 'l0', text: 'l0' })
  })

  it('a number format of brackets that never close', () => {
    expect(isDateFormat('['.repeat(400_000))).toBe(false)
  })

  it('a text of carriage returns', () => {
    expect(codes(() => compile(text(`a${'\r'.repeat(300_000)}a`)))).toEqual(['missing-survey'])
  })

  it('parameters with a long run of blanks', () => {
    const line = `,text,a,A,"a${'\t'.repeat(60_000)}b"`
    expect(codes(() => compile(text(`survey\n,type,name,label,parameters\n${many(20, () => line)}`)))).toContain(
      'invalid-parameters',
    )
  })

  it('references within thousands of open brackets', () => {
    const call = `indexed-repeat(${'('.repeat(30_000)}${'${a}'.repeat(8000)}`
    const lines = many(20, (index) => `,calculate,b${index},,"${call}"`)
    expect(codes(() => compile(text(`survey\n,type,name,label,calculation\n,text,a,A,\n${lines}`)))).toEqual([
      'invalid-expression',
    ])
  })

  it('unknown types by the ten thousand', () => {
    const found = problemsOf(`survey\n,type,name,label\n${many(40_000, (index) => `,selct_one x${index},q${index},Q`)}`)
    expect(found).toHaveLength(40_000)
    expect(found[0]?.message).toContain("Did you mean 'select_one x0'?")
  })

  it('an element of hundreds of thousands of attributes', () => {
    const attributes = many(300_000, (index) => `a${index}=""`)
    expect(codes(() => parseXForm(`<a ${attributes}/>`))).toEqual(['file-too-large'])
  })
})

describe('memory that grows with the file and no faster', () => {
  it('a text of millions of sheets, or of millions of columns', () => {
    expect(codes(() => compile(text('a\n'.repeat(1_000_000))))).toEqual(['too-many-sheets'])
    expect(codes(() => compile(text(`survey\n${','.repeat(20_000_000)}`)))).toEqual(['missing-column'])
    expect(codes(() => compile(text(`|survey|\n${'|'.repeat(20_000_000)}`)))).toEqual(['missing-column'])
  })

  it('one long shared string in every cell', () => {
    const strings = `<sst><si><t>${'x'.repeat(60_000)}</t></si></sst>`
    const cells = many(1000, (index) => `<row r="${index + 3}"><c r="C${index + 3}" t="s"><v>0</v></c></row>`)
    expect(codes(() => compile(rawXlsx(`<sheetData>${rows}${cells}</sheetData>`, { strings })))).toEqual([
      'sheet-too-large',
    ])
  })

  it('names too long to be repeated in every path, said before what follows from them', () => {
    const name = 'g'.repeat(60_000)
    const lines = many(20_000, (index) => `,text,q${index},Q`)
    const [first] = problemsOf(`survey\n,type,name,label\n,begin group,${name},G\n${lines}\n,end group,,`)
    expect(first).toMatchObject({ code: 'invalid-name', row: 2, column: 'name' })
    expect(first?.message).toBe('A group name may have at most 255 characters; this one has 60000.')
  })

  it('long names nested as deep as they may be', () => {
    const begins = many(50, (index) => `,begin group,${'g'.repeat(250)}${index},G`)
    const lines = many(20_000, (index) => `,text,q${index},Q`)
    const ends = many(50, () => ',end group,,')
    expect(codes(() => compile(text(`survey\n,type,name,label\n${begins}\n${lines}\n${ends}`)))).toEqual([
      'form-too-large',
    ])
    const references = '${deep}'.repeat(9000)
    const notes = many(50, (index) => `,note,n${index},${references}`)
    expect(codes(() => compile(text(`survey\n,type,name,label\n${begins}\n,text,deep,D\n${ends}\n${notes}`)))).toEqual([
      'form-too-large',
    ])
  })

  it('loops that multiply a text', () => {
    const list = sheet('choices', ['list_name | name | label', `l | a | ${'y'.repeat(30_000)}`])
    const loop = ['begin loop over l | g | G', `text | t | ${'%(label)s'.repeat(5000)}`, 'end loop | |']
    expect(codes(() => compile(text(`${survey('type | name | label', ...loop)}\n${list}`)))).toEqual(['cell-too-long'])
  })

  it('an XForm of long names, or of one text shown a million times', () => {
    const head = '<h:html xmlns="http://www.w3.org/2002/xforms" xmlns:h="http://www.w3.org/1999/xhtml"><h:head><model>'
    const name = 'g'.repeat(50_000)
    const depth = Array.from({ length: 50 }, () => name)
    const leaves = many(5000, (index) => `<a${index}/>`)
    const instance = `<instance><data id="a">${depth.map((one) => `<${one}>`).join('')}${leaves}${depth.map((one) => `</${one}>`).join('')}</data></instance>`
    expect(codes(() => parseXForm(`${head}${instance}</model></h:head></h:html>`))).toEqual(['file-too-large'])
    const translation = '<translation lang="a"><text id="x"><value>a</value></text></translation>'
    const flat = `<instance><data id="a">${many(20_000, (index) => `<a${index}/>`)}</data></instance>`
    const body = many(20_000, (index) => `<input ref="/data/a${index}"><label ref="jr:itext('x')"/></input>`)
    for (const count of [400, 2000])
      expect(
        codes(() =>
          parseXForm(
            `${head}<itext>${translation.repeat(count)}</itext>${flat}</model></h:head><h:body>${body}</h:body></h:html>`,
          ),
        ),
      ).toEqual(['file-too-large'])
  })

  it("an error's message shows the first hundred problems, its list all of them", () => {
    const found = (() => {
      try {
        compile(
          text(
            survey('type | name | label', many(150, (index) => `txet | q${index} | Q`).replaceAll('\n', ' |\n| | ')),
          ),
        )
      } catch (error) {
        return error
      }
      return undefined
    })() as XlsFormError
    expect(found.problems).toHaveLength(150)
    expect(found.message.split('\n')).toHaveLength(101)
    expect(found.message).toMatch(/… and 50 more\.$/)
  })
})
