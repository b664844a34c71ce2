import { setImmediate } from 'node:timers/promises'
import { compile } from '@sheaf/xlsform'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { sheet } from '../../../test/support/forms.js'
import { growthFault } from '../../../test/support/growth.js'
import { budgets } from '../../budgets.js'
import { builtinNames, type Field, fieldsOf } from '../form/index.js'
import {
  answersOf,
  durationOf,
  encryptedMediaOf,
  InstanceMalformed,
  mediaOf,
  parseInstance,
  parseInstanceInTurns,
  placeOf,
  placeOfRecord,
  textAt,
  valuesOf,
} from './index.js'

const fields = fieldsOf(
  compile(
    Buffer.from(
      sheet(`type,name,label
        start,start,
        end,end,
        text,name,Name
        begin group,g,G
        geopoint,where,Where
        image,photo,Photo
        end group,,
        begin repeat,kid,Kid
        text,kid_name,Name
        image,kid_photo,Photo
        begin repeat,toy,Toy
        text,toy_name,Toy
        end repeat,,
        end repeat,,`),
    ),
    { fileName: 'f.csv' },
  ).model,
)

const answers = (xml: string) => answersOf(parseInstance(xml), fields)

describe('answers of a submission', () => {
  it('have none by the name of a field of the server’s that the form does not ask for; in groups they may', () => {
    const forged = builtinNames.map((name) => `<${name}>1</${name}>`).join('')
    expect(answers(`<data id="f"><name>Ana</name>${forged}<g>${forged}</g></data>`)).toEqual({
      name: 'Ana',
      ...Object.fromEntries(builtinNames.map((name) => [`g/${name}`, '1'])),
    })
    const asked = { ...fields, byKey: new Map([...fields.byKey, ['_status', fields.byKey.get('name') as Field]]) }
    expect(answersOf(parseInstance('<data><_status>ill</_status></data>'), asked)).toEqual({ _status: 'ill' })
  })

  it('have keys by path, repeats as arrays, and nothing for what is empty', () => {
    expect(
      answers(
        `<data id="f"><name> Ana </name><g><where>1 2 3 4</where><photo/></g>
         <kid><kid_name>A</kid_name><toy><toy_name>x</toy_name></toy><toy><toy_name>y</toy_name></toy></kid>
         <kid><kid_name>B</kid_name></kid><kid><kid_name/></kid><unknown>kept</unknown></data>`,
      ),
    ).toEqual({
      name: 'Ana',
      'g/where': '1 2 3 4',
      kid: [
        { 'kid/kid_name': 'A', 'kid/toy': [{ 'kid/toy/toy_name': 'x' }, { 'kid/toy/toy_name': 'y' }] },
        { 'kid/kid_name': 'B' },
        {},
      ],
      unknown: 'kept',
    })
  })

  it('what stands twice without being a repeat keeps every value; a repeat that holds text keeps it too', () => {
    expect(answers('<d><name>a</name><name>b</name><name>c</name><kid>text</kid></d>')).toEqual({
      name: ['a', 'b', 'c'],
      kid: [{ kid: 'text' }],
    })
  })

  it('names without prefix, entities and CDATA are read; hostile names are names', () => {
    const xml =
      '<d xmlns:orx="o"><orx:meta><orx:instanceID>uuid:1</orx:instanceID></orx:meta><name>&lt;a&gt;<![CDATA[<b>]]></name><__proto__>x</__proto__><constructor>y</constructor></d>'
    const found = answers(xml)
    expect(Object.entries(found)).toEqual([
      ['meta/instanceID', 'uuid:1'],
      ['name', '<a><b>'],
      ['__proto__', 'x'],
      ['constructor', 'y'],
    ])
    expect(JSON.stringify(found)).toContain('"__proto__":"x"')
    expect(textAt(parseInstance(xml), 'meta', 'instanceID')).toBe('uuid:1')
  })

  it('every text of a leaf is in the answers exactly once', () => {
    const name = fc.constantFrom('name', 'kid', 'toy', 'g', 'x', 'where')
    const tree = fc.letrec<{ element: string }>((tie) => ({
      element: fc.oneof(
        { maxDepth: 4 },
        fc.tuple(name, fc.constantFrom('1', '2', 'abc')).map(([tag, text]) => `<${tag}>${text}</${tag}>`),
        fc
          .tuple(name, fc.array(tie('element'), { maxLength: 4 }))
          .map(([tag, children]) => `<${tag}>${children.join('')}</${tag}>`),
      ),
    })).element
    fc.assert(
      fc.property(fc.array(tree, { maxLength: 6 }), (children) => {
        const xml = `<data>${children.join('')}</data>`
        const texts = [...xml.matchAll(/>([^<]+)</g)].map(([, text]) => text).sort()
        const found: string[] = []
        const collect = (value: unknown): void => {
          if (typeof value === 'string') found.push(value)
          else for (const one of Object.values(value as object)) collect(one)
        }
        collect(answers(xml))
        expect(found.sort()).toEqual(texts)
      }),
    )
  })
})

