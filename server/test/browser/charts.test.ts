// Charts as people see them: bars and labels, in both looks, on a desk and on a phone, with and without script.
import type { AddressInfo } from 'node:net'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { testApp } from '../support/app.js'
import { hasNoBrowser, openBrowser } from '../support/browser.js'
import { newForm, put } from '../support/data.js'
import type { TestForm } from '../support/records.js'

const app = testApp()

const long = 'Because the road to the health post is closed in the rainy season and nobody in the village has a car'
const hostile = '</script><script>document.title="taken"</script><img src=x onerror="document.title=\'taken\'">'

const survey = `
| survey  |
|         | type            | name   | label                |
|         | select_one why  | why    | Why did you not come? |
|         | select_one sex  | sex    | Sex of the person    |
|         | integer         | age    | Age in years         |
|         | date            | day    | Day of the visit     |
|         | text            | notes  | What else            |
| choices |
|         | list_name | name   | label   |
|         | why       | road   | ${long} |
|         | why       | money  | No money for the way |
|         | why       | arabic | لأن الطريق مغلق في موسم الأمطار |
|         | why       | time   | No time |
|         | why       | other  | Something else |
|         | sex       | f      | Female  |
|         | sex       | m      | Male    |
`

const reasons = ['road', 'road', 'road', 'money', 'money', 'arabic', 'arabic', 'arabic', 'arabic', 'time', 'other']

const visits = Array.from({ length: 110 }, (_, number) => ({
  answers: {
    why: reasons[(number * 7) % reasons.length],
    sex: number % 3 === 0 ? 'm' : 'f',
    ...(number % 11 !== 0 && { age: String(Math.round(18 + ((number * 37) % 61) * Math.abs(Math.sin(number)))) }),
    day: new Date(Date.UTC(2024, 2, 1 + ((number * 13 + Math.floor(number / 9)) % 40))).toISOString().slice(0, 10),
    notes: number === 0 ? hostile : `Note ${number}`,
  },
  at: new Date(Date.UTC(2024, 3, 1 + (number % 20))),
}))

