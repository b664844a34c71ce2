import { deflateRawSync } from 'node:zlib'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compile } from '../src/compile.js'
import { limits } from '../src/limits.js'
import { parseXForm } from '../src/parse/parse-xform.js'
import { XlsFormError } from '../src/problems.js'
import { form, problemsOf } from './support/compile.js'
import { sheet, survey } from './support/mistakes.js'
import { rawXlsx, text, workbook, zip } from './support/workbooks.js'

/** The first problem's code, `ok` when there is none; anything else thrown is a fault of ours. */
const outcome = (bytes: Uint8Array): string => {
  try {
    compile(bytes)
    return 'ok'
  } catch (error) {
    if (error instanceof XlsFormError) return error.problems[0]?.code ?? 'empty'
    throw error
  }
}

const cell = (address: string, value: string): string => `<c r="${address}" t="str"><v>${value}</v></c>`
const header = `<row r="1">${cell('A1', 'type')}${cell('B1', 'name')}${cell('C1', 'label')}</row>`
const question = (row: number): string =>
  `<row r="${row}">${cell(`A${row}`, 'text')}${cell(`B${row}`, `q${row}`)}${cell(`C${row}`, 'Q')}</row>`

const workbookOf = (sheet: string) => [
  { name: 'xl/workbook.xml', content: text('<workbook><sheets><sheet name="survey" r:id="r1"/></sheets></workbook>') },
  {
    name: 'xl/_rels/workbook.xml.rels',
    content: text(`<Relationships><Relationship Id="r1" Type="x/worksheet" Target="${sheet}"/></Relationships>`),
  },
]

