// Table, map, charts and media show the same records: one filter in the address, one order.
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { hasNoBrowser } from '../../support/browser.js'
import { newForm, put } from '../../support/data.js'
import { useWalk } from '../../support/walk.js'

describe.skipIf(hasNoBrowser)('pages of the same records (needs Chromium on the PATH)', () => {
  const walk = useWalk()
  const women = '{"sex":{"$in":["f"]}}'

  const filled = async (count: number) => {
    const place = await newForm(walk.app)
    const records = Array.from({ length: count }, (_, at) => ({
      answers: {
        name: `Person ${at}`,
        ...(at % 7 !== 0 && { age: String(at % 4) }),
        sex: at % 3 === 0 ? 'm' : 'f',
        'visit/gps': `${-1 - at / 100} ${36 + at / 100} 0 5`,
      },
      at: new Date(Date.UTC(2024, 0, 1, 0, at)).toISOString(),
      by: place.ana.id,
      place: [-1 - at / 100, 36 + at / 100] as const,
    }))
    return { ...place, ids: await put(walk.app, place.form, ...records) }
  }
  const to = async (page: Page, tab: string) => {
    await page.click(`nav.tab-list >> text="${tab}"`)
    await page.waitForSelector('.clause:has-text("Sex is Female")')
  }
  const parameters = (page: Page) => Object.fromEntries(new URL(page.url()).searchParams)

  it('a filter set on one page holds on the others, and says so; an area of the map is part of it', async () => {
    const { ana, form } = await filled(30)
    const page = await walk.as(ana, `/forms/${form.id}/charts`)
    await page.waitForSelector('article.chart svg')
    await page.keyboard.press('f')
    await page.fill('.filter-pop input', 'sex')
    await page.keyboard.press('Enter')
    await page.click('.filter-pop label:has-text("Female")')
    await page.waitForSelector('.clause:has-text("Sex is Female")')
    await page.keyboard.press('Escape')
    await page.locator('article.chart', { hasText: 'Name' }).locator('header >> text=20 answers').waitFor()
    await walk.check(page)
    await to(page, 'Map')
    await page.waitForSelector('text=20 places')
    await walk.check(page)
    await page.fill('.filter .search', 'person 1')
    await page.waitForSelector('text=8 places')
    await page.click('button:has-text("Select what is in sight")')
    await page.waitForSelector('text=8 records in the chosen area')
    await page.waitForSelector('.clause:has-text("in the area chosen on the map")')
    const { bbox, geo_field } = parameters(page)
    await to(page, 'Charts')
    const asked = page.waitForRequest(
      (request) => request.url().includes('shape=figures') && request.url().includes('bbox'),
    )
    await page.reload()
    expect(new URL((await asked).url()).searchParams.get('bbox')).toBe(bbox)
    await page.locator('article.chart', { hasText: 'Name' }).locator('header >> text=8 answers').waitFor()
    await to(page, 'Media')
    await page.waitForSelector('text=Nothing found')
    await walk.check(page)
    await to(page, 'Data')
    await page.waitForSelector('text=8 of 30 records')
    expect(parameters(page)).toEqual({ query: women, search: 'person 1', bbox, geo_field })
    // The question of the map stays when the area goes.
    await to(page, 'Map')
    await page.click('.clause:has-text("in the area") .away')
    await page.waitForSelector('.chosen', { state: 'detached' })
    expect(parameters(page)).toMatchObject({ query: women, search: 'person 1', geo_field })
    expect(walk.faults(page)).toEqual([])
  })

  it('a filter that the server refuses is told, and can be taken away', async () => {
    const { ana, form } = await filled(3)
    for (const name of ['map', 'charts']) {
      const page = await walk.as(ana, `/forms/${form.id}/${name}?query=${encodeURIComponent('{"nobody":1}')}`)
      await page.waitForSelector('.clause:has-text("nobody")')
      await page.waitForSelector('[role=alert], .error')
      await page.click('.clause .away')
      await page.waitForSelector(name === 'map' ? 'text=3 places' : 'text=3 answers')
    }
  })

  it('previous and next follow the table, from its link, from the link of a colleague, and from one without a place', async () => {
    const { ana, form } = await filled(260)
    const query = `query=${encodeURIComponent(women)}&sort=-age`
    const list = (await walk.app.as(ana)('GET', `/data/${form.id}?${query}&fields=_id,_uuid&limit=300`)).json<
      { _id: number; _uuid: string }[]
    >()
    const page = await walk.as(ana, `/forms/${form.id}/data?${query}`)
    const link = page.locator(`[data-cell="3:0"] a`)
    await page.waitForSelector(`[data-cell="3:0"]:has-text("${list[3]?._id}")`)
    const href = (await link.getAttribute('href')) ?? ''
    expect(href).toMatch(/at=3$/)

    const afresh = await walk.tab(page, href)
    await afresh.waitForSelector(`text=4 of ${list.length}`)
    await afresh.click('[aria-label="Next record"]')
    await afresh.waitForSelector(`text=5 of ${list.length}`)
    expect(afresh.url()).toContain(`/records/${list[4]?._uuid}`)
    // Its place is told wrongly, or not at all: it is found again.
    for (const at of [list.length - 1, 0, 130, undefined]) {
      const uuid = list[150]?._uuid
      await afresh.goto(`/forms/${form.id}/records/${uuid}?${query}${at === undefined ? '' : `&at=${at}`}`)
      await afresh.waitForSelector(`text=151 of ${list.length}`)
      await afresh.click('[aria-label="Previous record"]')
      await afresh.waitForURL(`**/records/${list[149]?._uuid}?*`)
    }
    // Beside the table, the button to its own page says its place too; and back leads to the same table.
    await link.click()
    await page.click('aside [aria-label="On its own page"]')
    await page.waitForSelector(`text=4 of ${list.length}`)
    await page.click('text=All records')
    await page.waitForURL(`**/data?*sort=-age*`)
    // Nobody sorted: the newest is first, as in the table.
    const [last] = (await walk.app.as(ana)('GET', `/data/${form.id}?sort=-_id&limit=1`)).json<{ _uuid: string }[]>()
    await page.goto(`/forms/${form.id}/records/${last?._uuid}`)
    await page.waitForSelector('text=1 of 260')
    expect(walk.faults(page)).toEqual([])
  })
})
