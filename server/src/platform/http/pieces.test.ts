import Fastify from 'fastify'
import { afterAll, describe, expect, it } from 'vitest'
import { budgets } from '../../budgets.js'
import { sendJsonPieces } from './pieces.js'

const app = Fastify()
afterAll(() => app.close())

/** A list of texts, of so many characters in all. */
function* listOf(characters: number): Generator<string> {
  const each = '"0123456789",'
  yield '['
  let left = characters - 2
  for (; left > 2 * each.length; left -= each.length) yield each
  yield `"${'x'.repeat(left - 2)}"`
  yield ']'
}

app.get('/:characters', (request, reply) =>
  sendJsonPieces(reply, listOf(Number((request.params as { characters: string }).characters))),
)

describe('JSON in pieces', () => {
  it('is one text of up to budgets.answers.textBytes, and a stream beyond; it reads the same', async () => {
    const most = budgets.answers.textBytes
    const [whole, streamed] = await Promise.all([app.inject(`/${most}`), app.inject(`/${most + 1}`)])
    expect([whole.headers['content-length'], streamed.headers['content-length']]).toEqual([String(most), undefined])
    expect([whole.body, streamed.body]).toEqual([[...listOf(most)].join(''), [...listOf(most + 1)].join('')])
    expect(JSON.parse(streamed.body).at(0)).toBe('0123456789')
  })

  it('lets others have a turn in between', async () => {
    let turns = 0
    const counting = setInterval(() => {
      turns += 1
    }, 0)
    await app.inject(`/${budgets.answers.textBytes * 4}`)
    clearInterval(counting)
    expect(turns).toBeGreaterThan(5)
  })
})
