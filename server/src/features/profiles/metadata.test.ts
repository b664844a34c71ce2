import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { mergeMetadata } from './metadata.js'

const metadata = fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 3 }))

describe('mergeMetadata', () => {
  it('keeps every key of both sides; a repeated merge changes nothing more', () => {
    fc.assert(
      fc.property(metadata, metadata, (before, changes) => {
        const merged = mergeMetadata(before, changes)
        expect(new Set(Object.keys(merged))).toEqual(new Set([...Object.keys(before), ...Object.keys(changes)]))
        expect(mergeMetadata(merged, changes)).toEqual(merged)
      }),
    )
  })

  it('never touches the prototype', () => {
    const merged = mergeMetadata({}, JSON.parse('{"__proto__": {"polluted": 1}, "constructor": {"prototype": 2}}'))
    expect(({} as { polluted?: number }).polluted).toBeUndefined()
    expect(Object.keys(merged)).toEqual(['__proto__', 'constructor'])
  })
})
