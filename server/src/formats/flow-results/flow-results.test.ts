import { describe, expect, it } from 'vitest'
import type { FormShape } from '../columns/index.js'
import { type FlowRow, flowRowsOf } from './index.js'

const slot = (key: string, repeats: string[] = []) => ({
  key,
  name: key,
  kind: 'text',
  choices: null,
  repeats,
  isAlsoRepeat: false,
})

const shapeWith = (slots: ReturnType<typeof slot>[], repeats: readonly string[]) =>
  ({
    questions: slots,
    meta: [],
    slotsOf: (key: string) => slots.filter((one) => one.key === key),
    hasRepeat: (key: string) => repeats.includes(key),
  }) as unknown as FormShape

const rowsOf = async (record: object, shape: FormShape): Promise<FlowRow[]> => {
  const rows: FlowRow[] = []
  for await (const row of flowRowsOf({ _id: 1, _submission_time: 't', ...record }, shape)) rows.push(row)
  return rows
}

describe('flowRowsOf', () => {
  it('one question after the other, each by its entries; what no version knows comes last', async () => {
    const shape = shapeWith(
      [slot('r/b', ['r']), slot('r/s/c', ['r', 'r/s']), slot('a'), slot('r/d', ['r'])],
      ['r', 'r/s'],
    )
    const record = {
      other: '?',
      a: '1',
      r: [{ 'r/d': '2' }, { 'r/b': '3', 'r/s': [{ 'r/s/c': '4' }] }, { 'r/s': [{}, { 'r/s/c': '5' }], 'r/b': '6' }],
    }
    const rows = await rowsOf(record, shape)
    expect(rows.map(([, , , question, response]) => [question, response])).toEqual([
      ['r[2]/b', '3'],
      ['r[3]/b', '6'],
      ['r[2]/s[1]/c', '4'],
      ['r[3]/s[2]/c', '5'],
      ['a', '1'],
      ['r[1]/d', '2'],
      ['other', '?'],
    ])
    expect(new Set(rows.map(([, id]) => id)).size).toBe(rows.length)
  })

  it('takes as long as the record is, not as long as the record times the questions of the form', async () => {
    let looks = 0
    const entry = new Proxy(
      { 'r/t': 'x' },
      {
        get: (target, key) => {
          looks += 1
          return Reflect.get(target, key)
        },
      },
    )
    const shape = shapeWith(
      Array.from({ length: 1000 }, (_, at) => slot(`r/q${at}`, ['r'])),
      ['r'],
    )
    expect(await rowsOf({ r: Array.from({ length: 1000 }, () => entry) }, shape)).toEqual([])
    expect(looks).toBeLessThan(10_000)
  })
})
