import { parse } from 'csv-parse/sync'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { growthFault } from '../../../test/support/growth.js'
import { csvLine, type Guard, isFormula, needsGuard, usualGuard } from './cells.js'
import { CsvDefuser } from './defuser.js'

/** What import does. */
const withoutGuard = (text: string) => (text.startsWith("'") && needsGuard(text.slice(1)) ? text.slice(1) : text)

const written = (text: string, guard?: Guard) => (needsGuard(text, guard) ? `'${text}` : text)

const wordsOfForm = { isOff: false, words: new Set(['-none', '=', 'a', '- none -', 'Ape']) }

describe('the guard', () => {
  it.each([
    ['-1+1', "'-1+1"],
    ['@SUM(A1)', "'@SUM(A1)"],
    ['=1+1', "'=1+1"],
    ['+SUM(A1)', "'+SUM(A1)"],
    ['\tx', "'\tx"],
    ['\r=x', "'\r=x"],
    ['-', "'-"],
    ['+', "'+"],
    ["'=1", "''=1"],
    ["'", "'"],
    ["'-5", "'-5"],
    ["'tis", "'tis"],
    ['%x', '%x'],
    ['\n=x', '\n=x'],
    ['some text with = in middle', 'some text with = in middle'],
    ['-42', '-42'],
    ['+1.5', '+1.5'],
    ['-1.2627557 36.7926442 0.0 30.0', '-1.2627557 36.7926442 0.0 30.0'],
    ['-1 0;-1 1', '-1 0;-1 1'],
    ['-1.5 36 0 0; -1.6 36 0 0;', '-1.5 36 0 0; -1.6 36 0 0;'],
    ['+44 20 7946', '+44 20 7946'],
    ['+44 (0)20 7946-0958', '+44 (0)20 7946-0958'],
    ['+44 20 A1', "'+44 20 A1"],
    ['a|b', 'a|b'],
    ['=a|b', "'=a|b"],
    ['', ''],
  ])('%j is %j', (text, safe) => expect(written(text)).toBe(safe))

  it('never stands before the words of the form, and before everything else that begins as they do', () => {
    const texts = ['-none', '-none a', '- none -, Ape', '=', '-none =1+1', '=1', "'-none"]
    expect(texts.map((text) => written(text, wordsOfForm))).toEqual([
      ...texts.slice(0, 4),
      "'-none =1+1",
      "'=1",
      "''-none",
    ])
    expect(['a', '-1', '-none', '='].map(isFormula)).toEqual([false, false, true, true])
  })

  it('taken away again leaves what was there, whatever it was', () => {
    const texts = fc.string({ unit: fc.constantFrom("'", '=', '+', '-', '@', '\t', '1', ' ', ';', 'x', '"', ',') })
    fc.assert(
      fc.property(texts, (text) => {
        expect(withoutGuard(written(text))).toBe(text)
      }),
    )
  })

  it('long texts are written as short ones are, whatever stands in them', () => {
    const texts = fc.string({ unit: fc.constantFrom('a', '"', '|', 'é', '😀', ','), minLength: 1, maxLength: 40 })
    fc.assert(
      fc.property(texts, (text) => {
        const long = text.repeat(Math.ceil(10_000 / text.length))
        expect(csvLine([long])).toBe(`${/[",]/.test(long) ? `"${long.replaceAll('"', '""')}"` : long}\n`)
      }),
    )
  })

  it('a sign with numbers that are none takes no longer than its length asks for', async () => {
    const nearly = (size: number) => `-1${' 11'.repeat(size / 3)} x`
    expect(written(nearly(66))).toBe(`'${nearly(66)}`)
    for (const text of [
      nearly,
      (size: number) => `-${'1'.repeat(size)}x`,
      (size: number) => `-1${' '.repeat(size)}x`,
      (size: number) => `-1${';'.repeat(size)}x`,
      (size: number) => `+1${' ('.repeat(size / 2)}x`,
      (size: number) => `${"'".repeat(size)}=`,
    ]) {
      expect(await growthFault(300_000, text, (one: string) => needsGuard(one))).toBeUndefined()
    }
  })
})

/** As PostgreSQL writes it. */
const raw = (rows: readonly string[][]): Buffer =>
  Buffer.from(
    rows
      .map((cells) => cells.map((cell) => (/[",\n\r]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)).join(','))
      .map((line) => `${line}\n`)
      .join(''),
  )

const trace = Array.from({ length: 400 }, (_, at) => `-1.${at} 36.5 0 0`).join(';')

const cell = fc.oneof(
  fc.string({ maxLength: 12 }),
  fc.stringMatching(/^['=+\-@%\t\r\n |",é0-9.;]{0,12}$/),
  fc.constantFrom('-1.5 36.8 0.0 5.0', '+7', '-', '"', '""', '-1\n-2', '-1"', '😀|', '-none a', '-none =', trace),
)
const table = fc
  .integer({ min: 2, max: 4 })
  .chain((width) => fc.array(fc.array(cell, { minLength: width, maxLength: width }), { maxLength: 8 }))

describe('CsvDefuser', () => {
  it.each([
    ['as it does by itself', usualGuard],
    ['with words of the form', wordsOfForm],
    ['switched off', { isOff: true, words: new Set<string>() }],
  ])('guards what the guard does, %s, wherever the stream is cut, and counts the rows', (_, guard) => {
    fc.assert(
      fc.property(table, fc.array(fc.integer({ min: 1, max: 7 }), { minLength: 1 }), (rows, cuts) => {
        const bytes = raw(rows)
        const defuser = new CsvDefuser(guard)
        const out: Buffer[] = []
        for (let at = 0, turn = 0; at < bytes.length; turn++) {
          const size = bytes.length > 3000 ? 1777 : (cuts[turn % cuts.length] as number)
          out.push(defuser.push(bytes.subarray(at, at + size)))
          at += size
        }
        expect(Buffer.concat(out).toString()).toBe(
          raw(rows.map((cells) => cells.map((text) => written(text, guard)))).toString(),
        )
        expect(defuser.rows).toBe(rows.length)
      }),
      { numRuns: 300 },
    )
  })

  it('leaves a trace of 9,000 points that begins with a sign as it is; what is longer is guarded as a text is', () => {
    const long = Array.from({ length: 9000 }, (_, at) => `-1.${at} 36.5 0 0`).join(';')
    const through = (text: string) => {
      const defuser = new CsvDefuser()
      const bytes = Buffer.from(`${text},x\n`)
      const out: Buffer[] = []
      for (let at = 0; at < bytes.length; at += 65_536) out.push(defuser.push(bytes.subarray(at, at + 65_536)))
      return Buffer.concat(out).toString()
    }
    expect(through(long)).toBe(`${long},x\n`)
    const longer = `-1${' 1'.repeat(600_000)}`
    expect(through(longer)).toBe(`'${longer},x\n`)
    const text = `${longer} x`
    expect(through(text)).toBe(`'${text},x\n`)
  })
})

describe('csvLine', () => {
  it('is read back cell by cell', () => {
    fc.assert(
      fc.property(table, (rows) => {
        fc.pre(rows.every((cells) => cells.some((one) => one !== '')))
        const text = rows.map((cells) => csvLine(cells)).join('')
        expect(parse(text, { relaxColumnCount: true, record_delimiter: '\n' })).toEqual(
          rows.map((cells) => cells.map((one) => written(one))),
        )
      }),
    )
  })

  it('tells a text from the word for unanswered by its quotes', () => {
    const line = (unanswered: string) => csvLine([null, unanswered, 'x'], { guard: usualGuard, unanswered })
    expect(['n/a', '', '-99'].map(line)).toEqual(['n/a,"n/a",x\n', ',"",x\n', '-99,"-99",x\n'])
  })
})
