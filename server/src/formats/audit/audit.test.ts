// Audit logs of phones: read whatever stands there, and what they say.
import { parse } from 'csv-parse/sync'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { budgets } from '../../budgets.js'
import { AuditFactsReader, AuditLogReader, auditColumns, isUnknown } from './index.js'

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)

/** In pieces of this many bytes. */
const linesOf = (log: string | Uint8Array, piece = Number.MAX_SAFE_INTEGER) => {
  const all = typeof log === 'string' ? bytes(log) : log
  const reader = new AuditLogReader()
  const lines = []
  for (let from = 0; from < all.length; from += piece) lines.push(...reader.push(all.subarray(from, from + piece)))
  lines.push(...reader.end())
  return { lines: lines.map((line) => Object.fromEntries(line)), columns: reader.columns }
}

const head = 'event,node,start,end'

describe('a log', () => {
  it('is lines by the names of its columns; blank cells are left out', () => {
    const log = `${head},latitude,longitude,accuracy,old-value,new-value,user,change-reason
form start,,1719900000000,
question,/data/member[2]/name,1719900001000,1719900005000,-1.2,36.8,0,,"Ana, ""Annie""
Smith",bob,typo
`
    expect(linesOf(log)).toEqual({
      columns: [...auditColumns],
      lines: [
        { event: 'form start', start: '1719900000000' },
        {
          event: 'question',
          node: '/data/member[2]/name',
          start: '1719900001000',
          end: '1719900005000',
          latitude: '-1.2',
          longitude: '36.8',
          accuracy: '0',
          'new-value': 'Ana, "Annie"\nSmith',
          user: 'bob',
          'change-reason': 'typo',
        },
      ],
    })
  })

  it.each([
    ['a mark at its beginning', `\ufeff${head}\nform start,,1,`, [{ event: 'form start', start: '1' }]],
    [
      'lines that end as on Windows',
      `${head}\r\nform start,"a",1,\r\n`,
      [{ event: 'form start', node: 'a', start: '1' }],
    ],
    [
      'shorter lines',
      `${head},user\nform exit\nform save,/a`,
      [{ event: 'form exit' }, { event: 'form save', node: '/a' }],
    ],
    ['longer lines', `${head}\nform exit,/a,1,2,3,4,5`, [{ event: 'form exit', node: '/a', start: '1', end: '2' }]],
    ['empty lines', `${head}\n\n\nform exit,\n\n`, [{ event: 'form exit' }]],
    ['no header', 'form exit,/a,1,2', [{ event: 'form exit', node: '/a', start: '1', end: '2' }]],
    ['a header in capitals', 'Event, Node ,START,End\nx,y,1,2', [{ event: 'x', node: 'y', start: '1', end: '2' }]],
    [
      'a header written anew',
      `${head}\na,b,1,2\n${head},user\nc,d,1,2,e`,
      [
        { event: 'a', node: 'b', start: '1', end: '2' },
        { event: 'c', node: 'd', start: '1', end: '2', user: 'e' },
      ],
    ],
    ['unknown columns', `${head},mood\na,b,1,2,good`, [{ event: 'a', node: 'b', start: '1', end: '2', mood: 'good' }]],
    ['a stray quote in a text', `${head}\na,5" pipe,1,2`, [{ event: 'a', node: '5" pipe', start: '1', end: '2' }]],
    ['text behind a quote', `${head}\na,"b"c,1,2`, [{ event: 'a', node: '"b"c', start: '1', end: '2' }]],
    [
      'a quote that is never closed',
      `${head}\na,"b,1,2\nc,d,3,4\n`,
      [
        { event: 'a', node: '"b', start: '1', end: '2' },
        { event: 'c', node: 'd', start: '3', end: '4' },
      ],
    ],
    ['NUL', `${head}\na,b\0c,1,2`, [{ event: 'a', node: 'b\ufffdc', start: '1', end: '2' }]],
    ['nothing', '', []],
  ])('with %s', (_, log, lines) => {
    for (const piece of [1, 2, 7, 100_000]) expect(linesOf(log, piece).lines).toEqual(lines)
  })

  it('of bytes that are no text is text with marks in their place', () => {
    const log = Buffer.concat([Buffer.from(`${head}\na,`), Buffer.from([0xff, 0xfe, 0x00]), Buffer.from(',1,2')])
    expect(linesOf(log).lines[0]).toMatchObject({ event: 'a', start: '1' })
  })

  it('cells end at budgets.audits.cellCharacters, and rows at budgets.audits.columns, whatever comes behind', () => {
    const { cellCharacters, columns } = budgets.audits
    const { lines } = linesOf(`${head}\na,${'x'.repeat(cellCharacters + 5)},1,2\nb,c,3,4`, 65_536)
    expect(lines.map(({ event, node = '', end }) => [event, node.length, end])).toEqual([
      ['a', cellCharacters, '2'],
      ['b', 1, '4'],
    ])
    const quoted = linesOf(`${head}\na,"${'x'.repeat(cellCharacters + 5)}",1,2\nb,c,3,4`, 65_536).lines
    expect(quoted.map(({ event, end }) => [event, end])).toEqual([
      ['a', '2'],
      ['b', '4'],
    ])
    const wide = linesOf(`${head}${',c'.repeat(1_000_000)}\na,b${','.repeat(1_000_000)}\nc,d,1,2`)
    expect([wide.columns.length, wide.lines]).toEqual([
      columns,
      [
        { event: 'a', node: 'b' },
        { event: 'c', node: 'd', start: '1', end: '2' },
      ],
    ])
  })

  it('that is well written is what a library for CSV reads, in whatever pieces it comes', () => {
    const cell = fc.string({ unit: fc.constantFrom('a', '"', ',', '\n', ' ', 'é', '😀'), maxLength: 8 })
    const written = (text: string) => (/[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)
    fc.assert(
      fc.property(
        fc.array(fc.array(cell, { minLength: 2, maxLength: 4 }), { maxLength: 10 }),
        fc.integer({ min: 1, max: 30 }),
        (rows, piece) => {
          const log = [head, ...rows.map((row) => row.map(written).join(','))].join('\n')
          const expected = (parse(log, { columns: true, relax_column_count: true }) as Record<string, string>[]).map(
            (row) => Object.fromEntries(Object.entries(row).filter(([, value]) => value !== '')),
          )
          expect(linesOf(log, piece).lines).toEqual(expected)
        },
      ),
    )
  })

  it('whatever bytes it has is read, the same in one piece as in many', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('"', ',', '\n', '\r', 'a', '\0', 'é') }), (text) => {
        const log = `${head}\n${text}`
        expect(linesOf(log, 3).lines.length).toBe(linesOf(log).lines.length)
      }),
    )
  })

  it('columns that Collect does not write are unknown', () => {
    expect([...auditColumns, 'mood', ''].filter(isUnknown)).toEqual(['mood'])
  })
})

