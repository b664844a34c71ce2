// The page of the outbox as people see it: empty, full, failing, in both looks and in Arabic; and what signing out says of it.
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { hasNoBrowser } from '../../support/browser.js'
import { useWalk } from '../../support/walk.js'

const minute = 60_000

/** Rows as they lie in the browser. */
const rowsAt = (now: number) => {
  const row = {
    whose: 'ana',
    door: '/ana',
    formId: '1',
    formKey: 1,
    page: '/f/ana/1',
    name: '',
    deprecatedId: null,
    keptFiles: [],
    xml: '<data/>',
    language: '',
    tries: 0,
    nextAt: 0,
    notBefore: 0,
    sentFiles: [],
    isUncertain: false,
  }
  const made = [
    { state: 'draft', title: 'Household survey', name: 'Amina Yusuf, Kisumu' },
    { state: 'draft', title: 'استبيان الأسرة', name: 'بيت ٤' },
    {
      state: 'waiting',
      title: 'Water points',
      name: 'Pump 12',
      reason: { status: 0, message: '' },
      isUncertain: true,
      tries: 2,
      nextAt: now + 3 * minute,
    },
    {
      state: 'waiting',
      title: 'Water points',
      reason: { status: 503, message: 'The server is busy.' },
      tries: 1,
      nextAt: now + minute,
    },
    {
      state: 'unsigned',
      title: 'Market prices of the week, with a title that goes on for longer than a phone is wide',
      reason: { status: 401, message: '' },
    },
    {
      state: 'refused',
      title: 'Household survey',
      reason: { status: 405, message: 'This form is closed. It takes no more records.' },
    },
    {
      state: 'refused',
      title: 'Tree inventory',
      deprecatedId: 'uuid:1',
      reason: { status: 409, message: 'The record was changed meanwhile.' },
    },
    { state: 'sent', title: 'Household survey', name: 'Otieno' },
    { state: 'draft', title: 'Of Ben', whose: 'ben' },
  ]
  return made.map((more, at) => ({
    ...row,
    id: String(at),
    instanceId: `uuid:${at}`,
    madeAt: now,
    changedAt: now - at * 17 * minute,
    ...more,
  }))
}

const putRows = (page: Page) =>
  page.evaluate(`new Promise((resolve, reject) => {
    const opening = indexedDB.open('sheaf-fill')
    opening.onsuccess = () => {
      const change = opening.result.transaction('filled', 'readwrite')
      for (const row of ${JSON.stringify(rowsAt(Date.now()))}) change.objectStore('filled').put(row)
      change.oncomplete = () => { opening.result.close(); resolve() }
      change.onerror = reject
    }
  })`)

describe.skipIf(hasNoBrowser)('the outbox (needs Chromium on the PATH)', () => {
  const walk = useWalk()

  it('says that nothing waits, then shows drafts, what waits and why, and what was sent; signing out asks, keeps and forgets', async () => {
    const ana = await walk.app.account({ username: 'ana' })
    const page = await walk.as(ana, '/f/outbox')
    await page.waitForSelector('.empty')
    await walk.check(page)
    await walk.pictures(page, 'outbox-empty')
    // Nothing is sent while its rows are looked at.
    await page.route('**/submission', (route) => route.abort())
    await page.route('**/accounts/session', (route) =>
      route.request().method() === 'GET' ? route.abort() : route.continue(),
    )
    await putRows(page)
    await page.reload()
    await page.waitForSelector('.filled.refused')
    const words = await page.textContent('main')
    for (const said of [
      'Waits to be sent',
      'Drafts',
      'Sent lately',
      '1 form of somebody else',
      'The server says: This form is closed.',
    ])
      expect(words).toContain(said)
    expect(words).not.toContain('Of Ben')
    await walk.check(page, /ERR_FAILED/)
    await walk.pictures(page, 'outbox')
    await page.unroute('**/accounts/session')
    await page.goto('/')
    await page.click('header button[aria-label*="ana"]')
    await page.click('[role=menuitem]:has-text("Sign out")')
    await page.waitForSelector('[role=dialog]:has-text("7 filled forms have not been sent")')
    await page.click('[role=dialog] button.primary')
    await page.waitForURL((url) => url.pathname === '/')
    await page.waitForSelector('text=Sign in')
    await page.goto('/f/outbox')
    await page.waitForSelector('.notice:has-text("8 forms of other people")')
    expect(await page.$$('.filled')).toEqual([])
  })

  it('is installed by devices: a name, an address to start at, and icons that are there', async () => {
    const page = await walk.visitor('/f/outbox')
    const manifest = (await (await page.request.get('/f/manifest.webmanifest')).json()) as {
      start_url: string
      icons: { src: string; sizes: string }[]
    }
    expect(manifest).toMatchObject({ start_url: '/f/outbox', scope: '/f/', display: 'standalone' })
    for (const { src } of manifest.icons)
      expect((await page.request.get(src)).headers()['content-type']).toBe('image/png')
    expect(manifest.icons.map(({ sizes }) => sizes)).toEqual(['192x192', '512x512', '512x512'])
  })
})
