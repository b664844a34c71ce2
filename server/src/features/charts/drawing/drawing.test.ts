import type { Worker } from 'node:worker_threads'
import { describe, expect, it } from 'vitest'
import { budgets } from '../../../budgets.js'
import { cleanLabel, wrapped } from '../../../formats/drawing/index.js'
import { render } from './render.js'
import { openDrawer } from './thread.js'

const drawing = {
  direction: 'across',
  categories: ['One', 'Two & <three>'],
  series: [{ name: 'n', values: [1, 2] }],
  isStacked: false,
  isContinuous: false,
  measure: 'count',
} as const

describe('labels', () => {
  it('break at blanks, and end in … where there is more', () => {
    expect(wrapped('short', 10, 2)).toBe('short')
    expect(wrapped('one two three four', 9, 2)).toBe('one two\nthree fo…')
    expect(wrapped('abcdefghijklmnop', 5, 2)).toBe('abcde\nfghi…')
    expect(wrapped('日本語日本語', 6, 1)).toBe('日本…')
    expect(wrapped('x'.repeat(1_000_000), 10, 2)).toBe(`${'x'.repeat(10)}\n${'x'.repeat(9)}…`)
  })

  it('hold nothing that cannot be seen', () => {
    expect(cleanLabel('a\u0000b\u202ec\nd')).toBe('a b c d')
    expect(cleanLabel(' \u200f ')).toBe('(blank)')
  })
})

describe('a picture', () => {
  it('has a bar for every value, with its place and a title; no style and no marks of the library', () => {
    const svg = render(drawing, 640)
    expect(svg.match(/class="bar"/g)).toHaveLength(2)
    expect(svg).toContain('data-place="1" data-series="0"')
    expect(svg).toContain('<title>Two &amp; &lt;three&gt;: 2</title>')
    expect(svg).not.toMatch(/<style|ecmeta|zr0|http(?!:\/\/www\.w3\.org)/)
    expect(svg).toContain('fill="var(--chart-1)"')
  })

  it('draws nothing for nothing', () => {
    expect(render({ ...drawing, series: [{ name: 'n', values: [null, 0] }] }, 640)).not.toContain('class="bar"')
  })
})

describe('the thread that draws', () => {
  it('answers each in turn, and starts again when it has ended for want of work', async () => {
    const ended = new Promise<void>((resolve) => {
      process.once('worker', (worker: Worker) => worker.once('exit', () => resolve()))
    })
    const drawer = openDrawer({ idleMilliseconds: 1 })
    const [both, one] = await Promise.all([drawer.draw('ana', drawing, [640, 340]), drawer.draw('ana', drawing, [640])])
    expect([both.length, one.length]).toEqual([2, 1])
    expect(both[1]).toContain('viewBox="0 0 340 ')
    await ended
    expect(await drawer.draw('ana', drawing, [640])).toHaveLength(1)
    await drawer.close()
  })

  it('refuses when too many wait, and whoever waits when it is closed', async () => {
    const thread = openDrawer()
    const draw = (by: string) => thread.draw(by, drawing, [640]).then(String, (error) => error.status)
    // One is in hand beside those that wait.
    const waiting = Array.from({ length: 1 + budgets.queues.drawings.each.waiting }, () => draw('ana'))
    expect(await draw('ana')).toBe(503)
    const other = draw('ben')
    expect(await other).toContain('<svg')
    await thread.close()
    expect((await Promise.all(waiting)).filter((one) => one === 503).length).toBeGreaterThan(0)
    expect(await draw('ana')).toBe(503)
  })

  it('tells what went wrong, and goes on', async () => {
    const thread = openDrawer()
    await expect(thread.draw('ana', { ...drawing, categories: null as never }, [640])).rejects.toThrow()
    expect(await thread.draw('ana', drawing, [640])).toHaveLength(1)
    await thread.close()
  })
})
