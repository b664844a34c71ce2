// Labels of values that were counted, and how much of a form is looked at for them.
import { describe, expect, it } from 'vitest'
import type { Slot } from '../columns/index.js'
import { type ChartField, valueLabels } from './index.js'

type List = NonNullable<Slot['choices']>

/** Choices that say how often they were looked at. */
const watched = (length: number) => {
  let looks = 0
  const list: List = Array.from({ length }, (_, at) => ({
    get name() {
      looks += 1
      return `v${at}`
    },
    get labels() {
      return [{ language: null, text: `Village ${at}` }]
    },
    media: [],
    data: [],
  }))
  return { list, looks: () => looks }
}

const fieldWith = (name: string, choices: List | null, type = 'select one'): ChartField => {
  const slot = { key: name, name, type, choices, repeats: [] } as unknown as Slot
  return {
    name,
    path: name,
    label: name,
    type,
    dataType: 'categorized',
    source: { kind: 'answer', places: [slot] },
    isSelectOne: type === 'select one',
  }
}

const shape = { languages: [] }

describe('valueLabels', () => {
  it('goes through a list once, whatever the number of questions that share it', async () => {
    const { list, looks } = watched(1000)
    const fields = Array.from({ length: 50 }, (_, at) => fieldWith(`q${at}`, list))
    const labelsOf = await valueLabels(
      shape,
      true,
      fields.map((field) => ({ field, values: ['v999', 'v7', 'other', null] })),
    )
    for (const field of fields) expect(labelsOf(field).shown('v999')).toEqual(['Village 999'])
    expect(labelsOf(fields[0] as ChartField).shown('other')).toEqual(['other'])
    expect(looks()).toBeLessThanOrEqual(1000)
  })

  it('stops where all are found, and looks at no choice when nothing was counted', async () => {
    const { list, looks } = watched(1000)
    const field = fieldWith('q', list)
    const labelsOf = await valueLabels(shape, true, [{ field, values: [null] }])
    expect(labelsOf(field).shown(null)).toEqual([])
    expect(looks()).toBe(0)
    await valueLabels(shape, true, [{ field, values: ['v3'] }])
    expect(looks()).toBe(4)
  })

  it('of a question that takes several: each choice that was taken', async () => {
    const field = fieldWith('q', watched(10).list, 'select all that apply')
    const { shown, text, placeOf, lengthOf } = (await valueLabels(shape, true, [{ field, values: ['v3 x v1', 'v4'] }]))(
      field,
    )
    expect(shown('v3 x v1')).toEqual(['Village 3', 'x', 'Village 1'])
    expect(text('v3 x v1')).toBe('Village 3, x, Village 1')
    expect(text('v3 x v1', 11)).toBe('Village 3, …')
    expect([placeOf('v4'), placeOf('x')]).toEqual([4, Number.POSITIVE_INFINITY])
    expect(lengthOf('v3 x v1')).toBe(19 + 3 * 20)
  })

  it('of several lists the first says what a name means', async () => {
    const newer: List = [{ name: 'v1', labels: [{ language: null, text: 'New' }], media: [], data: [] }]
    const slots = [fieldWith('q', newer), fieldWith('q', watched(3).list)].flatMap(({ source }) =>
      source.kind === 'answer' ? source.places : [],
    )
    const field = { ...fieldWith('q', null), source: { kind: 'answer', places: slots } } as unknown as ChartField
    const { shown } = (await valueLabels(shape, true, [{ field, values: ['v1', 'v2'] }]))(field)
    expect([shown('v1'), shown('v2')]).toEqual([['New'], ['Village 2']])
  })

  it('lets others have a turn while long lists and long values are looked at', async () => {
    let turns = 0
    const counting = setInterval(() => {
      turns += 1
    }, 0)
    const long = Array.from({ length: 50_000 }, (_, at) => ({ name: `v${at}`, labels: [], media: [], data: [] }))
    const lists: List[] = Array.from({ length: 100 }, () => [...long])
    const before = turns
    await valueLabels(
      shape,
      true,
      lists.map((list, at) => ({ field: fieldWith(`q${at}`, list), values: ['none'] })),
    )
    const afterLists = turns
    const several = fieldWith('q', lists[0] as List, 'select all that apply')
    const value = 'a '.repeat(200_000)
    await valueLabels(shape, true, [{ field: several, values: Array.from({ length: 10 }, () => value) }])
    clearInterval(counting)
    expect(afterLists).toBeGreaterThan(before)
    expect(turns).toBeGreaterThan(afterLists)
  })
})
