import { describe, expect, it } from 'vitest'
import { budgets, faultsIn } from '../weights.mjs'

describe('weights', () => {
  const light = { entry: 90, pages: { welcome: 3, map: 100 }, languages: { fr: 10 } }

  it('a page within its budget is let through', () => {
    expect(faultsIn(light)).toEqual([])
  })

  it('a first page, a page or a language over its budget fails the build', () => {
    const heavy = {
      entry: budgets.first,
      pages: { welcome: 1, data: 61, map: 111, charts: 170 },
      languages: { fr: 61 },
    }
    expect(faultsIn(heavy)).toEqual([
      'first page (welcome): 131 KB, at most 130 KB',
      'data: 61 KB, at most 60 KB',
      'map: 111 KB, at most 110 KB',
      'language fr: 61 KB, at most 60 KB',
    ])
  })
})
