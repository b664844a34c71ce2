import { describe, expect, it } from 'vitest'
import { testApp } from '../../../../test/support/app.js'
import { newForm, put } from '../../../../test/support/data.js'
import { budgets } from '../../../budgets.js'
import { mediaTypes } from '../../../platform/http/index.js'
import { wholeOrPieces } from './pieces.js'

const app = testApp()

async function* piecesOf(characters: number): AsyncGenerator<string> {
  for (let left = characters; left > 0; left -= 1000) yield 'x'.repeat(Math.min(left, 1000))
}

const readAll = async (pieces: AsyncIterable<string>): Promise<string> => {
  let text = ''
  for await (const piece of pieces) text += piece
  return text
}

describe('a text that is made piece by piece', () => {
  it('is one text of up to budgets.answers.textBytes, and a stream beyond', async () => {
    const most = budgets.answers.textBytes
    const whole = await wholeOrPieces(piecesOf(most))
    expect(typeof whole === 'string' && whole.length).toBe(most)
    const pieces = await wholeOrPieces(piecesOf(most + 1))
    expect(typeof pieces !== 'string' && (await readAll(pieces)).length).toBe(most + 1)
  })
})

describe('GET /data/{pk}/{dataid} as flow results', () => {
  it('200 as a stream where every row holds a long list of choices; it reads as the short one', async () => {
    const questions = Array.from({ length: 40 }, (_, at) => `| | select_one l | q${at} | Q |`).join('\n')
    const choices = Array.from({ length: 8000 }, (_, at) => `| | l | village${at} | V |`).join('\n')
    const survey = `| survey |\n| | type | name | label |\n${questions}\n| choices |\n| | list_name | name | label |\n${choices}`
    const { ana, form } = await newForm(app, { versions: [survey] })
    const all = Object.fromEntries(Array.from({ length: 40 }, (_, at) => [`q${at}`, `village${at}`]))
    const [one, many] = await put(app, form, { answers: { q0: 'village0' } }, { answers: all })
    const get = (id: number | undefined) =>
      app.as(ana)('GET', `/data/${form.id}/${id}`, { headers: { accept: mediaTypes['flow-results'] } })
    const [short, long] = [await get(one), await get(many)]
    expect([short.headers['content-length'] === undefined, long.headers['content-length']]).toEqual([false, undefined])
    expect([short.headers['content-type'], long.headers['content-type']]).toEqual([
      mediaTypes['flow-results'],
      mediaTypes['flow-results'],
    ])
    expect(short.json()).toHaveLength(1)
    expect(long.json()).toHaveLength(40)
    expect(long.json()[0].slice(3)).toEqual(short.json()[0].slice(3))
    expect(long.json()[39][5].option_order).toHaveLength(8000)
  })
})
