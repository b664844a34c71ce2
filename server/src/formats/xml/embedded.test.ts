import fc from 'fast-check'
import { SaxesParser } from 'saxes'
import { describe, expect, it } from 'vitest'
import { embedded } from './index.js'

const given = { instanceID: 'uuid:1', submissionDate: '2026-01-10T14:22:05.000+00:00' }
const added = ' instanceID="uuid:1" submissionDate="2026-01-10T14:22:05.000+00:00"'

describe('a submission within another document', () => {
  it.each([
    ['<a/>', `<a${added}/>`],
    ['\ufeff<?xml version="1.0"?><!-- x --><a id="f" ><b>1</b></a>\n', `<a id="f"${added} ><b>1</b></a>`],
    ['<a xmlns="http://x" id="f"><b xmlns="http://y">1</b></a>', `<a id="f"${added}><b>1</b></a>`],
    [`<a\n\txmlns = 'http://x>"'\n id='f>'/>`, `<a\n id='f>'${added}/>`],
    ['<a xmlns:orx="http://o"><orx:meta/></a>', `<a xmlns:orx="http://o"${added}><orx:meta/></a>`],
    ['<a instanceID="old" submissionDate="1970"><b instanceID="kept"/></a>', `<a${added}><b instanceID="kept"/></a>`],
    [
      '<a><![CDATA[<b xmlns="x">]]><!-- <c xmlns="x"> --><?d xmlns="x"?>xmlns="x"</a>',
      `<a${added}><![CDATA[<b xmlns="x">]]><!-- <c xmlns="x"> --><?d xmlns="x"?>xmlns="x"</a>`,
    ],
  ])('%j', (xml, expected) => expect(embedded(xml, given)).toBe(expected))

  it('is the same elements with the same texts and attributes, whatever they are', () => {
    const escaped = (text: string) => text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`)
    const text = fc
      .string({ unit: fc.constantFrom('a', ' ', '<', '>', '"', "'", '&', '=', '/', '\n', 'xmlns="x"'), maxLength: 12 })
      .map(escaped)
    const quote = fc.constantFrom('"', "'")
    const attribute = fc.tuple(text, quote).map(([value, mark]) => ` v=${mark}${value}${mark}`)
    const { element } = fc.letrec((tie) => ({
      element: fc
        .tuple(
          fc.constantFrom('b', 'c', 'orx:d'),
          fc.option(attribute, { nil: '' }),
          fc.constantFrom('', ' xmlns="u"'),
          tie('content'),
        )
        .map(([name, own, space, inner]) =>
          inner === '' ? `<${name}${own}${space} />` : `<${name}${space}${own}>${inner}</${name}>`,
        ),
      content: fc.oneof(
        { maxDepth: 3 },
        text,
        fc.constantFrom('<![CDATA[<b xmlns="x">]]>', '<!-- <b -->', '<?p <b?>'),
        fc.array(tie('element') as fc.Arbitrary<string>, { maxLength: 3 }).map((all) => all.join('')),
      ),
    }))
    const events = (xml: string) => {
      const seen: unknown[] = []
      const parser = new SaxesParser()
      parser.on('error', (error) => {
        throw error
      })
      parser.on('opentag', ({ name, attributes: { xmlns: _, ...own } }) => seen.push([name, own]))
      parser.on('text', (value) => seen.push(value))
      parser.on('cdata', (value) => seen.push(['cdata', value]))
      parser.write(xml).close()
      return seen
    }
    fc.assert(
      fc.property(element as fc.Arbitrary<string>, (inner) => {
        const xml = `<root xmlns:orx="o" xmlns="u">${inner}</root>`
        const [[name, attributes], ...rest] = events(embedded(xml, given)) as [[string, object], ...unknown[]]
        const [[, before], ...others] = events(xml) as [[string, object], ...unknown[]]
        expect([name, attributes, rest]).toEqual(['root', { ...before, ...given }, others])
        expect(embedded(xml, given)).not.toMatch(/<root[^>]*\sxmlns=/)
      }),
    )
  })
})