describe('a submission that is refused', () => {
  it.each([
    ['nothing', ''],
    ['text', 'hello'],
    ['no end', '<a><b></a>'],
    ['two roots', '<a/><b/>'],
    ['a document type', '<!DOCTYPE a><a/>'],
    ['an entity of its own', '<!DOCTYPE a [<!ENTITY x "y">]><a>&x;</a>'],
    ['an unknown entity', '<a>&x;</a>'],
    ['a control character', '<a>\u0001</a>'],
    ['a prefix that is not declared', '<a><orx:b/></a>'],
    ['XML 1.1', '<?xml version="1.1"?><a>&#1;</a>'],
    ['a prefix on an attribute that is not declared', '<a><b q:c="1"/></a>'],
    ['a prefix that is declared in a sibling', '<a><b xmlns:q="x"/><q:c>1</q:c></a>'],
    ['a prefix that stands for nothing', '<a xmlns:q=""><b>1</b></a>'],
    ['two prefixes', '<a xmlns:q="x"><q:r:s>1</q:r:s></a>'],
    ['absurd paths', `<a>${`<${'n'.repeat(249)}>`.repeat(5)}<b>1</b>${`</${'n'.repeat(249)}>`.repeat(5)}</a>`],
    ['paths that are absurd together', `<a><${'n'.repeat(250)}>${'<b>1</b>'.repeat(50_000)}</${'n'.repeat(250)}></a>`],
    ['an absurd name', `<a><${'n'.repeat(256)}>1</${'n'.repeat(256)}></a>`],
    ['absurd depth', `${'<a>'.repeat(100_000)}${'</a>'.repeat(100_000)}`],
    ['too many elements', `<a>${'<b/>'.repeat(200_001)}</a>`],
    ['a prefix behind the element that declares it', '<a><b xmlns:q="x"><q:c/></b><q:d/></a>'],
    ['half of a document', '<a><b>1</b>'],
  ])('for %s', async (_what, xml) => {
    expect(() => parseInstance(xml)).toThrow(InstanceMalformed)
    await expect(parseInstanceInTurns(xml)).rejects.toThrow(InstanceMalformed)
  })

  const named = (length: number) => 'n'.repeat(length)
  const nested = (...names: string[]) =>
    `${names.map((name) => `<${name}>`).join('')}1${[...names]
      .reverse()
      .map((name) => `</${name}>`)
      .join('')}`
  const { instance } = budgets

  it.each<[string, (size: number) => string, number]>([
    ['budgets.instance.depth', (size) => nested(...Array.from({ length: size }, () => 'a')), instance.depth],
    ['budgets.instance.elements', (size) => `<a>${'<b/>'.repeat(size - 1)}</a>`, instance.elements],
    ['budgets.instance.nameCharacters', (size) => nested('a', named(size)), instance.nameCharacters],
    [
      'budgets.instance.pathCharacters',
      (size) => nested(named(199), named(199), named(199), named(199), named(size - 801)),
      instance.pathCharacters,
    ],
    [
      'budgets.instance.allPathCharacters',
      // 250 and 502 to the groups, 504 to each question; the names of the last two take what is left.
      (size) => {
        const questions = Math.floor((size - 752) / 504) - 2
        const rest = size - 752 - questions * 504 - 2 * 503
        const last = `<${named(Math.ceil(rest / 2))}/><${named(Math.floor(rest / 2))}/>`
        return `<${named(249)}><${named(251)}>${'<b/>'.repeat(questions)}${last}</${named(251)}></${named(249)}>`
      },
      instance.allPathCharacters,
    ],
    [
      'budgets.instance.declarations',
      (size) => `<a>${'<b xmlns:p="x" xmlns:q="x"/>'.repeat(size / 2)}${size % 2 === 0 ? '' : '<c xmlns:p="x"/>'}</a>`,
      instance.declarations,
    ],
    [
      'budgets.instance.attributes',
      (size) => `<a>${'<b c="1" d="2"/>'.repeat(size / 2)}${size % 2 === 0 ? '' : '<b c="1"/>'}</a>`,
      instance.attributes,
    ],
  ])('past %s, and not at it', (_name, made, most) => {
    expect(parseInstance(made(most)).name).not.toBe('')
    expect(() => parseInstance(made(most + 1))).toThrow(InstanceMalformed)
  })
})

