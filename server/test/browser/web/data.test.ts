// The table of a form's records, as its owner, as somebody who only reads, as somebody who sees only their own, and signed out.
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { runPendingJobs } from '../../../src/platform/jobs/index.js'
import { hasNoBrowser } from '../../support/browser.js'
import { giveRole, newForm, put } from '../../support/data.js'
import { settled, useWalk } from '../../support/walk.js'

const hostile = [
  '<img src=x onerror=alert(1)>',
  '{{ 7 * 7 }}',
  'javascript:alert(1)',
  'نص من اليمين إلى اليسار',
  'x'.repeat(2000),
]
const questions = Array.from(
  { length: 500 },
  (_, at) => `| | text | q${at} | Question ${at} ${at === 7 ? 'long '.repeat(40) : ''} |`,
)
const wide = `
| survey |
| | type | name | label |
${questions.join('\n')}
`

describe.skipIf(hasNoBrowser)('/forms/{id}/data (needs Chromium on the PATH)', () => {
  const walk = useWalk()
  const cell = (page: Page, row: number, column: number) => page.locator(`[data-cell="${row}:${column}"]`)
  const textAt = (page: Page, row: number, column: number) => cell(page, row, column).innerText()
  const minute = (at: number) => new Date(Date.UTC(2024, 0, 1, 0, at)).toISOString()

  const filled = async (count: number) => {
    const place = await newForm(walk.app)
    const records = Array.from({ length: count }, (_, at) => ({
      answers: {
        name: hostile[at] ?? `Person ${at}`,
        age: String(at % 90),
        sex: at % 3 === 0 ? 'f' : 'm',
        fruits: at % 2 === 0 ? 'apple fig' : 'kiwi',
        'visit/gps': '-1.25 36.8 0 5',
        kids: [{ 'kids/kname': 'Cy' }, { 'kids/kname': 'Di' }],
      },
      at: minute(at),
      by: place.ana.id,
    }))
    return { ...place, ids: await put(walk.app, place.form, ...records) }
  }

  it('scrolls like a local list: the newest first, the last with a key, a link, sorting and hostile texts', async () => {
    const { ana, form, ids } = await filled(450)
    const page = await walk.as(ana, `/forms/${form.id}/data`)
    await cell(page, 0, 0)
      .getByText(String(ids.at(-1)))
      .waitFor()
    expect(await page.getAttribute('[role=grid]', 'aria-rowcount')).toBe('452')
    expect(await page.locator('.line').count()).toBeLessThan(60)
    await walk.check(page)
    await walk.pictures(page, 'data-full')
    // One cell is in the order of Tab; keys go to the other end, and what is there comes.
    await cell(page, 0, 0).click({ position: { x: 4, y: 4 } })
    await page.keyboard.press('Control+End')
    await page.keyboard.press('Home')
    await cell(page, 449, 0).getByText(String(ids[0])).waitFor()
    expect(await page.evaluate('document.activeElement.dataset.cell')).toBe('449:0')
    await page.keyboard.press('Enter')
    await page.waitForSelector('aside')
    expect(new URL(page.url()).searchParams.get('record')).not.toBeNull()
    // The arrow keys move on to the next record.
    const before = page.url()
    await page.keyboard.press('ArrowUp')
    await page.waitForURL((url) => url.href !== before)
    await page.click('aside button:last-child')
    // A head sorts; the address says so.
    await page.click('[role=columnheader] button:has-text("Name")')
    await page.waitForURL(/sort=name/)
    await page.keyboard.press('Control+Home')
    await page.waitForSelector('.line >> text=<img src=x onerror=alert(1)>')
    expect(walk.faults(page)).toEqual([])
  })

  it('a filter by clicks is a sentence, a query of the address, counted, and can be taken away', async () => {
    const { ana, form } = await filled(60)
    const page = await walk.as(ana, `/forms/${form.id}/data`)
    await page.waitForSelector('.line .cell-chip')
    await page.click('.filter button:has-text("Filter")')
    await page.fill('.filter-pop input', 'fruits')
    await page.keyboard.press('Enter')
    await page.click('.filter-pop label:has-text("Apple")')
    await page.waitForSelector('.clause:has-text("Fruits has Apple")')
    await page.waitForSelector('text=30 of 60 records')
    expect(JSON.parse(new URL(page.url()).searchParams.get('query') ?? '')).toEqual({ fruits: { $has: ['apple'] } })
    await walk.check(page)
    await page.keyboard.press('Escape')
    await page.fill('.search', 'person 1')
    await page.waitForSelector('text=5 of 60 records')
    await page.reload()
    await settled(page)
    await page.waitForSelector('.clause:has-text("Fruits has Apple")')
    await page.click('.clause .away')
    await page.waitForSelector('.clause', { state: 'detached' })
    await page.fill('.search', '')
    // What is no object is told beside it, and stays.
    await page.click('text=As JSON')
    await page.fill('[role=dialog] textarea', '{"age":')
    await page.click('[role=dialog] button:has-text("Apply")')
    await page.waitForSelector('[role=dialog] [aria-invalid=true]')
    expect(await page.inputValue('[role=dialog] textarea')).toBe('{"age":')
    await page.fill('[role=dialog] textarea', '{"age":{"$gt":55}}')
    await page.click('[role=dialog] button:has-text("Apply")')
    await page.waitForSelector('text=4 of 60 records')
  })

  it('chosen records are approved, deleted and brought back; the trash restores; new ones announce themselves', async () => {
    const { ana, form, ids } = await filled(12)
    const page = await walk.as(ana, `/forms/${form.id}/data`)
    await page.waitForSelector('.line .cell-chip')
    await cell(page, 0, 1).click()
    await page.keyboard.press('Space')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Space')
    await page.waitForSelector('text=2 chosen')
    await page.click('.chosen button:has-text("Approve")')
    await page.waitForSelector('.cell-chip:has-text("Approved") >> nth=1')
    // Labels of many are one call, and undo takes away what was added alone.
    await walk.app.as(ana)('POST', `/data/${form.id}/${ids.at(-1)}/labels`, { body: { tags: ['urgent'] } })
    await page.click('.line >> nth=0 >> .tick input')
    await page.click('.line >> nth=1 >> .tick input')
    await page.click('.chosen button:has-text("Label")')
    await page.fill('[role=dialog] input', 'urgent, seen twice')
    const labelling = page.waitForRequest((request) => request.url().endsWith('/labels'))
    await page.click('[role=dialog] button:has-text("Label")')
    expect(new URL((await labelling).url()).pathname).toBe(`/api/v1/data/${form.id}/labels`)
    const labelled = async () => {
      const rows = (await walk.app.as(ana)('GET', `/data/${form.id}?sort=-_id&limit=3`)).json<{ _tags: string[] }[]>()
      return rows.map(({ _tags }) => _tags)
    }
    await page.waitForSelector('.toast:has-text("labelled")')
    expect(await labelled()).toEqual([['seen twice', 'urgent'], ['seen twice', 'urgent'], []])
    await page.click('.toast:has-text("labelled") button:has-text("Undo")')
    await expect.poll(labelled).toEqual([['urgent'], [], []])
    await page.click('.line >> nth=2 >> .tick input')
    await page.dblclick('.chosen button:has-text("Delete")')
    await page.waitForSelector('text=11 records')
    await page.click('.toast:has-text("deleted") button:has-text("Undo")')
    await page.waitForSelector('text=12 records')
    await page.click('.line >> nth=3 >> .tick input')
    await page.click('.chosen button:has-text("Delete")')
    await page.waitForSelector('text=11 records')
    await page.goto(`/forms/${form.id}/data?view=trash`)
    await page.waitForSelector('tbody tr')
    await walk.check(page)
    await page.click('tbody button:has-text("Restore")')
    await page.waitForSelector('text=The trash is empty')
    await page.click('text=Back to the table')
    await page.waitForSelector('text=12 records')
    // The rows stay where they are until the person wants to see what is new.
    await put(walk.app, form, { answers: { name: 'Late' }, at: minute(500) })
    await page.evaluate('dispatchEvent(new Event("focus"))')
    await page.waitForSelector('button:has-text("1 new")', { timeout: 40_000 })
    expect(await textAt(page, 0, 0)).toBe(String(ids.at(-1)))
    await page.click('button:has-text("1 new")')
    await page.waitForSelector('.line >> text=Late')
    expect(walk.faults(page)).toEqual([])
  })

  it('columns are hidden, pinned, moved and made wider, and stay so; 500 questions are a few in the page', async () => {
    const { ana, form } = await newForm(walk.app, { versions: [wide] })
    await put(walk.app, form, { answers: { q0: 'first', q499: 'last' } })
    const page = await walk.as(ana, `/forms/${form.id}/data`)
    await page.waitForSelector('.line >> text=first')
    expect(await page.locator('[role=columnheader]').count()).toBeLessThan(40)
    await cell(page, 0, 0).click({ position: { x: 4, y: 4 } })
    await page.keyboard.press('End')
    await page.waitForSelector('.line >> text=last')
    await page.keyboard.press('Home')
    await page.keyboard.press('ArrowUp')
    for (let step = 0; step < 4; step += 1) await page.keyboard.press('ArrowRight')
    expect(await page.evaluate('document.activeElement.innerText')).toContain('Question 0')
    const width = () => page.evaluate('document.activeElement.getBoundingClientRect().width')
    const before = Number(await width())
    await page.keyboard.press('Alt+ArrowRight')
    await expect.poll(width).toBe(before + 16)
    await page.keyboard.press('Control+Shift+ArrowRight')
    await expect.poll(() => textAt(page, -1, 4)).toContain('Question 1')
    await page.keyboard.press('Alt+ArrowDown')
    await page.click('[role=menuitem]:has-text("Hide")')
    await page.waitForSelector('[role=columnheader]:has-text("Question 0 ")', { state: 'detached' })
    await page.reload()
    await settled(page)
    await page.waitForSelector('[role=columnheader]:has-text("Question 1")')
    expect(await page.locator('[role=columnheader]:text-is("Question 0")').count()).toBe(0)
    await walk.check(page)
  })

  it('an export is made in the background and kept with its hash; its link shows the token after the password', async () => {
    const { ana, form } = await filled(20)
    const page = await walk.as(ana, `/forms/${form.id}/data`)
    await page.waitForSelector('.line .cell-chip')
    await page.click('button:has-text("Export")')
    await page.waitForSelector('[role=dialog] >> text=20 records, about')
    await walk.check(page)
    await walk.pictures(page, 'export')
    if (process.env.PICTURES !== undefined) await page.click('button:has-text("Export")')
    await page.click('[role=dialog] button:has-text("Make the file")')
    await page.waitForSelector('[role=dialog] progress')
    await runPendingJobs(walk.app.deps.db, walk.app.deps.jobs, walk.app.deps.log)
    await page.waitForSelector('[role=dialog] a:has-text("Download")', { timeout: 60_000 })
    expect(await page.inputValue('[role=dialog] .hash input')).toMatch(/^[0-9a-f]{64}$/)
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.click('[role=dialog] a:has-text("Download")'),
    ])
    expect(file.suggestedFilename()).toMatch(/\.xlsx$/)
    await page.click('[role=tab]:has-text("Link for Excel")')
    await page.fill('[role=dialog] [type=password]', 'wrong')
    await page.keyboard.press('Enter')
    await page.waitForSelector('[role=dialog] [aria-invalid=true]')
    await page.fill('[role=dialog] [type=password]', ana.password)
    await page.keyboard.press('Enter')
    await page.waitForSelector('[role=dialog] input[value^="Authorization: Token"]')
    expect(walk.faults(page, /400|403/)).toEqual([])
  })

  it('others see what they may: a reader no tools, who sees their own those alone, nobody else anything', async () => {
    const { form } = await filled(8)
    const reader = await walk.app.account()
    const enumerator = await walk.app.account()
    await giveRole(walk.app, form, reader, 'readonly-no-download')
    await giveRole(walk.app, form, enumerator, 'dataentry-minor')
    await put(walk.app, form, { answers: { name: 'Mine' }, by: enumerator.id })
    const read = await walk.as(reader, `/forms/${form.id}/data`)
    await read.waitForSelector('text=9 records')
    expect(await read.locator('.tick, button:has-text("Export"), .chosen').count()).toBe(0)
    await walk.check(read)
    const own = await walk.as(enumerator, `/forms/${form.id}/data`)
    await own.waitForSelector('.line >> text=Mine')
    await own.waitForSelector('text=1 record')
    const stranger = await walk.as(await walk.app.account(), `/forms/${form.id}/data`)
    await stranger.waitForSelector('[role=alert], .error, .state')
    expect(await stranger.locator('[role=grid]').count()).toBe(0)
  })

  it('without records, without matches and without a line are states with words', async () => {
    const { ana, form } = await newForm(walk.app)
    const page = await walk.as(ana, `/forms/${form.id}/data`)
    await page.waitForSelector('text=No records yet')
    await walk.check(page)
    await walk.pictures(page, 'data-empty')
    await put(walk.app, form, { answers: { name: 'Tom' } })
    await page.goto(`/forms/${form.id}/data?search=nobody`)
    await page.waitForSelector('text=No record matches')
    await page.context().setOffline(true)
    await page.fill('.search', 'tom')
    await page.waitForSelector('button:has-text("Try again")')
    await page.context().setOffline(false)
    await page.click('button:has-text("Try again")')
    await page.waitForSelector('.line >> text=Tom')
  })
})
