// The table of the web application over 100,000 records, in a real Chromium: until the first rows are there, what a frame takes while
// somebody scrolls, and a jump to the middle.
import { openBrowser, openSignedIn } from '@sheaf/harness'
import type { Page } from 'playwright-core'
import { accountOf } from '../account.js'
import type { Figure } from '../report.js'
import type { Workload } from '../workload.js'

const firstRow = '.line .cell:not(:has(.coming))'

/** 90 pixels a frame for so long; what lay between two frames, in milliseconds. */
const scrolled = (page: Page, milliseconds: number): Promise<number[]> =>
  page.evaluate(`new Promise((done) => {
    const box = document.querySelector('[role=grid]')
    const [gaps, begun] = [[], performance.now()]
    let before = begun
    const step = (now) => {
      gaps.push(now - before)
      before = now
      box.scrollTop += 90
      if (now - begun < ${milliseconds}) requestAnimationFrame(step)
      else done(gaps.slice(1))
    }
    requestAnimationFrame(step)
  })`)

const jumped = (page: Page, share: number): Promise<number> =>
  page.evaluate(`new Promise((done) => {
    const box = document.querySelector('[role=grid]')
    const begun = performance.now()
    box.scrollTop = box.scrollHeight * ${share}
    const look = () => {
      const waits = document.querySelectorAll('.line .coming').length
      if (waits === 0 && performance.now() - begun > 20) done(performance.now() - begun)
      else requestAnimationFrame(look)
    }
    requestAnimationFrame(look)
  })`)

const shareOf = (values: readonly number[], share: number): number =>
  values.toSorted((a, b) => a - b)[Math.floor((values.length - 1) * share)] ?? 0

export const table: Workload = {
  name: 'table',
  description: 'the table of the web application, in Chromium',
  run: async ({ isQuick, progress, dataPlace }) => {
    progress(0, 'writing records')
    const place = await dataPlace()
    const form = await place.form('medium')
    const browser = await openBrowser()
    try {
      const context = await openSignedIn(browser, accountOf, {
        baseURL: place.server.address,
        viewport: { width: 1440, height: 900 },
      })
      const page = await context.newPage()
      const first: number[] = []
      for (let round = 0; round < (isQuick ? 2 : 5); round += 1) {
        progress(0.2, 'first rows')
        const begun = performance.now()
        await page.goto(`/forms/${form.id}/data`)
        await page.waitForSelector(firstRow, { timeout: 60_000 })
        first.push(performance.now() - begun)
      }
      progress(0.5, 'scrolling')
      const frames = await scrolled(page, isQuick ? 2000 : 4000)
      progress(0.8, 'jumping')
      const jumps: number[] = []
      for (const share of [0.7, 0.1, 0.95, 0.4]) jumps.push(await jumped(page, share))
      const of = `of ${place.countIn('medium')} records`
      const figures: Figure[] = [
        {
          name: `first rows ${of}`,
          value: shareOf(first, 0.5),
          unit: 'ms',
          aim: { text: '≤ 1500', isMet: shareOf(first, 0.5) <= 1500 },
        },
        { name: 'a frame while scrolling, 50 of 100', value: shareOf(frames, 0.5), unit: 'ms' },
        {
          name: 'a frame while scrolling, 95 of 100',
          value: shareOf(frames, 0.95),
          unit: 'ms',
          aim: { text: '≤ 50', isMet: shareOf(frames, 0.95) <= 50 },
        },
        {
          name: `a jump ${of}`,
          value: shareOf(jumps, 0.5),
          unit: 'ms',
          aim: { text: '≤ 600', isMet: shareOf(jumps, 0.5) <= 600 },
        },
      ]
      return { workload: 'table', figures }
    } finally {
      await browser.close()
    }
  },
}