describe('hostile and oversized input', () => {
  it('100,000 choices are an answer', () => {
    const rows = Array.from({ length: 100_000 }, (_, index) => `,l${index % 50},c${index},Choice ${index}`)
    const bytes = text(
      `survey\n,type,name,label\n,select_one l1,q,Q\nchoices\n,list_name,name,label\n${rows.join('\n')}`,
    )
    expect(compile(bytes).model.choiceLists.map(({ choices }) => choices.length)).toEqual(
      Array.from({ length: 50 }, () => 2000),
    )
  })

  it('20,000 rows of mistakes are 20,000 problems', () => {
    expect(
      problemsOf(
        survey('type | name | label', ...Array.from({ length: 20_000 }, (_, index) => `txet | q${index} | Q`)),
      ),
    ).toHaveLength(20_000)
  })

  it('a part that unpacks to gigabytes is refused, whatever its directory says', () => {
    const bomb = deflateRawSync(Buffer.alloc(128 * 1024 * 1024, 32))
    const part = { name: 'xl/s.xml', content: bomb, method: 8, declaredSize: 10 }
    expect(outcome(zip([...workbookOf('s.xml'), part]))).toBe('unpacks-too-large')
  })

  it('a large part that is packed more than limits.zipRatio times is refused; a small one, and one packed less, is read', () => {
    const sheet = (declaredSize: number, packed: number) =>
      zip([
        ...workbookOf('s.xml'),
        { name: 'xl/s.xml', content: text(`<sheetData>${header}${question(2)}</sheetData>`) },
        { name: 'xl/other.xml', content: new Uint8Array(packed), method: 8, declaredSize },
      ])
    const { zipRatio, zipRatioFromBytes: from } = limits
    const packed = Math.ceil((from + 1) / zipRatio)
    expect(outcome(sheet(packed * zipRatio, packed))).toBe('ok')
    expect(outcome(sheet(packed * zipRatio + 1, packed))).toBe('unpacks-too-large')
    expect(outcome(sheet(from, 1))).toBe('ok')
    expect(outcome(sheet(from + 1, 1))).toBe('unpacks-too-large')
  })

  it('a zip with too many entries, an encrypted one and one of an unknown method are refused', () => {
    const many = Array.from({ length: 6000 }, (_, index) => ({ name: `f${index}`, content: text('') }))
    expect(outcome(zip(many))).toBe('unpacks-too-large')
    expect(outcome(zip([{ name: 'xl/workbook.xml', content: text('x'), method: 99 }]))).toBe('unreadable-file')
    const encrypted = zip([{ name: 'xl/workbook.xml', content: text('x') }])
    const directory = Buffer.from(encrypted).indexOf(Buffer.from([0x50, 0x4b, 0x01, 0x02]))
    encrypted[directory + 8] = 1
    expect(outcome(encrypted)).toBe('encrypted-file')
  })

  it('a sheet cut off in the middle of a cell is refused', () => {
    expect(outcome(rawXlsx(`<sheetData>${header}<row r="2"><c r="A2" t="str"><v>te`))).toBe('unreadable-file')
    expect(outcome(rawXlsx(`<sheetData>${header}<row r="2"><c r="A2" t="str`))).toBe('unreadable-file')
  })

  it('a million empty rows and cells cost time but no memory', () => {
    const empty = '<row r="3"><c r="A3" s="1"/></row>'.repeat(300_000)
    expect(outcome(rawXlsx(`<sheetData>${header}${question(2)}${empty}</sheetData>`))).toBe('ok')
  })

  it('cells far to the right, too long or in their millions are left out or refused', () => {
    const far = `<sheetData>${header}<row r="2">${cell('A2', 'text')}${cell('B2', 'q')}${cell('C2', 'Q')}${cell('ZZZ2', 'x')}</row></sheetData>`
    expect(outcome(rawXlsx(far))).toBe('ok')
    expect(outcome(rawXlsx(`<sheetData>${header}<row r="2">${cell('A2', 'x'.repeat(70_000))}</row></sheetData>`))).toBe(
      'cell-too-long',
    )
  })

  it('loops that multiply are stopped', () => {
    const loops = Array.from({ length: 6 }, (_, index) => `begin loop over l | g${index} | G`)
    const rows = [...loops, 'text | t | T', ...loops.map(() => 'end loop | |')]
    const list = sheet('choices', [
      'list_name | name | label',
      ...Array.from({ length: 20 }, (_, index) => `l | c${index} | C`),
    ])
    expect(problemsOf(`${survey('type | name | label', ...rows)}\n${list}`).map(({ code }) => code)).toContain(
      'loop-too-large',
    )
  })

  it('groups and loops nested by the thousand are refused', () => {
    for (const kind of ['group', 'loop over l']) {
      const begins = Array.from({ length: 5000 }, (_, index) => `begin ${kind} | g${index} | G`)
      const ends = begins.map(() => `end ${kind.split(' ')[0]} | |`)
      const list = sheet('choices', ['list_name | name | label', 'l | a | A'])
      expect(
        problemsOf(`${survey('type | name | label', ...begins, 'text | t | T', ...ends)}\n${list}`).map(
          ({ code }) => code,
        ),
      ).toEqual(['nesting-too-deep'])
    }
  })

  it('a setting of one long word is read in linear time', () => {
    const settings = sheet('settings', ['namespaces', 'a'.repeat(60_000)])
    expect(problemsOf(`${survey('type | name | label', 'text | a | A')}\n${settings}`)[0]?.code).toBe(
      'invalid-namespaces',
    )
  })

  it('a cell full of brackets or references is read in linear time', () => {
    const deep = `${'('.repeat(30_000)}1${')'.repeat(30_000)}`
    expect(problemsOf(survey('type | name | label | relevant', `text | a | A | ${deep}`))[0]?.code).toBe(
      'invalid-expression',
    )
    const many = Array.from({ length: 8000 }, () => '${a}').join(' + ')
    expect(
      form(survey('type | name | label | calculation', 'integer | a | A |', `calculate | b | | ${many}`)).xform,
    ).toContain('/data/b')
    const open = '${a'.repeat(10_000)
    expect(problemsOf(survey('type | name | label', 'text | a | A', `note | b | ${open}`))[0]?.code).toBe(
      'malformed-reference',
    )
  })

  it('no bytes make the compiler fail other than with problems', () => {
    const base = workbook({
      survey: [
        ['type', 'name', 'label'],
        ['text', 'a', 'A'],
      ],
    })
    const old = workbook(
      {
        survey: [
          ['type', 'name', 'label'],
          ['text', 'a', 'A'],
        ],
      },
      'biff8',
    )
    fc.assert(
      fc.property(
        fc.constantFrom(base, old),
        fc.array(fc.tuple(fc.nat(), fc.nat(255)), { minLength: 1, maxLength: 8 }),
        fc.option(fc.nat(), { freq: 3 }),
        (bytes, changes, cut) => {
          const damaged = bytes.slice(0, cut === null ? undefined : cut % bytes.length)
          for (const [position, value] of changes) damaged[position % Math.max(1, damaged.length)] = value
          expect(outcome(damaged)).toEqual(expect.any(String))
        },
      ),
      { numRuns: 150 },
    )
  })

  it('no text makes the compiler or the parser fail other than with problems', () => {
    const pieces = fc.constantFrom(
      'survey',
      ',',
      '\n',
      '"',
      '|',
      'type',
      'name',
      'label',
      'text',
      '${a}',
      '${',
      'begin group',
      'end group',
      '[',
      '(',
      '<',
      ' ',
      '::',
      'a',
    )
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 60 }), (parts) => {
        expect(outcome(text(parts.join('')))).toEqual(expect.any(String))
        expect(() => parseXForm(parts.join(''))).toThrow(XlsFormError)
      }),
      { numRuns: 300 },
    )
  })
})
