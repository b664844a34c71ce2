import { describe, expect, it, vi } from 'vitest'
import { budgets } from '../../budgets.js'
import { openMetrics } from './metrics.js'
import { openWorkClock, watchStalls } from './stalls.js'

/** At work for so long, by the clock and on a core: helpers of the engine are on cores too, beside the thread. */
const work = (ms: number): void => {
  const clock = openWorkClock()
  const [from, atWork] = [performance.now(), clock.read()]
  while (performance.now() - from < ms || clock.read() - atWork < ms);
  clock.close()
}

const watched = () => {
  const lines: object[] = []
  const tell = (fields: object) => void lines.push(fields)
  const metrics = openMetrics({ withProcess: false })
  const watch = watchStalls(metrics, { info: tell, warn: tell, error: tell, debug: tell })
  return { lines, metrics, stop: watch.stop }
}

const nextTurn = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

describe('stalls of the event loop', () => {
  it('beyond budgets.eventLoop.stallMs are counted with the operation in hand, and logged', async () => {
    const { lines, metrics, stop } = watched()
    metrics.begin('data.list')
    await nextTurn(60)
    work(budgets.eventLoop.stallMs * 2.5)
    await vi.waitFor(() => expect(lines).toHaveLength(1))
    expect(lines[0]).toMatchObject({ inHand: ['data.list'], ms: expect.any(Number) })
    expect(await metrics.text()).toContain('sheaf_event_loop_stall_seconds_count{operation="data.list"} 1')
    metrics.end('data.list')
    await stop()
  })

  it('of several operations are nobody’s alone; short ones are not counted', async () => {
    const { lines, metrics, stop } = watched()
    metrics.begin('form.list')
    metrics.begin('data.list')
    for (let n = 0; n < 10; n++) {
      work(budgets.eventLoop.stallMs / 5)
      await nextTurn(1)
    }
    expect(lines).toEqual([])
    work(budgets.eventLoop.stallMs * 2.5)
    await vi.waitFor(() => expect(lines).toHaveLength(1))
    expect(await metrics.text()).toContain('sheaf_event_loop_stall_seconds_count{operation="several"} 1')
    await stop()
  })
})
