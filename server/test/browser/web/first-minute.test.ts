// The first minute of an installation, as somebody has it who starts the server on an empty folder: the address that it prints, the
// first account, a form of their own, a record from a phone, and the example.
import { randomUUID } from 'node:crypto'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hasNoBrowser, openBrowser, watchedPage } from '../../support/browser.js'
import { sheet } from '../../support/forms.js'
import { workplace } from '../../support/process.js'
import { instance, submissionBody } from '../../support/submissions.js'
import { checkLooks } from '../../support/walk.js'

const visit = sheet(
  `type,name,label
   text,name,Name
   select_one sex,sex,Sex
   geopoint,place,Where?`,
  {
    choices: 'list_name,name,label\nsex,f,Female\nsex,m,Male',
    settings: { form_title: 'Household visit', form_id: 'visit' },
  },
)

describe.skipIf(hasNoBrowser)('the first minute (needs Chromium on the PATH)', () => {
  let place: Awaited<ReturnType<typeof workplace>>
  let browser: Browser
  beforeAll(async () => {
    ;[place, browser] = await Promise.all([workplace({ hasDatabase: true }), openBrowser()])
  })
  afterAll(async () => {
    await browser?.close()
    await place?.clean()
  })

  it('leads from an empty folder to the first account, the first form, its first record in table, map and chart, and the example', async () => {
    const server = await place.start().ready()
    const printed = /http:\S+\/setup\?code=\S+/.exec(server.output)?.[0] ?? ''
    expect(printed).toContain(server.address)
    const { page, faults } = await watchedPage(browser, server.address)
    page.setDefaultTimeout(60_000)

    // Whoever opens the server without the code is led to the same page.
    await page.goto(server.address)
    await page.waitForURL(`${server.address}/setup`)
    // A wrong code is said beside its field, and the rest stays.
    await page.fill('[name=code]', 'nonsense')
    await page.fill('[name=name]', 'Ana Silva')
    await page.fill('[name=username]', 'ana')
    await page.fill('[name=email]', 'ana@example.org')
    await page.fill('[name=new-password]', 'correct horse battery')
    await page.press('[name=new-password]', 'Enter')
    await page.waitForSelector('[name=code][aria-invalid=true]')
    expect(await page.inputValue('[name=name]')).toBe('Ana Silva')
    await checkLooks(page)
    await page.goto(printed)
    await page.fill('[name=name]', 'Ana Silva')
    await page.fill('[name=username]', 'ana')
    await page.fill('[name=email]', 'ana@example.org')
    await page.fill('[name=new-password]', 'correct horse battery')
    await page.press('[name=new-password]', 'Enter')
    await page.waitForURL(`${server.address}/setup/first`)

    // The first account runs the server.
    await page.click('header .avatar')
    await page.waitForSelector('[role=menuitem][href="/server"]')
    await page.keyboard.press('Escape')

    const choose = (text: string) =>
      page.setInputFiles('input[type=file]', { name: 'visit.csv', mimeType: 'text/csv', buffer: Buffer.from(text) })
    await choose(visit.replace('select_one sex', 'select_one sexes'))
    await page.waitForSelector('.mistakes li')
    await choose(visit)
    await page.waitForURL(/\/forms\/\d+$/)
    await page.waitForSelector('text=No records yet')

    // A phone sends what was filled in, with the name and the password.
    const form = { id_string: 'visit' }
    const answers = '<name>Lina</name><sex>f</sex><place>-1.25 36.8 0 5</place>'
    const { body, headers } = submissionBody(instance(form, answers, { id: randomUUID() }))
    const authorization = `Basic ${Buffer.from('ana:correct horse battery').toString('base64')}`
    const sent = await server.call('/ana/submission', {
      method: 'POST',
      body: new Uint8Array(body),
      headers: { ...headers, authorization, 'x-openrosa-version': '1.0' },
    })
    expect(sent.status).toBe(201)

    // It comes by itself, and is in the table, on the map and in the charts, whichever is looked at first.
    await page.waitForSelector('main :text("1 record")')
    const tab = (name: string) => page.click(`nav[aria-label="Pages of this form"] a:text-is("${name}")`)
    await tab('Charts')
    const chart = page.locator('article.chart', { has: page.getByRole('heading', { name: 'Sex' }) })
    await chart.locator('[role=slider] svg').waitFor()
    await tab('Map')
    await page.waitForSelector('.leaflet-container canvas')
    await page.click('.sight li a')
    await page.waitForSelector('aside .answer:has-text("Lina")')
    await tab('Data')
    await page.waitForSelector('.line:has-text("Lina"):has-text("Female")')

    // The start page tells of it.
    await page.goto(server.address)
    await page.waitForSelector('main time')

    await page.keyboard.press('Control+k')
    await page.waitForSelector('.palette-input')
    await page.keyboard.type('example')
    await page.waitForSelector('.palette [role=option][data-highlighted]:has-text("Try the example")')
    await page.keyboard.press('Enter')
    await page.waitForURL(`${server.address}/setup/first`)
    await page.click('main .button.primary')
    await page.waitForSelector('.notice.good')
    for (const part of ['data', 'map', 'charts']) {
      expect(await page.locator(`main a[href$="/${part}"]`).count()).toBe(1)
    }
    await page.click('main a[href$="/data"]')
    await page.waitForURL(/\/forms\/\d+\/data/)
    // What was on its way when a page is left is dropped by the browser.
    expect(faults.filter((fault) => !/^failed |status of 40[03]/.test(fault))).toEqual([])
  })
})
