import { describe, expect, it } from 'vitest'
import { gate } from './gate.js'

describe('gate', () => {
  it('lets so many through at once, so many wait in order, and refuses the rest with 503', async () => {
    const through = gate({ concurrency: 2, waiting: 3 })
    const finish: (() => void)[] = []
    let most = 0
    let inside = 0
    const order: number[] = []
    const work = (n: number) => async () => {
      most = Math.max(most, ++inside)
      order.push(n)
      await new Promise<void>((done) => finish.push(done))
      inside -= 1
      return n
    }
    const all = Array.from({ length: 6 }, (_, n) => through(work(n)))
    await expect(all[5]).rejects.toMatchObject({ status: 503, headers: { 'retry-after': '5' } })
    while (order.length < 5 || finish.length > 0) {
      finish.shift()?.()
      await new Promise((resolve) => setImmediate(resolve))
    }
    expect(await Promise.all(all.slice(0, 5))).toEqual([0, 1, 2, 3, 4])
    expect([most, order]).toEqual([2, [0, 1, 2, 3, 4]])
  })

  it('work that fails makes room too', async () => {
    const through = gate({ concurrency: 1, waiting: 0 })
    await expect(through(async () => Promise.reject(new Error('no')))).rejects.toThrow('no')
    expect(await through(async () => 1)).toBe(1)
  })
})