describe('what takes long to read', () => {
  const declared = (size: number) =>
    `<d ${Array.from({ length: size / 8 }, (_, one) => `xmlns:a${one}="x"`).join(' ')}>${'<b xmlns:q="x"/>'.repeat(size)}</d>`

  it.each<[string, (size: number) => string]>([
    ['prefixes declared around prefixes', declared],
    [
      'attributes of one element',
      (size) => `<d ${Array.from({ length: size }, (_, one) => `a${one}="x"`).join(' ')}/>`,
    ],
    ['references in an attribute', (size) => `<d a="${'x&amp;'.repeat(size)}"/>`],
    ['references in a text', (size) => `<d>${'x&amp;'.repeat(size)}</d>`],
    ['comments', (size) => `<d>${'a<!-- - -->'.repeat(size)}</d>`],
    ['a comment of dashes', (size) => `<d><!--${'- '.repeat(size)}--></d>`],
    ['instructions', (size) => `<d>${'a<?b ? c?>'.repeat(size)}</d>`],
    ['sections of characters', (size) => `<d>${'<![CDATA[a]]b]]>'.repeat(size)}</d>`],
    ['brackets in a section', (size) => `<d><![CDATA[${']'.repeat(size)} ]]></d>`],
    ['line ends', (size) => `<d>${'a\r\n'.repeat(size)}</d>`],
    ['texts between elements', (size) => `<d>${'a<b/>'.repeat(size)}</d>`],
    ['answers to one question', (size) => `<d>${'<b>1</b>'.repeat(size)}</d>`],
    ['levels', (size) => `<d>${(`${'<a>'.repeat(150)}1${'</a>'.repeat(150)}`).repeat(size / 1000)}</d>`],
    ['a name that is not closed', (size) => `<d ${'a'.repeat(size)}`],
  ])('%s take four times as long when they are four times as many', async (_what, text) => {
    const read = (xml: string) => {
      try {
        answersOf(parseInstance(xml), fields)
      } catch (error) {
        expect(error).toBeInstanceOf(InstanceMalformed)
      }
    }
    expect(await growthFault(9600, text, read)).toBeUndefined()
  })

  it('is the same in turns, and others have theirs within about budgets.instance.turnMs', async () => {
    const xml = `<d xmlns:q="x">${'<q:b>a😀&amp;\r\n</q:b><c/>'.repeat(49_000)}</d>`
    expect(await parseInstanceInTurns(xml)).toEqual(parseInstance(xml))
    let turns = 0
    let isDone = false
    const others = async () => {
      for (; !isDone; turns++) await setImmediate()
    }
    const start = performance.now()
    await Promise.all([others(), parseInstanceInTurns(xml).finally(() => (isDone = true))])
    // A piece may take longer than a turn where the machine is busy.
    const expected = (performance.now() - start) / budgets.instance.turnMs
    expect(turns).toBeGreaterThan(Math.min(2, expected / 10))
  })
})

describe('what a record says about itself', () => {
  it('a place that is none takes no longer than its length asks for', async () => {
    expect(placeOf(`${'0'.repeat(20_000)}x 1`)).toBeNull()
    for (const text of ['0', '1.', ' ', '1 ', '1e1'].map((part) => (size: number) => `${part.repeat(size)}x 1`)) {
      expect(await growthFault(100_000, text, placeOf)).toBeUndefined()
    }
  })

  const at = (start: string, end: string) =>
    durationOf(answers(`<d><start>${start}</start><end>${end}</end></d>`), fields)

  it('its duration, from the first nineteen characters, negative ones too', () => {
    expect(at('2026-05-01T09:00:00.000+03:00', '2026-05-01T09:00:24.500Z')).toBe(24)
    expect(at('2026-05-01T09:00:10', '2026-05-01T09:00:00')).toBe(-10)
    expect(at('yesterday', '2026-05-01T09:00:00')).toBeNull()
    expect(durationOf(answers('<d><end>2026-05-01T09:00:00</end></d>'), fields)).toBeNull()
  })

  it('where it was made: the first geopoint with an answer, if it can be read', () => {
    expect(placeOfRecord(answers('<d><g><where>-1.26 36.79 0 0</where></g></d>'), fields)).toEqual({
      latitude: -1.26,
      longitude: 36.79,
    })
    expect(placeOfRecord(answers('<d><g><where>somewhere</where></g></d>'), fields)).toBeNull()
    expect(placeOf('91 0 0 0')).toBeNull()
    expect(placeOf('1e400 0')).toBeNull()
    expect(placeOf('0x10 0')).toBeNull()
  })

  it('the files that its answers name, in repeats too, each once', () => {
    const found = answers(
      '<d><g><photo>a.jpg</photo></g><kid><kid_photo>b.jpg</kid_photo></kid><kid><kid_photo>a.jpg</kid_photo></kid></d>',
    )
    expect([...mediaOf(found, fields)]).toEqual([
      ['a.jpg', 'g/photo'],
      ['b.jpg', 'kid/kid_photo'],
    ])
    expect(valuesOf(found, { key: 'kid/kid_photo', repeats: ['kid'] })).toEqual(['b.jpg', 'a.jpg'])
    const encrypted = answers(
      '<d><media><file>a.enc</file></media><media><file>b.enc</file></media><encryptedXmlFile>s.xml.enc</encryptedXmlFile></d>',
    )
    expect([...encryptedMediaOf(encrypted).keys()]).toEqual(['s.xml.enc', 'a.enc', 'b.enc'])
  })
})
