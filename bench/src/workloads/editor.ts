// The form editor with 500 questions, in a real Chromium: from the last key to the mistake at its cell, and what a frame takes while
// somebody scrolls, beside what the same browser takes to scroll a page that holds nothing but the same number of boxes.
import { openBrowser, openSignedIn } from '@sheaf/harness'
import type { Page } from 'playwright-core'
import { accountOf } from '../account.js'
import type { Figure } from '../report.js'
import type { Workload } from '../workload.js'

const questions = 500

/** Tab-separated, as a spreadsheet program puts it on the clipboard. */
const survey = (): string => {
  const types = ['text', 'integer', 'select_one yn', 'decimal', 'date']
  const rows = Array.from({ length: questions }, (_, at) =>
    [types[at % 5], `q${at}`, `Question ${at}`, at % 3 === 0 && at > 0 ? `\${q${at - 1}} != ''` : ''].join('\t'),
  )
  return ['type\tname\tlabel\trelevant', ...rows].join('\n')
}
const choices = 'list_name\tname\tlabel\nyn\tyes\tYes\nyn\tno\tNo'

const paste = (page: Page, text: string): Promise<void> =>
  page.evaluate(`(() => {
    const data = new DataTransfer()
    data.setData('text/plain', ${JSON.stringify(text)})
    document.querySelector('[data-cell="0:0"]').dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }))
  })()`)

/** What lay between two frames while the element scrolls for so long, in milliseconds. */
const scrolled = (page: Page, selector: string, milliseconds: number): Promise<number[]> =>
  page.evaluate(`new Promise((done) => {
    const box = document.querySelector('${selector}')
    const [gaps, begun] = [[], performance.now()]
    let before = begun
    let step = 90
    const go = (now) => {
      gaps.push(now - before)
      before = now
      if (box.scrollTop + box.clientHeight >= box.scrollHeight - 1) step = -90
      else if (box.scrollTop <= 0) step = 90
      box.scrollTop += step
      if (now - begun < ${milliseconds}) requestAnimationFrame(go)
      else done(gaps.slice(1))
    }
    requestAnimationFrame(go)
  })`)

/** From the key that ends a mistake, or mends it, to the mark at its cell: the clock starts in the page, with the key. */
const watchMark = (page: Page, isMarked: boolean): Promise<void> =>
  page.evaluate(`(() => {
    window.marked = new Promise((done) => {
      const isDone = () => (document.querySelector('[data-cell="3:0"]')?.getAttribute('aria-invalid') === 'true') === ${isMarked}
      addEventListener('keydown', () => {
        const begun = performance.now()
        const look = () => (isDone() ? done(performance.now() - begun) : requestAnimationFrame(look))
        requestAnimationFrame(look)
      }, { capture: true, once: true })
    })
  })()`)

const keyToProblem = async (page: Page, rounds: number): Promise<number[]> => {
  const times: number[] = []
  for (let round = 0; round < rounds * 2; round += 1) {
    const isMistake = round % 2 === 0
    await page.click('[data-cell="3:0"]')
    await page.keyboard.press('F2')
    await page.keyboard.press(isMistake ? 'z' : 'Backspace')
    await watchMark(page, isMistake)
    await page.keyboard.press('Enter')
    times.push(await page.evaluate('window.marked'))
  }
  return times
}

const shareOf = (values: readonly number[], share: number): number =>
  values.toSorted((a, b) => a - b)[Math.floor((values.length - 1) * share)] ?? 0

/** The same boxes, each of them there for good: what the browser itself takes. */
const plainPage = `<!doctype html><div id="box" style="block-size:540px;overflow:auto">${'<div style="block-size:34px">text</div>'.repeat(questions)}</div>`

export const editor: Workload = {
  name: 'editor',
  description: 'the form editor with 500 questions, in Chromium',
  run: async ({ isQuick, progress, dataPlace }) => {
    progress(0, 'opening the editor')
    const place = await dataPlace()
    await place.form('medium')
    const browser = await openBrowser()
    try {
      const context = await openSignedIn(browser, accountOf, {
        baseURL: place.server.address,
        viewport: { width: 1440, height: 900 },
      })
      const answer = await context.request.get('/api/v1/projects', { headers: { 'sec-fetch-site': 'same-origin' } })
      const [project] = (await answer.json()) as { readonly projectid: number }[]
      const page = await context.newPage()
      await page.goto(`/projects/${project?.projectid}/new`)
      await page.click('main button:has-text("Start from nothing")')
      await page.waitForSelector('[data-cell="0:0"]', { timeout: 60_000 })
      await paste(page, survey())
      await page.locator('fieldset.names button').nth(1).click()
      await page.waitForSelector('[role=grid][aria-label="choices"] [data-cell="0:0"]')
      await paste(page, choices)
      await page.locator('fieldset.names button').first().click()
      await page.waitForSelector('[role=grid][aria-label="survey"] [data-cell="3:0"]')
      progress(0.3, 'typing')
      const times = await keyToProblem(page, isQuick ? 3 : 10)
      progress(0.6, 'scrolling')
      const frames = await scrolled(page, '[role=grid]', isQuick ? 2000 : 4000)
      const bare = await context.newPage()
      await bare.setContent(plainPage)
      const raw = await scrolled(bare, '#box', isQuick ? 2000 : 4000)
      const figures: Figure[] = [
        {
          name: `last key to the mistake at its cell, ${questions} questions, 50 of 100`,
          value: shareOf(times, 0.5),
          unit: 'ms',
          aim: { text: '≤ 300', isMet: shareOf(times, 0.5) <= 300 },
        },
        { name: 'the same, 95 of 100', value: shareOf(times, 0.95), unit: 'ms' },
        {
          name: 'a frame while scrolling, 50 of 100',
          value: shareOf(frames, 0.5),
          unit: 'ms',
          limit: { name: 'plain boxes', value: shareOf(raw, 0.5) },
        },
        {
          name: 'a frame while scrolling, 95 of 100',
          value: shareOf(frames, 0.95),
          unit: 'ms',
          limit: { name: 'plain boxes', value: shareOf(raw, 0.95) },
          aim: { text: '≤ 50', isMet: shareOf(frames, 0.95) <= 50 },
        },
      ]
      return { workload: 'editor', figures }
    } finally {
      await browser.close()
    }
  },
}
