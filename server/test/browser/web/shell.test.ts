// What stands around every page: the bar, the palette, shortcuts, look and language, a session that ends, a line that is lost.
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { hasNoBrowser } from '../../support/browser.js'
import { quiet, settled, useWalk } from '../../support/walk.js'

describe.skipIf(hasNoBrowser)('around every page (needs Chromium on the PATH)', () => {
  const walk = useWalk()
  const background = (page: Page) => page.evaluate('getComputedStyle(document.documentElement).backgroundColor')

  it('the start page shows projects, and has no serious fault in either look, empty or full', async () => {
    const ana = await walk.app.account()
    const page = await walk.as(ana)
    await page.waitForSelector('.empty')
    await walk.check(page)
    await walk.pictures(page, 'home-empty')
    for (const name of ['Household survey', 'x'.repeat(255), 'مسح الأسر', '<img src=x onerror=alert(1)>']) {
      const made = await walk.app.as(ana)('POST', '/projects', { body: { name } })
      expect(made.statusCode).toBe(201)
    }
    await page.reload()
    await settled(page)
    await page.waitForSelector('.project')
    await walk.check(page)
    await walk.pictures(page, 'home-full')
  })

  it('a star is there at once, once, and after a reload', async () => {
    const ana = await walk.app.account()
    await walk.app.as(ana)('POST', '/projects', { body: { name: 'Wells' } })
    const page = await walk.as(ana)
    await page.dblclick('.project button')
    await page.waitForSelector('.project button[aria-pressed=true]')
    await quiet(page)
    await page.reload()
    await page.waitForSelector('.project button[aria-pressed=true]')
  })

  it('Ctrl K finds a project by the keyboard alone, and the title of its page has the focus', async () => {
    const ana = await walk.app.account()
    await walk.app.as(ana)('POST', '/projects', { body: { name: 'Wells of the north' } })
    const page = await walk.as(ana)
    await page.keyboard.press('Control+k')
    await page.waitForSelector('.palette-input')
    await page.keyboard.type('north wells')
    await page.waitForSelector('.palette [role=option]:has-text("Wells of the north")')
    await walk.check(page)
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/projects\/\d+$/)
    await page.waitForSelector('#page-title:focus')
  })

  it('? lists the shortcuts', async () => {
    const page = await walk.as(await walk.app.account())
    await page.keyboard.press('?')
    await page.waitForSelector('[role=dialog] dl')
    await walk.check(page)
    await page.keyboard.press('Escape')
    await page.waitForSelector('[role=dialog]', { state: 'detached' })
  })

  it('the look that is chosen stays, and is there before anything is painted', async () => {
    const page = await walk.visitor('/', { colorScheme: 'light' })
    const light = await background(page)
    await page.evaluate("localStorage.setItem('sheaf-look', 'dark')")
    await page.reload({ waitUntil: 'commit' })
    await page.waitForSelector('html[data-look=dark]', { state: 'attached' })
    expect(await background(page)).not.toBe(light)
  })

  it('the language is chosen in the bar, and is remembered', async () => {
    const page = await walk.visitor('/', { locale: 'en-GB' })
    await page.click('header [aria-haspopup=menu]')
    await page.click('[role=menuitemradio]:has-text("Français")')
    await page.waitForSelector('html[lang=fr]')
    await page.reload()
    await settled(page)
    expect(await page.getAttribute('html', 'lang')).toBe('fr')
  })

  it('a session that was renewed goes on without a question; nothing is done in the name of somebody else', async () => {
    const [ana, ben] = [await walk.app.account(), await walk.app.account()]
    const { projectid } = (await walk.app.as(ana)('POST', '/projects', { body: { name: 'Wells' } })).json()
    const starred = async () => (await walk.app.as(ana)('GET', `/projects/${projectid}`)).json().starred
    const page = await walk.as(ana)
    await page.waitForSelector('.project')
    const signIn = ({ username, password }: typeof ana) =>
      page.request.post('/accounts/session', { data: { username, password, stay: false } })
    await signIn(ana)
    await page.click('.project button')
    await page.waitForSelector('.project button[aria-pressed=true]')
    await quiet(page)
    expect([await starred(), await page.locator('[role=dialog]').count()]).toEqual([true, 0])
    await signIn(ben)
    await page.click('.project button')
    // The page is theirs now, and ana's star is as it was.
    await page.waitForSelector('.empty')
    expect(await starred()).toBe(true)
  })

  it('a session that ends asks for the password over the page, and what was done is done afterwards', async () => {
    const ana = await walk.app.account()
    await walk.app.as(ana)('POST', '/projects', { body: { name: 'Wells' } })
    const page = await walk.as(ana)
    await page.waitForSelector('.project')
    await page.fill('input[type=search]', 'We')
    await page.context().clearCookies()
    await page.click('.project button')
    await page.waitForSelector('[role=dialog] [name=password]')
    await walk.check(page, /401/)
    await page.fill('[role=dialog] [name=password]', ana.password)
    await page.press('[role=dialog] [name=password]', 'Enter')
    await page.waitForSelector('[role=dialog]', { state: 'detached' })
    await page.waitForSelector('.project button[aria-pressed=true]')
    expect(await page.inputValue('input[type=search]')).toBe('We')
    await expect
      .poll(async () =>
        (await walk.app.as(ana)('GET', '/projects')).json<{ starred: boolean }[]>().map(({ starred }) => starred),
      )
      .toEqual([true])
  })

  it('a lost line is said calmly, taken back is what was not done, and all goes on when it is back', async () => {
    const ana = await walk.app.account()
    await walk.app.as(ana)('POST', '/projects', { body: { name: 'Wells' } })
    const page = await walk.as(ana)
    await page.waitForSelector('.project')
    await page.context().setOffline(true)
    await page.click('.project button')
    await page.waitForSelector('.bar + .bar, [role=status] .bar')
    await page.waitForSelector('.project button[aria-pressed=false]')
    await page.context().setOffline(false)
    await page.waitForSelector('[role=status] .bar', { state: 'detached' })
    await page.click('.project button')
    await page.waitForSelector('.project button[aria-pressed=true]')
  })
})
