import { describe, expect, it } from 'vitest'
import { escapeAttribute, escapeText, rootElementOf } from './index.js'

describe('texts in XML', () => {
  it('are escaped; characters that XML cannot hold are dropped', () => {
    expect(escapeText('a<b>&\u0001\ufffe😀\n"')).toBe('a&lt;b&gt;&amp;😀\n"')
    expect(escapeAttribute('"\n\t<')).toBe('&quot;&#10;&#9;&lt;')
  })
})

describe('rootElementOf', () => {
  it.each(['<a/>', '<?xml version="1.0"?><a/>', '\ufeff<?xml version="1.0"?>\n<!-- <b> -->\n<?pi ?> <a/>\n'])(
    '%j has the root <a/>',
    (xml) => expect(rootElementOf(xml)).toBe('<a/>'),
  )
})
