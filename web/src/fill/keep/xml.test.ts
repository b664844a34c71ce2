import { describe, expect, it } from 'vitest'
import { defaultsIn } from '../form/defaults'
import { withoutForbidden } from './xml'

describe('text in XML', () => {
  it('leaves out what XML 1.0 cannot hold, and nothing else', () => {
    expect(withoutForbidden('GS1 \u001d01\u000b0950')).toBe('GS1 010950')
    expect(withoutForbidden('\u0000\u0008\u000c\u000e\u001f\ufffe\uffff')).toBe('')
    expect(withoutForbidden('half \ud83d of a pair \udc69')).toBe('half  of a pair ')
    const fine = 'tab\t line\n\r 👩‍👩‍👧 مرحبا \u007f\u0085\ufffd\u{1f4a9}'
    expect(withoutForbidden(fine)).toBe(fine)
  })

  it('nor does an address give it', () => {
    expect(Object.fromEntries(defaultsIn('?d[name]=a%0Bb&d[code]=%00%EF%BF%BEx'))).toEqual({ name: 'ab', code: 'x' })
  })
})
