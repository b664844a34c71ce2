import { describe, expect, it } from 'vitest'
import { ToldLocks } from './told-locks'

const channels: BroadcastChannel[] = []
/** A tab of its own. */
const tab = () => {
  const channel = new BroadcastChannel('told-locks-test')
  channels.push(channel)
  return new ToldLocks(channel)
}

describe('locks that tabs tell each other', () => {
  it('are held by one: others are refused, wait for it, or take it by force', async () => {
    const [one, two] = [tab(), tab()]
    const first = await one.hold('a')
    expect([await two.hold('a'), await one.hold('a')]).toEqual([undefined, undefined])
    expect(await two.hold('b')).toBeDefined()
    const waiting = two.hold('a', { wait: 5000 })
    first?.release()
    const second = await waiting
    expect(second).toBeDefined()
    let isLost = false
    void second?.lost.then(() => {
      isLost = true
    })
    expect(await one.hold('a', { byForce: true })).toBeDefined()
    await expect.poll(() => isLost).toBe(true)
    // It is not theirs any more: giving it back frees nothing.
    second?.release()
    expect(await two.hold('a')).toBeUndefined()
    for (const channel of channels) channel.close()
  })

  it('are held by one of those that want them in the same moment', async () => {
    const tabs = [tab(), tab(), tab()]
    const held = await Promise.all(tabs.map((each) => each.hold('c')))
    expect(held.filter((each) => each !== undefined)).toHaveLength(1)
    for (const channel of channels) channel.close()
  })
})