describe.skipIf(hasNoBrowser)('charts in a browser (needs Chromium on the PATH)', () => {
  let browser: Browser
  let form: TestForm
  let address: string

  beforeAll(async () => {
    const place = await newForm(app, {
      versions: [survey],
      title: 'Health post visits',
      isPublic: true,
      isDataPublic: true,
    })
    form = place.form
    await put(app, form, ...visits)
    await app.http.app.listen({ host: '127.0.0.1', port: 0 })
    address = `http://127.0.0.1:${(app.http.app.server.address() as AddressInfo).port}`
    browser = await openBrowser()
  })
  afterAll(() => browser?.close())

  const desk = { viewport: { width: 1100, height: 900 } }
  const phone = { viewport: { width: 360, height: 740 }, hasTouch: true, deviceScaleFactor: 2 }

  /** The page of a chart, and what the browser complains about. */
  const open = async (
    query: string,
    options: BrowserContextOptions = desk,
  ): Promise<{ page: Page; faults: string[] }> => {
    const page = await (await browser.newContext(options)).newPage()
    const faults: string[] = []
    page.on('console', (message) => {
      if (message.type() === 'error') faults.push(message.text())
    })
    page.on('pageerror', (error) => faults.push(error.message))
    page.on('request', (request) => {
      if (new URL(request.url()).origin !== address) faults.push(`left for ${request.url()}`)
    })
    const response = await page.goto(`${address}/api/v1/charts/${form.id}.html?${query}`)
    expect(response?.status()).toBe(200)
    return { page, faults }
  }

  const snap = async (page: Page, name: string): Promise<void> => {
    const folder = process.env.CHART_PICTURES
    if (folder !== undefined) await page.screenshot({ path: `${folder}/charts-${name}.png`, fullPage: true })
  }

  const bars = (page: Page) => page.locator('.picture .bar:visible')
  const labels = async (page: Page) => (await page.locator('.picture text:visible').allTextContents()).join('\n')
  const widthOf = (page: Page) => page.locator('html').evaluate((html) => html.scrollWidth)

  const charts = [
    { kind: 'select', query: 'field_name=why', count: 5, words: ['No time', 'Because the', 'لأن'] },
    { kind: 'number', query: 'field_name=age', count: 5, words: ['15 – 19', '0'] },
    { kind: 'date', query: 'field_name=day', count: 10, words: ['2024-03-01'] },
    { kind: 'stacked', query: 'field_name=why&group_by=sex', count: 10, words: ['No time'] },
    { kind: 'times', query: 'field_name=sex&group_by=_submission_time', count: 20, words: ['2024-04-01'] },
    { kind: 'mean', query: 'field_name=age&group_by=why,sex', count: 8, words: ['No time'] },
  ]

  it.each(charts)('$kind: bars and labels, on a desk and on a phone, in a light and a dark look', async (chart) => {
    const papers: string[] = []
    for (const [size, options] of Object.entries({ desk, phone })) {
      for (const colorScheme of ['light', 'dark'] as const) {
        const { page, faults } = await open(chart.query, { ...options, colorScheme })
        expect(await bars(page).count()).toBeGreaterThanOrEqual(chart.count)
        const text = await labels(page)
        for (const word of chart.words) expect(text).toContain(word)
        expect(await page.locator('tbody tr').count()).toBeGreaterThan(1)
        expect(await widthOf(page)).toBeLessThanOrEqual(options.viewport.width)
        const body = page.locator('body')
        papers.push(await body.evaluate((element) => getComputedStyle(element).backgroundColor))
        const fill = await bars(page)
          .first()
          .evaluate((element) => getComputedStyle(element).fill)
        expect(fill).toMatch(colorScheme === 'light' ? 'rgb(31, 111, 84)' : 'rgb(108, 199, 164)')
        await snap(page, `${chart.kind}-${size}-${colorScheme}`)
        expect(faults).toEqual([])
        await page.context().close()
      }
    }
    expect(new Set(papers).size).toBe(2)
  })

  it('without script: bars, labels, titles, table and ways to change it', async () => {
    const { page } = await open('field_name=why', { ...desk, javaScriptEnabled: false })
    expect(await bars(page).count()).toBe(5)
    expect(await page.locator('.wide .bar title').first().textContent()).toMatch(/: \d+$/)
    await page.getByRole('link', { name: 'Percent' }).click()
    expect(await labels(page)).toContain('%')
    await page.getByRole('link', { name: 'By value' }).click()
    expect(await page.locator('tbody th').first().textContent()).toBe(long)
    expect(await page.locator('.look').isHidden()).toBe(true)
    await page.context().close()
  })

  it('with script: a tip at the bar, its row in the table, and another look', async () => {
    const { page, faults } = await open('field_name=sex', { ...phone, colorScheme: 'light' })
    await bars(page).first().tap()
    expect(await page.locator('#tip').textContent()).toMatch(/^Female73 \(66\.4%\)$/)
    expect(await page.locator('tbody tr.picked').count()).toBe(1)
    const paper = () => page.locator('body').evaluate((element) => getComputedStyle(element).backgroundColor)
    const before = await paper()
    await page.getByRole('button', { name: 'Dark look' }).click()
    expect(await paper()).not.toBe(before)
    expect(await page.getByRole('button', { name: 'Light look' }).count()).toBe(1)
    expect(faults).toEqual([])
    await page.context().close()
  })

  it('what people wrote stays text, in the picture, the table, the data and the tips', async () => {
    const { page, faults } = await open('field_name=notes&sort=value')
    expect(await page.title()).toContain('What else')
    expect(await page.locator('img').count()).toBe(0)
    const row = page.locator('tbody th', { hasText: 'document.title' })
    expect(await row.textContent()).toBe(hostile)
    const place = await page.locator('tbody tr', { hasText: 'document.title' }).getAttribute('data-place')
    if (place !== '-1') await page.locator(`.wide .bar[data-place="${place}"]`).hover()
    expect(await page.title()).toContain('What else')
    await snap(page, 'hostile')
    expect(faults).toEqual([])
    await page.context().close()
  })
})
