// Who is signed in may change, in this tab or another one, and the line may be lost: nobody sees what was another's, and nobody
// loses what they typed.
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import type { Account } from '../../support/app.js'
import { hasNoBrowser } from '../../support/browser.js'
import { newForm, put } from '../../support/data.js'
import { goWithin, quiet, useWalk } from '../../support/walk.js'

describe.skipIf(hasNoBrowser)('one browser, several people (needs Chromium on the PATH)', () => {
  const walk = useWalk()
  const secret = 'seen by ana alone'

  const filled = async () => {
    const place = await newForm(walk.app)
    const at = new Date(Date.UTC(2024, 0, 1)).toISOString()
    await put(walk.app, place.form, { answers: { name: secret }, at, by: place.ana.id })
    return place
  }
  const signOutIn = async (page: Page) => {
    await page.click('header button[aria-label^="Account of"]')
    await page.click('[role=menuitem]:has-text("Sign out")')
    await page.waitForSelector('a[href="/signin"]')
  }
  const signInAs = async (page: Page, { username, password }: Account) => {
    await page.goto('/signin')
    await page.fill('[name=username]', username)
    await page.fill('[name=password]', password)
    await page.press('[name=password]', 'Enter')
    await page.waitForSelector('header button[aria-label^="Account of"]')
  }
  const shown = (page: Page) => page.innerText('body')

  it('signed out in one tab, the others show nothing of theirs; the next person finds nothing that was shown or typed', async () => {
    const { ana, form } = await filled()
    const ben = await walk.app.account()
    const table = await walk.as(ana, `/forms/${form.id}/data`)
    await table.getByText(secret).first().waitFor()
    const settings = await walk.tab(table, `/forms/${form.id}/settings`)
    await settings.fill('[name=description]', 'typed by ana')
    const other = await walk.tab(table)
    await signOutIn(other)
    for (const tab of [table, settings]) {
      await tab.waitForSelector('[role=dialog] [name=password]')
      expect(await shown(tab)).not.toContain(secret)
      expect(await tab.isVisible('#page-title')).toBe(false)
      expect(await tab.title()).toBe('Sheaf')
    }
    await signInAs(other, ben)
    for (const tab of [table, settings]) {
      await tab.waitForSelector('.fault')
      expect(await shown(tab)).not.toContain(secret)
      expect(await tab.locator('[name=description]').count()).toBe(0)
    }
    await other.goBack()
    await quiet(other)
    expect(await shown(other)).not.toContain(ana.username)
  })

  it('a dashboard that a link opens for anybody stays, whoever signs in or out beside it', async () => {
    const { ana, form } = await filled()
    const ben = await walk.app.account()
    const made = await walk.app.as(ana)('POST', '/widgets', {
      body: {
        content_object: `${walk.address}/api/v1/forms/${form.id}`,
        view_type: 'horizontal-bar',
        column: 'name',
        title: 'Names',
      },
    })
    const board = await walk.visitor(`/public/dashboard#${made.json().key}`)
    await board.waitForSelector('h2:has-text("Names")')
    await board.evaluate('window.isTheSame = true')
    const other = await walk.tab(board)
    for (const person of [ana, ben]) {
      const isKnown = board.waitForResponse((answer) => answer.url().endsWith('/accounts/session'))
      await signInAs(other, person)
      await isKnown
      const isLeft = board.waitForResponse((answer) => answer.url().endsWith('/accounts/session'))
      await signOutIn(other)
      await isLeft
      await quiet(board)
      expect(await board.isVisible('h2:has-text("Names")')).toBe(true)
      expect(await board.locator('[role=dialog]').count()).toBe(0)
    }
    expect(await board.evaluate('window.isTheSame')).toBe(true)
    // What comes after it is loaded anew: nothing of the one before is there for the next.
    await goWithin(board, '/signin')
    await board.waitForSelector('[name=password]')
    expect(await board.evaluate('window.isTheSame')).toBeUndefined()
  })

  it('the same person signs in again, in the dialog or in another tab, and finds what they typed', async () => {
    const { ana, form } = await filled()
    const page = await walk.as(ana, `/forms/${form.id}/settings`)
    await page.fill('[name=description]', 'typed by ana')
    const other = await walk.tab(page)
    await signOutIn(other)
    await page.waitForSelector('[role=dialog] [name=password]')
    await signInAs(other, ana)
    await page.waitForSelector('[role=dialog]', { state: 'detached' })
    expect(await page.inputValue('[name=description]')).toBe('typed by ana')
    await signOutIn(other)
    await page.fill('[role=dialog] [name=password]', ana.password)
    await page.press('[role=dialog] [name=password]', 'Enter')
    await page.waitForSelector('[role=dialog]', { state: 'detached' })
    await page.waitForSelector('[name=description]')
    expect(await page.inputValue('[name=description]')).toBe('typed by ana')
    // Whoever does not want to sign in again leaves the page.
    await signOutIn(other)
    await page.click('[role=dialog] button[aria-label="Close"]')
    await page.waitForSelector('a[href^="/signin"], [name=password]')
    expect(await shown(page)).not.toContain(secret)
  })

  it('a server that cannot say who is signed in is an error to try again, not a visit of nobody', async () => {
    const { ana, form } = await filled()
    const page = await walk.as(ana, `/forms/${form.id}/settings`)
    const asked: string[] = []
    page.on('request', (request) => asked.push(new URL(request.url()).pathname))
    await page.fill('[name=description]', 'typed by ana')
    const session = '**/accounts/session'
    await page.route(session, (route) => route.fulfill({ status: 503, body: '{"detail":"busy"}' }))
    const other = await walk.tab(page)
    const answered = page.waitForResponse(session)
    await other.evaluate("new BroadcastChannel('sheaf-session').postMessage('changed')")
    await answered
    await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))')
    expect(await page.inputValue('[name=description]')).toBe('typed by ana')
    expect(await page.isVisible('[name=description]')).toBe(true)
    for (const answer of ['busy', 'cut'] as const) {
      await page.unroute(session)
      await page.route(session, (route) =>
        answer === 'cut' ? route.abort() : route.fulfill({ status: 503, body: '{"detail":"busy"}' }),
      )
      await page.goto(`/forms/${form.id}/settings`)
      await page.waitForSelector('.fault button:has-text("Try again")')
      expect(page.url()).toBe(`${walk.address}/forms/${form.id}/settings`)
      await page.unroute(session)
      await page.click('.fault button:has-text("Try again")')
      await page.waitForSelector('[name=description]')
    }
    expect(asked).not.toContain('/undefined')
  })

  it('signed out, every page of a form leads to signing in and back; a public form opens', async () => {
    const { ana, form } = await filled()
    const page = await walk.visitor()
    for (const path of ['/data?search=a', '/map', '/media', '/records/1', '/versions', '/collect', '/charts', '']) {
      await page.goto(`/forms/${form.id}${path}`)
      await page.waitForURL(/\/signin\?/)
      expect(new URL(page.url()).searchParams.get('next')).toBe(`/forms/${form.id}${path}`)
    }
    await page.goto(`/forms/${form.id}/data?search=seen`)
    await page.fill('[name=username]', ana.username)
    await page.fill('[name=password]', ana.password)
    await page.press('[name=password]', 'Enter')
    await page.waitForURL(`${walk.address}/forms/${form.id}/data?search=seen`)
    await page.getByText(secret).first().waitFor()
    await walk.app.as(ana)('PATCH', `/forms/${form.id}`, { body: { public: true, public_data: true } })
    const visitor = await walk.visitor(`/forms/${form.id}/data`)
    await visitor.getByText(secret).first().waitFor()
  })
})