const factsOf = (log: string) => {
  const reader = new AuditLogReader()
  const facts = new AuditFactsReader()
  for (const line of [...reader.push(bytes(log)), ...reader.end()]) facts.add(line)
  return facts.facts(reader.columns)
}

describe('what a log says', () => {
  it('seconds at questions and groups, overlaps once; a clock that was put back counts nothing', () => {
    const log = `${head}
form start,,0,
question,/d/a,1000,3000
group questions,/d/g,4000,9000
question,/d/g/b,4000,6000
question,/d/g/c,5000,9000
question,/d/a,20000,12000
jump,,30000,40000
end screen,,50000,90000
`
    expect(factsOf(log)).toEqual({
      seconds: 7,
      questions: 3,
      edits: null,
      nodes: [
        { event: 'question', node: '/d/a', seconds: 2, visits: 2 },
        { event: 'group questions', node: '/d/g', seconds: 5, visits: 1 },
        { event: 'question', node: '/d/g/b', seconds: 2, visits: 1 },
        { event: 'question', node: '/d/g/c', seconds: 4, visits: 1 },
      ],
    })
  })

  it('edits are answers that changed after the form was opened again; unknown where changes are not tracked', () => {
    const log = `${head},old-value,new-value
question,/d/a,1,2,,first
form resume,,3,
question,/d/a,4,5,first,second
question,/d/b,4,5,same,same
question,/d/c,4,5,gone,
`
    expect(factsOf(log).edits).toBe(2)
    expect(factsOf(`${head},old-value,new-value\nform start,,1,`).edits).toBe(0)
    expect(factsOf(`${head}\nform resume,,1,`)).toEqual({ seconds: null, questions: 0, edits: null, nodes: [] })
  })

  it('whatever the intervals, seconds are never negative and never more than from the first to the last', () => {
    const moment = fc.integer({ min: 0, max: 100_000 })
    fc.assert(
      fc.property(fc.array(fc.tuple(moment, moment), { minLength: 1 }), (intervals) => {
        const log = [head, ...intervals.map(([start, end], at) => `question,/d/q${at},${start},${end}`)].join('\n')
        const covered = new Set(intervals.flatMap(([start, end]) => (end > start ? [start, end] : [])))
        const span = covered.size === 0 ? 0 : Math.max(...covered) - Math.min(...covered)
        const { seconds } = factsOf(log)
        expect(seconds).toBeGreaterThanOrEqual(0)
        expect(seconds).toBeLessThanOrEqual(span / 1000)
      }),
    )
  })

  it('moments that are no numbers are none', () => {
    expect(factsOf(`${head}\nquestion,/d/a,NaN,1e9\nquestion,/d/b,1,99999999999999999999`).seconds).toBe(0)
  })
})
