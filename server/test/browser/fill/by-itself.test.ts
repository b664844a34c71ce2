// What happens without anybody doing anything: sending by the browser, sending when somebody comes back, a new version of the program.
import type { CDPSession, Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { hasNoBrowser } from '../../support/browser.js'
import { useFillPlace } from '../../support/fill-place.js'
import { arrived, expected, fillAndLeave, fillDraft, newFilled, statesOf } from '../../support/filling.js'
import { NewerProgram } from '../../support/newer-program.js'

const syncTag = 'sheaf-send'

describe.skipIf(hasNoBrowser)('by itself (needs Chromium on the PATH)', () => {
  const place = useFillPlace()
  const { line } = place
  const stored = () => arrived(place.app, place.ana, place.form.formId)
  const workerReady = (page: Page) =>
    page.evaluate('navigator.serviceWorker.ready.then(({ active }) => active.state)').then(() => undefined)

  /** As the browser does every day, and the page every hour. */
  const lookForNew = (page: Page) =>
    page.evaluate('navigator.serviceWorker.getRegistration().then((one) => one.update()).then(() => undefined)')

  /** Connections that are open would go on to the other one. */
  const change = (to: string) => {
    line.lead(to)
    line.cut()
    line.mend()
  }

  /** As the browser does it when there is a line, whether a page is open or not. */
  const wakeWorker = async (session: CDPSession) => {
    const registration = new Promise<string>((found) => {
      session.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
        const [first] = registrations
        if (first !== undefined) found(first.registrationId)
      })
    })
    await session.send('ServiceWorker.enable')
    const wake = { origin: line.address, registrationId: await registration, tag: syncTag, lastChance: false }
    await session.send('ServiceWorker.dispatchSyncEvent', wake)
  }

  it('the browser sends what waits by Background Sync, with its pictures, while no page of it is open', async () => {
    const page = await place.device.page('/f/outbox')
    await workerReady(page)
    const filled = newFilled(2)
    await fillDraft(page, place.form, newFilled(0))
    // A browser without a screen takes no wishes; that it is asked is seen here, and it is woken below.
    await page.evaluate(
      'window.tags = []; SyncManager.prototype.register = (tag) => { tags.push(tag); return Promise.resolve() }',
    )
    line.cut()
    await fillAndLeave(page, place.form, filled)
    await expect.poll(() => page.evaluate('tags')).toEqual([syncTag])
    line.mend()
    const other = await place.device.page('/favicon.svg')
    await page.close()
    await wakeWorker(await place.device.context.newCDPSession(other))
    await expect.poll(stored).toEqual([expected(filled, 'ana')])
    const outbox = await place.device.page('/f/outbox')
    await expect.poll(() => statesOf(outbox, 'ana')).toEqual(['draft', 'sent'])
  })

  it('without Background Sync it is sent when the line is back, or when somebody looks at the page again', async () => {
    const page = await place.device.page('/f/outbox')
    await workerReady(page)
    await fillDraft(page, place.form, newFilled(0))
    await page.evaluate('delete ServiceWorkerRegistration.prototype.sync')
    for (const wake of [
      "dispatchEvent(new Event('online'))",
      "document.dispatchEvent(new Event('visibilitychange'))",
    ]) {
      const filled = newFilled(1)
      line.cut()
      await fillAndLeave(page, place.form, filled)
      await page.waitForSelector('.filled.waiting')
      line.mend()
      await page.evaluate(wake)
      await page.waitForSelector('.filled.waiting', { state: 'detached' })
      expect((await stored()).find(({ name }) => name === filled.name)).toEqual(expected(filled, 'ana'))
    }
  })

  it('a new version of the program leaves the open page alone; the next load has it, and nothing is lost', async () => {
    const newer = await new NewerProgram(place.app.http.app.listeningOrigin).open()
    const page = await place.device.page(`/f/ana/${place.form.formId}`)
    const isNewer = () => page.locator('meta[name=program]').count()
    await workerReady(page)
    await page.fill('.odk-form input', 'Amina')
    await page.waitForURL(/[?&]draft=/)
    change(newer.address)
    await lookForNew(page)
    await page.waitForSelector('.bar button:has-text("New version")')
    await page.fill('.odk-form input', 'Amina and Ben')
    await expect.poll(() => statesOf(page, 'ana')).toEqual(['draft'])
    expect(await isNewer()).toBe(0)
    await page.reload()
    await expect.poll(isNewer).toBe(1)
    await page.waitForSelector('.odk-form input')
    expect(await page.inputValue('.odk-form input')).toBe('Amina and Ben')
    line.cut()
    await page.reload()
    await page.waitForSelector('.odk-form input')
    expect(await isNewer()).toBe(1)
    line.mend()
    await page.click('.odk-form button:has-text("Send")')
    await page.waitForSelector('.thanks.sent')
    expect(await stored()).toMatchObject([{ name: 'Amina and Ben', by: 'ana' }])
    change(place.app.http.app.listeningOrigin)
    newer.close()
  })

  it('where the new version does not take over the old page is shown: nobody is kept waiting for it', async () => {
    const newer = await new NewerProgram(place.app.http.app.listeningOrigin).open()
    newer.isStubborn = true
    const page = await place.device.page('/f/outbox')
    await workerReady(page)
    await page.waitForSelector('.bar')
    change(newer.address)
    await lookForNew(page)
    await page.waitForSelector('.bar button:has-text("New version")')
    await page.reload()
    await page.waitForSelector('.bar button:has-text("New version")')
    expect(await page.locator('meta[name=program]').count()).toBe(0)
    change(place.app.http.app.listeningOrigin)
    newer.close()
  })

  it('whoever wants the new version at once gets it by a press, in every tab that they press it in', async () => {
    const newer = await new NewerProgram(place.app.http.app.listeningOrigin).open()
    const [first, second] = [
      await place.device.page(`/f/ana/${place.form.formId}`),
      await place.device.page('/f/outbox'),
    ]
    await workerReady(first)
    await second.waitForSelector('.bar')
    await first.fill('.odk-form input', 'Amina')
    await first.waitForURL(/[?&]draft=/)
    change(newer.address)
    await lookForNew(second)
    await second.click('.bar button:has-text("New version")')
    await second.waitForSelector('meta[name=program]', { state: 'attached' })
    expect(await first.inputValue('.odk-form input')).toBe('Amina')
    await first.click('.bar button:has-text("New version")')
    await first.waitForSelector('meta[name=program]', { state: 'attached' })
    await first.waitForSelector('.odk-form input')
    expect(await first.inputValue('.odk-form input')).toBe('Amina')
    change(place.app.http.app.listeningOrigin)
    newer.close()
  })

  it('a tab that no worker serves hears of a new version too, takes it by a press, and sees when another tab has', async () => {
    const newer = await new NewerProgram(place.app.http.app.listeningOrigin).open()
    const first = await place.device.page('/f/outbox')
    await workerReady(first)
    const second = await place.device.page('/f/outbox')
    // As by Shift and Reload; a page that was asked for while the first worker began is such a one as well.
    for (const page of [first, second]) {
      const browser = await place.device.context.newCDPSession(page)
      const loaded = page.waitForEvent('load')
      await browser.send('Page.reload', { ignoreCache: true })
      await loaded
      await page.waitForSelector('.bar')
      expect(await page.evaluate('navigator.serviceWorker.controller')).toBeNull()
    }
    change(newer.address)
    await lookForNew(first)
    await first.waitForSelector('.bar button:has-text("New version")')
    for (const page of [second, first]) {
      await page.click('.bar button:has-text("New version")')
      await page.waitForSelector('meta[name=program]', { state: 'attached' })
    }
    change(place.app.http.app.listeningOrigin)
    newer.close()
  })

  it('the browser is asked to keep what lies in it, and what it says is told', async () => {
    const page = await place.device.page('/f/outbox')
    const browser = await place.device.context.newCDPSession(page)
    const set = (setting: 'denied' | 'granted') =>
      browser.send('Browser.setPermission', {
        permission: { name: 'persistent-storage' },
        setting,
        origin: line.address,
      })
    await set('denied')
    await page.reload()
    await page.click('.storage button')
    await page.waitForSelector('.storage [role=status]:has-text("The browser did not agree.")')
    await set('granted')
    await page.click('.storage button')
    await page.waitForSelector('.storage:has-text("The browser keeps this until you clear it yourself.")')
    expect(await page.evaluate('navigator.storage.persisted()')).toBe(true)
    expect(await page.locator('.storage button').count()).toBe(0)
  })
})
