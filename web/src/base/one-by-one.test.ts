import { describe, expect, it } from 'vitest'
import { oneByOne } from './one-by-one'

describe('one by one', () => {
  it('each begins when the one before has ended, also where that failed', async () => {
    const inTurn = oneByOne()
    const seen: string[] = []
    const slow = inTurn(async () => {
      await new Promise((done) => setTimeout(done, 5))
      seen.push('first')
      throw new Error('refused')
    })
    const next = inTurn(async () => seen.push('second'))
    await expect(slow).rejects.toThrow('refused')
    expect(await next).toBe(2)
    expect(seen).toEqual(['first', 'second'])
  })
})