describe.skipIf(hasNoBrowser)('a page whose code does not come (needs Chromium on the PATH)', () => {
  const walk = useWalk()

  it('offline, a click stays where it is and says so; what was typed is kept, and Ctrl K works', async () => {
    const { ana, form } = await newForm(walk.app)
    const page = await walk.as(ana, `/forms/${form.id}/settings`)
    await page.fill('[name=description]', 'typed for ten minutes')
    await quiet(page)
    await page.context().setOffline(true)
    await page.click('nav a:has-text("Map")')
    await page.waitForSelector('.toast:has-text("You are still where you were")')
    expect(page.url()).toBe(`${walk.address}/forms/${form.id}/settings`)
    expect(await page.inputValue('[name=description]')).toBe('typed for ten minutes')
    await page.keyboard.press('Control+k')
    await page.waitForSelector('.palette-input')
    await page.keyboard.press('Escape')
    await page.context().setOffline(false)
    await page.click('.toast button:has-text("Try again")')
    await page.waitForURL(`${walk.address}/forms/${form.id}/map`)
  })

  it('a browser that remembers that the code did not come opens the page anew when that is tried again', async () => {
    const { ana, form } = await newForm(walk.app)
    const page = await walk.as(ana, `/forms/${form.id}/settings`)
    await page.evaluate('window.isOld = true')
    await page.context().route(/assets\/map-.*\.js$/, async (route) => {
      const isRemembered = (await page.evaluate('window.isOld')) && route.request().resourceType() === 'script'
      await (isRemembered ? route.abort() : route.continue())
    })
    await page.click('nav a:has-text("Map")')
    await page.click('.toast button:has-text("Try again")')
    await page.waitForURL(`${walk.address}/forms/${form.id}/map`)
    expect(await page.evaluate('window.isOld')).toBeUndefined()
  })

  it('404 for the code of a page: a newer version is there, and the page is loaded anew', async () => {
    const { ana, form } = await newForm(walk.app)
    const page = await walk.as(ana, `/forms/${form.id}/settings`)
    await page.evaluate('window.isOld = true')
    await page.context().route(/assets\/map-.*\.js$/, (route) => route.fulfill({ status: 404, body: '' }))
    await page.click('nav a:has-text("Map")')
    await page.waitForURL(`${walk.address}/forms/${form.id}/map`)
    await page.waitForFunction('window.isOld === undefined')
    // Missing in the newer one, too: said, and not loaded again and again.
    await page.waitForSelector('.toast:has-text("could not be loaded")')
  })
})
