import Fastify from 'fastify'
import { afterAll, describe, expect, it } from 'vitest'
import { sendPage } from './index.js'

const app = Fastify()
afterAll(() => app.close())

const all = Array.from({ length: 1000 }, (_, id) => id)
let reads: { offset: number; limit: number }[] = []
let failsAt = Number.POSITIVE_INFINITY

app.get<{ Querystring: { offset: string; size: string } }>('/', async ({ query }, reply) =>
  sendPage(reply, {
    page: { offset: Number(query.offset), size: Number(query.size) },
    atOnce: 100,
    read: async (range) => {
      reads.push(range)
      if (range.offset >= failsAt) throw new Error('gone')
      return all.slice(range.offset, range.offset + range.limit)
    },
    shown: (rows) => rows.map((id) => ({ id })),
  }),
)

const get = async (offset: number, size: number) => {
  reads = []
  const answer = await app.inject(`/?offset=${offset}&size=${size}`)
  return { answer, ids: answer.statusCode === 200 ? answer.json().map(({ id }: { id: number }) => id) : [] }
}

describe('a page of a list', () => {
  it.each([
    [0, 10],
    [0, 99],
    [0, 100],
    [0, 101],
    [30, 450],
    [700, 300],
    [700, 10_000],
    [950, 10_000],
    [1000, 10_000],
    [5000, 10],
  ])('from %i, of %i rows, is read a hundred at a time and holds what it should', async (offset, size) => {
    const { answer, ids } = await get(offset, size)
    expect(answer.headers['content-type']).toBe('application/json; charset=utf-8')
    expect(ids).toEqual(all.slice(offset, offset + size))
    for (const { limit } of reads) expect(limit).toBeLessThanOrEqual(100)
  })

  it('has a length where it is short, and none where it is read while it is sent', async () => {
    expect((await get(0, 100)).answer.headers['content-length']).toBeDefined()
    expect((await get(0, 101)).answer.headers['content-length']).toBeUndefined()
  })

  it('500 for a failure before the first rows; whoever reads hears of a later one', async () => {
    failsAt = 0
    expect((await get(0, 1000)).answer.statusCode).toBe(500)
    failsAt = 300
    await expect(get(0, 1000)).rejects.toThrow()
    failsAt = Number.POSITIVE_INFINITY
  })
})
