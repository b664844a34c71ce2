// The overview, the charts and the dashboard of a form, as those who own it, who see their own records, who only send, and as
// strangers.
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import type { Account } from '../../support/app.js'
import { hasNoBrowser } from '../../support/browser.js'
import { people, peopleSurvey } from '../../support/charts.js'
import { giveRole, newForm, put } from '../../support/data.js'
import { quiet, settled, useWalk } from '../../support/walk.js'

describe.skipIf(hasNoBrowser)('overview, charts and dashboard (needs Chromium on the PATH)', () => {
  const walk = useWalk()
  const hostile = '<img src=x onerror=alert(1)> {{name}} javascript:alert(1)'

  const place = async () => {
    const made = await newForm(walk.app, { versions: [peopleSurvey] })
    await put(walk.app, made.form, ...people, { answers: { name: hostile, gender: 'f', age: '30' } })
    return made
  }
  const chartOf = (page: Page, title: string) =>
    page.locator('article.chart', { has: page.getByRole('heading', { name: title, exact: true }) })
  const figuresAsked = (page: Page) => {
    const asked: number[] = []
    page.on('request', (request) => {
      const { searchParams } = new URL(request.url())
      if (searchParams.get('shape') === 'figures') asked.push(searchParams.get('fields')?.split(',').length ?? 0)
    })
    return asked
  }

  it('the overview tells what came in, and leads on; an empty form says how to begin', async () => {
    const { ana, form } = await place()
    const page = await walk.as(ana, `/forms/${form.id}`)
    await page.waitForSelector('text=6 records')
    await page.waitForSelector('text=Needs attention')
    await page.waitForSelector(`text=${hostile.slice(0, 20)}`)
    await page.selectOption('select', { label: 'From the beginning' })
    await page.waitForURL(/span=all/)
    await page.focus('[role=slider]')
    await page.keyboard.press('End')
    await page.waitForSelector('[role=slider][aria-valuetext]')
    await walk.check(page)
    await walk.pictures(page, 'overview')
    const empty = await newForm(walk.app, { versions: [peopleSurvey] })
    const other = await walk.as(empty.ana, `/forms/${empty.form.id}`)
    await other.waitForSelector('.empty')
    await walk.pictures(other, 'overview-empty')
  })

  it('whoever sees their own records, or only sends, is told so and shown nothing of others', async () => {
    const { form } = await place()
    const [minor, sender, stranger] = [await walk.app.account(), await walk.app.account(), await walk.app.account()]
    await giveRole(walk.app, form, minor, 'dataentry-minor')
    await giveRole(walk.app, form, sender, 'dataentry-only')
    const own = await walk.as(minor, `/forms/${form.id}`)
    await own.waitForSelector('text=You see the records that you sent yourself')
    expect(await own.locator('text=Ann').count()).toBe(0)
    await walk.check(own)
    const sends = await walk.as(sender, `/forms/${form.id}`)
    await sends.waitForSelector('text=Your part in this form')
    expect(await sends.locator('nav >> text=Charts').count()).toBe(0)
    const nothing = await walk.as(stranger, `/forms/${form.id}/dashboard`)
    await nothing.waitForSelector('text=There is nothing here')
  })

  it('every question is a chart: by type, by keyboard, by groups, of the chosen records, in Arabic from right to left', async () => {
    const { ana, form } = await place()
    const page = await walk.as(ana, `/forms/${form.id}/charts`)
    await chartOf(page, 'Gender').locator('[role=slider] svg').waitFor()
    await chartOf(page, 'Age').locator('text=Median').waitFor()
    await chartOf(page, 'Gender').locator('[role=slider]').focus()
    await page.keyboard.press('ArrowDown')
    await page.waitForSelector('[role=slider][aria-valuetext="Female: 3"]')
    await chartOf(page, 'Gender').locator('summary').click()
    expect(await chartOf(page, 'Gender').locator('tbody tr').first().innerText()).toMatch(/Female\s+3\s+60%/)
    await walk.check(page)
    await walk.pictures(page, 'charts')
    await page.selectOption('select', { label: 'Gender' })
    await chartOf(page, 'Pizza fan').locator('.legend').waitFor()
    await page.getByLabel('Search answers').fill('Ann')
    await page.waitForURL(/search=Ann/)
    await chartOf(page, 'Name').locator('text=1 answer').waitFor()
    await page.getByLabel('Find a question').fill('income')
    await chartOf(page, 'Gender').waitFor({ state: 'detached' })
    await page.evaluate("localStorage.setItem('sheaf-language', 'ar')")
    await page.goto(`/forms/${form.id}/charts`)
    await page.waitForSelector('html[dir=rtl]')
    const chart = await chartOf(page, 'Gender').locator('[role=slider]').boundingBox()
    const label = await chartOf(page, 'Gender').locator('svg text:text-is("Female")').boundingBox()
    expect((label?.x ?? 0) > (chart?.x ?? 0) + (chart?.width ?? 0) / 2).toBe(true)
  })

  it('a form of 300 questions asks for what is in sight, a few at once', async () => {
    const rows = Array.from({ length: 300 }, (_one, number) => `| | text | q${number} | Question ${number} |`)
    const survey = `| survey |\n| | type | name | label |\n${rows.join('\n')}\n`
    const { ana, form } = await newForm(walk.app, { versions: [survey] })
    await put(walk.app, form, { answers: { q0: 'a', q299: 'z' } })
    const page = await walk.as(ana)
    const asked = figuresAsked(page)
    await page.goto(`/forms/${form.id}/charts`)
    await settled(page)
    await page.waitForSelector('article.chart figure')
    // Every question has its place; what takes long is made for those near the screen.
    expect(await page.locator('article.chart h2').count()).toBe(300)
    expect(await page.locator('article.chart .head').count()).toBeLessThan(60)
    const first = asked.reduce((sum, count) => sum + count, 0)
    expect([first > 0 && first < 60, Math.max(...asked) <= 8]).toEqual([true, true])
    await page.keyboard.press('Control+End')
    await chartOf(page, 'Question 299').locator('figure').waitFor()
    expect(asked.reduce((sum, count) => sum + count, 0)).toBeLessThan(120)
  })

  it('numbers, days and choices take the room that was kept for them: nothing moves below them when they are drawn', async () => {
    const { ana, form } = await place()
    const page = await walk.as(ana, '/', { viewport: { width: 1440, height: 2400 } })
    let release = () => {}
    const isReleased = new Promise<void>((resolve) => {
      release = resolve
    })
    await page.route(/shape=figures/, async (route) => {
      await isReleased
      await route.continue()
    })
    await page.goto(`/forms/${form.id}/charts`)
    await chartOf(page, 'Gender').locator('.bones').waitFor()
    // How many texts will be told apart nobody knows before: counted from the first row without any.
    const tops = () =>
      page.evaluate(
        "((tops) => tops.map((top) => Math.round(top - tops[0])))([...document.querySelectorAll('article.chart')].slice(2, 8).map((one) => one.getBoundingClientRect().top))",
      )
    const before = await tops()
    release()
    for (const title of ['Gender', 'Age', 'Pizza fan', 'Fruits', 'Born'])
      await chartOf(page, title).locator('[role=slider] svg').waitFor()
    expect(await tops()).toEqual(before)
  })

  it('a dashboard is filled, arranged by keys, undone and shared; a stranger sees what is shared and nothing else', async () => {
    const { ana, form } = await place()
    const page = await walk.as(ana, `/forms/${form.id}/charts`)
    await page.getByRole('button', { name: 'More about “Gender”' }).click()
    await page.getByRole('menuitem', { name: 'Keep on the dashboard' }).click()
    await page.waitForSelector('text=“Gender” is on the dashboard.')
    await page.goto(`/forms/${form.id}/dashboard`)
    await settled(page)
    await page.getByRole('button', { name: 'Add', exact: true }).click()
    await page.getByLabel('What').selectOption('number')
    await page.getByLabel('Title').fill(hostile)
    await page.getByRole('button', { name: 'Save' }).dblclick()
    await page.waitForSelector('[role=dialog]', { state: 'detached' })
    const titles = () => page.locator('.board-grid h2').allInnerTexts()
    await expect.poll(titles).toEqual(['Gender', hostile])
    await page.locator('.handle').nth(1).focus()
    await page.keyboard.press('ArrowLeft')
    await expect.poll(titles).toEqual([hostile, 'Gender'])
    await quiet(page)
    await page.locator('.handle').nth(1).focus()
    await page.keyboard.press('Shift+ArrowRight')
    await page.waitForSelector('.wide-2')
    await quiet(page)
    await page.reload()
    await settled(page)
    await expect.poll(titles).toEqual([hostile, 'Gender'])
    await page.waitForSelector('.wide-2 [role=slider] svg')
    await walk.check(page)
    await walk.pictures(page, 'dashboard')
    await page.getByRole('button', { name: 'Arrange “Gender”' }).click()
    await page.getByRole('menuitem', { name: 'Remove' }).click()
    await expect.poll(titles).toEqual([hostile])
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect.poll(titles).toEqual([hostile, 'Gender'])
    await page.getByRole('button', { name: 'Share' }).click()
    const address = await page.getByLabel('Link').inputValue()

    const stranger = await walk.visitor(address.slice(walk.address.length))
    await stranger.waitForSelector('.board-grid [role=slider] svg')
    expect(await stranger.locator('.board-grid h2').allInnerTexts()).toEqual([hostile, 'Gender'])
    await stranger.waitForSelector('.large:text-is("6")')
    expect(await stranger.locator('a[href^="/forms"]').count()).toBe(0)
    await walk.check(stranger)
    await walk.pictures(stranger, 'public')
    // The link opens these widgets, and neither the form nor its records.
    for (const path of [
      `/api/v1/forms/${form.id}`,
      `/api/v1/data/${form.id}`,
      `/api/v1/charts/${form.id}`,
      `/api/v1/widgets?xform=${form.id}`,
    ])
      expect([401, 404]).toContain((await stranger.request.get(path)).status())
    // A link that the wrong people know is replaced; then it is taken back.
    await page.getByRole('button', { name: 'Replace the link' }).click()
    await page.locator('[role=dialog] .notice, [role=dialog] [role=status]').getByText('for good').waitFor()
    await walk.check(page)
    await page.getByRole('button', { name: 'Replace the link' }).click()
    await page.waitForSelector('text=There is a new link')
    await expect.poll(() => page.getByLabel('Link').inputValue()).not.toBe(address)
    const second = await page.getByLabel('Link').inputValue()
    await stranger.reload()
    await stranger.waitForSelector('text=This link opens nothing')
    const again = await walk.visitor(second.slice(walk.address.length))
    await again.waitForSelector('.board-grid [role=slider] svg')
    await page.getByRole('button', { name: 'Take the link back' }).click()
    await page.getByRole('button', { name: 'Take the link back' }).click()
    await page.waitForSelector('text=No link opens this dashboard')
    await again.reload()
    await again.waitForSelector('text=This link opens nothing')
    await page.getByRole('button', { name: 'Make a link' }).click()
    await page.getByLabel('Link').waitFor()
    const lost = await walk.visitor(`/public/dashboard#${'0'.repeat(32)}.nonsense`)
    await lost.waitForSelector('text=This link opens nothing')
  })

  const addWidget = (ana: Account, formId: number) =>
    walk.app.as(ana)('POST', '/widgets', {
      body: {
        content_object: `${walk.address}/api/v1/forms/${formId}`,
        view_type: 'horizontal-bar',
        column: 'gender',
        title: 'Who',
      },
    })

  it('a name that was not changed is not sent, so the one that somebody else gave meanwhile stays', async () => {
    const { ana, form } = await place()
    const widget = (await addWidget(ana, form.id)).json()
    const page = await walk.as(ana, `/forms/${form.id}/dashboard`)
    let sent = 0
    page.on('request', (request) => {
      if (request.method() === 'PATCH') sent += 1
    })
    const rename = async (act: () => Promise<unknown>) => {
      await page.getByRole('button', { name: 'Arrange “Who”' }).click()
      await page.getByRole('menuitem', { name: 'Rename' }).click()
      await page.waitForSelector('[role=dialog] [dir=auto]')
      await act()
      await page.getByRole('button', { name: 'Save' }).click()
      await page.waitForSelector('[role=dialog]', { state: 'detached' })
    }
    await rename(() => walk.app.as(ana)('PATCH', `/widgets/${widget.id}`, { body: { title: 'By somebody else' } }))
    await page.waitForSelector('h2:has-text("By somebody else")')
    expect(sent).toBe(0)
    await walk.app.as(ana)('PATCH', `/widgets/${widget.id}`, { body: { title: 'Who' } })
    await page.reload()
    await settled(page)
    await rename(() => page.getByRole('dialog').getByRole('textbox').fill('Women and men'))
    await page.waitForSelector('h2:has-text("Women and men")')
    expect(sent).toBe(1)
  })

  it('whoever only reads sees the dashboard and nothing to change it by', async () => {
    const { ana, form } = await place()
    await addWidget(ana, form.id)
    const reader = await walk.app.account()
    await giveRole(walk.app, form, reader, 'readonly')
    const page = await walk.as(reader, `/forms/${form.id}/dashboard`)
    await page.waitForSelector('.board-grid [role=slider] svg')
    expect(await page.locator('.handle').count()).toBe(0)
    expect(await page.getByRole('button', { name: /Add|Share/ }).count()).toBe(0)
  })
})
