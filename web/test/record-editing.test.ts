// Typing answers: numbers and dates as people write them, and entries that moved while somebody typed.
import { afterEach, describe, expect, it } from 'vitest'
import { dayIn, momentIn } from '../src/parts/cell/values'
import { answerAt, pathAgain } from '../src/parts/record/answers'
import { asInput, readTyped } from '../src/parts/record/editing'
import { wordsOf } from '../src/parts/record/values'
import { showDayOf } from '../src/texts'
import { language } from '../src/texts/language'
import { numberInput, readNumber } from '../src/texts/read-number'

const bo = { 'kids/kname': 'Bo', 'kids/kage': '4' }
const cleo = { 'kids/kname': 'Cleo', 'kids/kage': '6' }
const di = { 'kids/kname': 'Di', 'kids/kage': '8' }
const at = (index: number) => [{ repeat: 'kids', index }]
const again = (old: object[], young: object[], index: number, key = 'kids/kage') =>
  pathAgain({ kids: old }, { kids: young }, at(index), key)

describe('an entry that somebody moved meanwhile', () => {
  it('is found by what it held, whatever went, came or changed beside it', () => {
    expect(again([bo, cleo, di], [cleo, di], 1)).toEqual(at(0))
    expect(again([bo, cleo], [di, bo, cleo], 0)).toEqual(at(1))
    expect(again([bo, cleo], [{ 'kids/kage': '4', 'kids/kname': 'Bo', 'kids/x': '' }, cleo], 0)).toEqual(at(0))
    // The same answer was changed, and the one before it removed.
    expect(again([bo, cleo, di], [{ ...cleo, 'kids/kage': '7' }, di], 1)).toEqual(at(0))
    // Another answer of the entry was changed; all others stand where they stood.
    expect(again([bo, cleo], [{ ...bo, 'kids/kname': 'Bob', 'kids/school': 'x' }, cleo], 0, 'kids/x')).toEqual(at(0))
  })

  it('is not found where it went, or where another may be meant', () => {
    expect(again([bo, cleo], [cleo], 0)).toBeUndefined()
    expect(again([bo, cleo], [di, cleo], 0)).toBeUndefined()
    expect(again([bo, bo, cleo], [bo, cleo], 1)).toBeUndefined()
    expect(again([{}, bo], [{}, bo, cleo], 0)).toBeUndefined()
    expect(again([bo], [], 0)).toBeUndefined()
  })

  it('stays where it is when nothing of its list changed, also among entries that are alike', () => {
    expect(again([bo, bo, {}], [bo, bo, {}], 1)).toEqual(at(1))
    expect(pathAgain({ a: '1' }, { a: '2' }, [], 'a')).toEqual([])
  })

  it('is found within an entry that moved as well', () => {
    const toys = (...names: string[]) => names.map((toy) => ({ 'kids/toys/toy': toy, 'kids/toys/n': toy.length }))
    const former = { kids: [bo, { ...cleo, 'kids/toys': toys('ball', 'kite', 'train') }] }
    const now = { kids: [{ ...cleo, 'kids/toys': toys('kite', 'train') }] }
    const path = [...at(1), { repeat: 'kids/toys', index: 1 }]
    const found = pathAgain(former, now, path, 'kids/toys/n')
    expect(found).toEqual([...at(0), { repeat: 'kids/toys', index: 0 }])
    expect(answerAt(now, found ?? [], 'kids/toys/toy')).toBe('kite')
  })
})

describe('numbers as they are typed', () => {
  afterEach(() => {
    language.value = 'en'
  })

  it.each([
    ['en', { '1.5': '1.5', '1,234': '1234', '1,234.5': '1234.5', '-3': '-3', '٤٢': '42', '١٫٥': '1.5', '.5': '0.5' }],
    ['fr', { '1,5': '1.5', '1.5': '1.5', '1 234,5': '1234.5', '1.234': '1.234', '−7': '-7' }],
    ['es', { '1,5': '1.5', '1.5': '1.5', '0.125': '0.125', '1.234.567': '1234567', '1.234,5': '1234.5' }],
    ['ar', { '٤٢': '42', '٤٢٫٥': '42.5', '٤٬٢٠٠': '4200', '42.5': '42.5', '\u061c-٤٢': '-42' }],
  ] as const)('%s: are read as the language writes them', (name, pairs) => {
    language.value = name
    const read = Object.fromEntries(Object.keys(pairs).map((typed) => [typed, readNumber(typed)]))
    expect(read).toEqual(pairs)
  })

  it('are refused where they are none, and where nobody could say which one is meant', () => {
    expect(['many', '1,5', '1.2.3', '', '-', '12,34', '1e5', '1-2'].map(readNumber)).toEqual(Array(8).fill(undefined))
    language.value = 'es'
    expect(readNumber('1.234')).toBeUndefined()
  })

  it('stand in the field with the comma of the language, and are whole where whole ones are asked', () => {
    language.value = 'fr'
    expect([numberInput('1.5'), numberInput('x.y'), asInput('number', '-2.50')]).toEqual(['1,5', 'x.y', '-2,50'])
    const whole = { kind: 'number', type: 'integer' } as const
    expect([readTyped(whole, '1,5', '3'), readTyped(whole, 'x', '3'), readTyped(whole, '٤٢', '3')]).toEqual([
      { fault: 'notWhole' },
      { fault: 'notNumber' },
      { value: '42' },
    ])
  })
})

describe('what was not touched', () => {
  it('is no change, however exactly it was sent', () => {
    const moment = '1969-12-31T23:59:59.999+14:00'
    const same = (kind: 'datetime' | 'time' | 'number' | 'date', value: string) =>
      readTyped({ kind, type: kind }, asInput(kind, value), value)
    expect(same('datetime', moment)).toEqual({ value: moment })
    expect(same('time', '10:30:00.123+03:00')).toEqual({ value: '10:30:00.123+03:00' })
    expect(same('number', '1.50')).toEqual({ value: '1.50' })
    expect(same('date', '2026-02-30')).toEqual({ value: '2026-02-30' })
    expect(readTyped({ kind: 'text', type: 'text' }, '', undefined)).toEqual({ value: null })
  })

  it('a time that is corrected keeps its zone', () => {
    const time = { kind: 'time', type: 'time' } as const
    expect(readTyped(time, '11:45', '10:30:00.123+03:00')).toEqual({ value: '11:45:00.000+03:00' })
  })
})

describe('what is no date', () => {
  const words = (kind: 'date' | 'time' | 'datetime', value: string) => wordsOf({ kind } as never, value, '')

  it('is shown as it was sent', () => {
    expect(words('date', '2026-02-30')).toBe('2026-02-30')
    expect(words('time', '25:61')).toBe('25:61')
    expect(words('datetime', '2026-02-30T10:00:00.000Z')).toBe('2026-02-30T10:00:00.000Z')
    expect([dayIn('2026-02-30'), momentIn('2026-13-01T10:00:00')]).toEqual(['2026-02-30', '2026-13-01T10:00:00'])
    expect(showDayOf('2026-99-99')).toBe('2026-99-99')
  })

  it('what is one is shown in words', () => {
    expect([words('date', '2024-02-29'), words('date', '2026-06-20T00:00')]).toEqual(['Feb 29, 2024', 'Jun 20, 2026'])
    expect(words('time', '10:30:00.000+03:00')).toMatch(/^10:30\sAM$/)
  })
})
