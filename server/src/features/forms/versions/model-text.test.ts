import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { budgets } from '../../../budgets.js'
import { readModelText } from './model-text.js'

/** Lists and objects with members of any length, so that pieces begin and end everywhere. */
const { value } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.constantFrom<unknown>(null, true, 0, -1.5e3, '', '"', '\\', '\\"', '[{,}]', 'é\u2028"\\', {}, []),
    fc.nat(400_000).map((length) => '\\",[{'.repeat(length / 10)),
    fc.array(tie('value'), { maxLength: 6 }),
    fc
      .uniqueArray(fc.constantFrom('a', 'b', 'c "d"', 'e\\', ',', '1'), { maxLength: 5 })
      .chain((keys) =>
        fc
          .tuple(...keys.map(() => tie('value')))
          .map((values) => Object.fromEntries(keys.map((key, at) => [key, values[at]]))),
      ),
  ),
}))

const village = (at: number) => ({
  name: `v${at}`,
  labels: [{ language: null, text: `Village "${at}"` }],
  media: [],
  data: [['district', `d${at % 300}`]],
})

describe('readModelText', () => {
  it('gives what JSON.parse gives, whatever the text', async () => {
    await fc.assert(
      fc.asyncProperty(value, fc.constantFrom(undefined, 1), async (one, indent) => {
        const text = JSON.stringify(one, null, indent)
        expect(await readModelText(text)).toEqual(JSON.parse(text))
      }),
      { numRuns: 150 },
    )
  })

  it('reads 30,000 villages, and others have their turn every budgets.forms.pieceCharacters', async () => {
    const lists = [{ name: 'v', choices: Array.from({ length: 30_000 }, (_, at) => village(at)) }]
    const text = JSON.stringify({ formId: 'f', choiceLists: lists, entities: [] })
    let turns = 0
    let isDone = false
    const others = (async () => {
      while (!isDone) {
        turns += 1
        await new Promise((resolve) => setImmediate(resolve))
      }
    })()
    const read = await readModelText(text)
    isDone = true
    await others
    expect(JSON.stringify(read) === text).toBe(true)
    expect(turns).toBeGreaterThanOrEqual(Math.floor(text.length / budgets.forms.pieceCharacters))
    expect(turns).toBeGreaterThan(20)
  })

  it('reads at once what has budgets.forms.pieceCharacters, and gives way behind them', async () => {
    const exact = JSON.stringify(['a'.repeat(budgets.forms.pieceCharacters - 4)])
    expect(exact).toHaveLength(budgets.forms.pieceCharacters)
    for (const [text, isAtOnce] of [
      [exact, true],
      [`[${'1,'.repeat(budgets.forms.pieceCharacters)}1]`, false],
    ] as const) {
      let isOthersTurn = false
      setImmediate(() => {
        isOthersTurn = true
      })
      expect(JSON.stringify(await readModelText(text)) === text).toBe(true)
      expect(isOthersTurn).toBe(!isAtOnce)
    }
  })

  it('refuses what is no JSON', async () => {
    const long = JSON.stringify(Array.from({ length: 50_000 }, () => 'word'))
    for (const text of [long.slice(0, -1), `${long.slice(0, -1)},]`, `${long.slice(0, 300_000)}"`, '{'])
      await expect(readModelText(text)).rejects.toThrow(SyntaxError)
  })
})
