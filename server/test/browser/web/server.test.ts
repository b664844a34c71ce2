// The server's own page for those who run it, and what everybody else sees of it: nothing. The first steps, and what Ctrl K finds.
import { describe, expect, it } from 'vitest'
import { hasNoBrowser } from '../../support/browser.js'
import { publish, visitSheet } from '../../support/forms.js'
import { newOperator } from '../../support/operators.js'
import { quiet, useWalk } from '../../support/walk.js'

describe.skipIf(hasNoBrowser)('the server, and finding things (needs Chromium on the PATH)', () => {
  const walk = useWalk()

  it('an operator sees whether it is well, its figures and its settings; secrets are not on the page', async () => {
    const operator = await newOperator(walk.app)
    const page = await walk.as(operator)
    await page.click('header .avatar')
    await page.click('[role=menuitem][href="/server"]')
    await page.waitForSelector('.notice')
    await page.waitForSelector('meter')
    await walk.check(page)
    await walk.pictures(page, 'server')
    await page.click('nav a[href="/server/settings"]')
    await page.fill('input[type=search]', 'database_url')
    await page.waitForURL(/q=database_url/)
    await page.waitForSelector('dt:has-text("DATABASE_URL")')
    expect(await page.locator('.setting').count()).toBe(1)
    expect(await page.textContent('main')).not.toMatch(/postgres(ql)?:\/\//)
    await walk.check(page)
  })

  it('people are found by the address, closed with an undo, and sent a link', async () => {
    const operator = await newOperator(walk.app)
    const ana = await walk.app.account({ first_name: 'Ana <img src=x>' })
    const page = await walk.as(operator, `/server/people?q=${ana.username}`)
    await page.waitForSelector(`tbody tr:has-text("${ana.username}")`)
    expect(await page.locator('tbody tr').count()).toBe(1)
    await walk.check(page)
    await walk.pictures(page, 'server-people')
    await page.click('tbody .end .button')
    await page.click('[role=menuitem]:last-child')
    await page.waitForSelector('tr.closed')
    await page.click('.toast .button')
    await page.waitForSelector('.toast:has-text("Taken back.")')
    await page.waitForSelector('tr.closed', { state: 'detached' })
    await quiet(page)
    expect((await walk.app.as(ana)('GET', '/user')).statusCode).toBe(200)
    await page.click('tbody .end .button')
    await page.click('[role=menuitem]:first-child')
    await page.waitForSelector('.toast:has-text("is on its way")')
    const [mail] = await walk.app.mailsTo(ana.email)
    expect(mail?.link?.pathname).toBe('/reset')
    await page.goto(mail?.link?.href ?? '')
    await page.waitForSelector(`p:has-text("${ana.username}")`)
  })

  it('to everybody else there is no such page', async () => {
    const page = await walk.as(await walk.app.account(), '/server')
    await page.waitForSelector('.empty')
    expect(await page.title()).toBe('Not found · Sheaf')
    await page.click('header .avatar')
    await page.waitForSelector('[role=menuitem][href="/account"]')
    expect(await page.locator('[role=menuitem][href="/server"]').count()).toBe(0)
    expect(walk.faults(page)).toEqual([])
  })

  it('the first steps lead to a project, and say what is wrong with a form by sheet and row', async () => {
    const page = await walk.as(await walk.app.account(), '/setup/first')
    await walk.check(page)
    await walk.pictures(page, 'first-steps')
    const faulty = 'survey,,\n,type,name,label\n,text,a b,A\n'
    await page.setInputFiles('input[type=file]', { name: 'x.csv', mimeType: 'text/csv', buffer: Buffer.from(faulty) })
    await page.waitForSelector('.mistakes li')
    await walk.check(page, /400/)
    await page.fill('[name=project]', 'Wells')
    await page.press('[name=project]', 'Enter')
    await page.waitForURL(/\/projects\/\d+$/)
  })

  it('Ctrl K finds forms by their title, and records of the form that is open; g d goes to its table', async () => {
    const ana = await walk.app.account()
    const form = await publish(walk.app, ana, visitSheet({ form_title: 'Wells of the north' }))
    const page = await walk.as(ana)
    await page.keyboard.press('Control+k')
    await page.waitForSelector('.palette-input')
    await page.keyboard.type('north')
    await page.waitForSelector('.palette [role=option]:has-text("Wells of the north")')
    await walk.check(page)
    await page.keyboard.press('Enter')
    await page.waitForURL(new RegExp(`/forms/${form.formid}$`))
    await page.waitForSelector('#page-title')
    await page.keyboard.press('g')
    await page.keyboard.press('d')
    await page.waitForURL(new RegExp(`/forms/${form.formid}/data$`))
  })
})
