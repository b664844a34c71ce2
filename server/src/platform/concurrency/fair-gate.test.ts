import { describe, expect, it } from 'vitest'
import { budgets } from '../../budgets.js'
import { type FairBounds, fairGate } from './fair-gate.js'

/** A gate whose work ends when it is told to; `order` is that in which it began. */
const tried = (bounds: FairBounds) => {
  const through = fairGate(bounds)
  const finish: (() => void)[] = []
  const order: string[] = []
  let most = 0
  let inside = 0
  const send = (by: string, name: string) =>
    through(by, async (lane) => {
      most = Math.max(most, ++inside)
      order.push(name)
      await new Promise<void>((done) => finish.push(done))
      inside -= 1
      return lane
    })
  const finishAll = async () => {
    while (finish.length > 0 || inside > 0) {
      finish.shift()?.()
      await new Promise((resolve) => setImmediate(resolve))
    }
  }
  return { send, finishAll, order, most: () => most }
}

const refused = { status: 503, headers: { 'retry-after': '5' } }

describe('a fair line', () => {
  it('whoever sends one thing is next, whatever somebody else has sent before; each in their own order', async () => {
    const { send, finishAll, order, most } = tried({ atOnce: 1, waiting: 50, each: { atOnce: 1, waiting: 10 } })
    const all = ['a1', 'a2', 'a3', 'a4', 'b1', 'c1', 'b2'].map((name) => send(name.slice(0, 1), name))
    await finishAll()
    await Promise.all(all)
    expect([order, most()]).toEqual([['a1', 'a2', 'b1', 'c1', 'a3', 'b2', 'a4'], 1])
  })

  it('one of them never has all lanes, and lanes are numbered', async () => {
    const { send, finishAll, order } = tried({ atOnce: 2, waiting: 50, each: { atOnce: 1, waiting: 10 } })
    const mine = [send('a', 'a1'), send('a', 'a2')]
    const other = send('b', 'b1')
    expect(order).toEqual(['a1', 'b1'])
    await finishAll()
    expect([await Promise.all(mine), await other]).toEqual([[0, 0], 1])
  })

  it('whoever comes alone gets the lane that was left last', async () => {
    const through = fairGate({ atOnce: 3, waiting: 0, each: { atOnce: 1, waiting: 0 } })
    const lane = () => through('a', async (given) => given)
    expect([await lane(), await lane(), await lane()]).toEqual([0, 0, 0])
  })

  it('work that fails makes room too', async () => {
    const through = fairGate({ atOnce: 1, waiting: 0, each: { atOnce: 1, waiting: 0 } })
    await expect(through('a', async () => Promise.reject(new Error('no')))).rejects.toThrow('no')
    expect(await through('a', async () => 1)).toBe(1)
  })

  it.each([
    ['budgets.compiler', budgets.compiler],
    ['budgets.queues.passwords', budgets.queues.passwords],
    ['budgets.queues.largeSubmissions', budgets.queues.largeSubmissions],
    ['budgets.queues.pictures', budgets.queues.pictures],
    ['budgets.queues.drawings', budgets.queues.drawings],
  ])('%s: so many of one wait and of all together; one more is 503, and nobody else is kept out', async (_, bounds) => {
    const { send, finishAll, most } = tried(bounds)
    const mine = Array.from({ length: bounds.each.atOnce + bounds.each.waiting }, () => send('a', 'a'))
    await expect(send('a', 'a')).rejects.toMatchObject(refused)
    const free = bounds.waiting - bounds.each.waiting + bounds.atOnce - bounds.each.atOnce
    const others = Array.from({ length: free }, (_one, at) => send(`b${at}`, 'b'))
    await expect(send('c', 'c')).rejects.toMatchObject(refused)
    await finishAll()
    expect(await Promise.all([...mine, ...others])).toHaveLength(mine.length + free)
    expect(most()).toBe(bounds.atOnce)
  })
})
