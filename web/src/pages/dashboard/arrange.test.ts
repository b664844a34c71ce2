import { describe, expect, it } from 'vitest'
import type { Widget } from '@/api/widgets'
import { keysIn, movedTo, publicAddress, resized } from './arrange'

const widget = (fields: Partial<Widget>): Widget => ({
  id: 1,
  title: null,
  description: null,
  aggregation: null,
  order: 0,
  view_type: 'horizontal-bar',
  column: 'a',
  group_by: null,
  metadata: {},
  ...fields,
})

describe('arranging', () => {
  it('moves one and keeps the order of the others; beyond the ends are the ends', () => {
    expect(movedTo(['a', 'b', 'c'], 0, 2)).toEqual(['b', 'c', 'a'])
    expect(movedTo(['a', 'b', 'c'], 2, -5)).toEqual(['c', 'a', 'b'])
    expect(movedTo(['a', 'b'], 7, 0)).toEqual(['a', 'b'])
  })

  it('is one to three columns wide, and keeps what else the metadata hold', () => {
    const wide = resized(resized(resized(widget({ metadata: { other: 1 } }), 1), 1), 1)
    expect(wide.metadata).toEqual({ other: 1, width: 3 })
    expect(resized(widget({ metadata: { width: 'x' } }), -1).metadata).toEqual({ width: 1 })
  })
})

describe('the public link', () => {
  const [one, two] = ['1'.repeat(32), 'a'.repeat(32)]

  it('has the keys behind the #, tables of records never among them', () => {
    const widgets = [
      widget({ key: one }),
      widget({ key: two }),
      widget({ key: 'b'.repeat(32), metadata: { kind: 'table' } }),
      widget({}),
    ]
    const address = publicAddress('https://x.org', widgets)
    expect(address).toBe(`https://x.org/public/dashboard#${one}.${two}`)
    expect(keysIn(new URL(address ?? '').hash)).toEqual([one, two])
    expect(publicAddress('https://x.org', [widget({})])).toBeUndefined()
  })

  it('reads keys alone, each once', () => {
    expect(keysIn(`#${one}.${one}.<img>.${two.toUpperCase()}`)).toEqual([one])
    expect(keysIn('')).toEqual([])
  })
})
