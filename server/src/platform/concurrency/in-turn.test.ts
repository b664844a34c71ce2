import { describe, expect, it } from 'vitest'
import { inTurn, shared } from './index.js'

const tick = () => new Promise((resolve) => setImmediate(resolve))

describe('work of one key', () => {
  it('goes one after the other, that of another key beside it; what fails lets the next one go on', async () => {
    const turns = inTurn()
    const order: string[] = []
    const work =
      (name: string, fails = false) =>
      async () => {
        order.push(`${name} begins`)
        await tick()
        order.push(`${name} ends`)
        if (fails) throw new Error(name)
        return name
      }
    const results = await Promise.allSettled([
      turns('a', work('a1', true)),
      turns('a', work('a2')),
      turns('b', work('b1')),
    ])
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'fulfilled'])
    expect(order.indexOf('a2 begins')).toBeGreaterThan(order.indexOf('a1 ends'))
    expect(order.indexOf('b1 begins')).toBeLessThan(order.indexOf('a1 ends'))
  })
})

describe('a shared question', () => {
  it('is asked once while it is under way, and anew afterwards, also when it failed', async () => {
    let asked = 0
    const ask = shared(async (key) => {
      asked += 1
      await tick()
      if (key === 'bad') throw new Error(key)
      return `${key} ${asked}`
    })
    expect(await Promise.all([ask('a'), ask('a'), ask('a')])).toEqual(['a 1', 'a 1', 'a 1'])
    expect(await ask('a')).toBe('a 2')
    const both = await Promise.allSettled([ask('bad'), ask('bad')])
    expect([both.map(({ status }) => status), asked]).toEqual([['rejected', 'rejected'], 3])
    await expect(ask('bad')).rejects.toThrow('bad')
    expect(asked).toBe(4)
  })
})
