import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Segment, segmentsOf } from './index.js'

const rowsOf = (numbers: Iterable<number>, ending = ''): string[] =>
  [...numbers].map((number) => `${number}\t${'x'.repeat(100 + (number % 50))}${ending}\n`)

const cut = async (
  rows: readonly string[],
  piece: number,
  bounds = { least: 4000, most: 64_000 },
): Promise<Segment[]> => {
  const bytes = Buffer.from(rows.join(''))
  const pieces = async function* () {
    for (let at = 0; at < bytes.length; at += piece) yield bytes.subarray(at, at + piece)
  }
  const segments: Segment[] = []
  for await (const segment of segmentsOf(pieces(), bounds)) segments.push(segment)
  return segments
}

const range = (count: number): number[] => Array.from({ length: count }, (_, at) => at)
const textsOf = (segments: readonly Segment[]): string[] => segments.map(({ bytes }) => bytes.toString())

describe('segments', () => {
  it('are the rows, in their order, whatever pieces they come in', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.nat(100_000), { maxLength: 300 }),
        fc.integer({ min: 1, max: 5000 }),
        async (numbers, piece) => {
          const rows = rowsOf(numbers)
          const segments = await cut(rows, piece)
          expect(textsOf(segments).join('')).toBe(rows.join(''))
          expect(segments.reduce((sum, one) => sum + one.rows, 0)).toBe(rows.length)
          expect(textsOf(segments)).toEqual(textsOf(await cut(rows, 7777)))
        },
      ),
    )
  })

  it('are as long as they may be, and no longer', async () => {
    const segments = await cut(rowsOf(range(20_000)), 1000)
    expect(segments.length).toBeGreaterThan(30)
    expect(Math.max(...segments.map(({ bytes }) => bytes.length))).toBeLessThan(64_200)
    expect(Math.min(...segments.slice(0, -1).map(({ bytes }) => bytes.length))).toBeGreaterThanOrEqual(4000)
  })

  it('stay the same but for a few, when rows are added, changed and removed anywhere', async () => {
    const before = new Set(textsOf(await cut(rowsOf(range(20_000)), 1000)))
    const changed = rowsOf(range(20_500).filter((number) => number !== 3000))
    changed[9000] = changed[9000]?.replace('x', 'y') ?? ''
    const after = textsOf(await cut(changed, 1000))
    expect(after.filter((text) => !before.has(text)).length).toBeLessThan(8)
    expect(after.length).toBeGreaterThan(30)
  })

  it('of rows that end in the middle of one are refused', async () => {
    await expect(cut(['1\tone\n', '2\ttw'], 5)).rejects.toThrow('in the middle')
  })
})
