// One browser, several people: each finds what they began, and nobody what somebody else did.
import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Account } from '../../support/app.js'
import { hasNoBrowser } from '../../support/browser.js'
import { answer, formShown, namedSheet, question, send } from '../../support/fill.js'
import { type PublishedForm, publish } from '../../support/forms.js'
import { newProject } from '../../support/projects.js'
import { settled, useWalk } from '../../support/walk.js'

describe.skipIf(hasNoBrowser)('people who share a browser (needs Chromium on the PATH)', () => {
  const walk = useWalk()
  let [owner, ben] = [] as unknown as [Account, Account]
  let form: PublishedForm

  beforeAll(async () => {
    owner = await walk.app.account({ username: 'owner' })
    ben = await walk.app.account({ username: 'ben' })
    // Open to everybody.
    await walk.app.as(owner)('PATCH', '/profiles/owner', { body: { require_auth: false } })
    const project = await newProject(walk.app, owner, { name: 'Shared' })
    form = await publish(walk.app, owner, namedSheet('shared'), { project })
  })

  const become = async (page: Page, { username, password }: Account) => {
    await page.context().clearCookies()
    const made = await page.request.post('/accounts/session', { data: { username, password, stay: false } })
    expect(made.status()).toBe(200)
  }
  /** Their draft, and the address of it. */
  const begin = async (person: Account, name: string) => {
    const page = await walk.as(person, `/f/owner/${form.formid}`)
    await formShown(page)
    await answer(page, 'Name', name)
    await page.waitForURL(/draft=/)
    await page.waitForSelector('text=Kept')
    return { page, address: page.url() }
  }
  /** Nobody can be asked who is here. */
  const loseLine = (page: Page) => page.route('**/accounts/session', (route) => route.abort())
  const notes = (page: Page) =>
    page.evaluate(`new Promise((resolve) => {
      indexedDB.open('sheaf-fill').onsuccess = ({ target: { result } }) => {
        result.transaction('notes').objectStore('notes').get('person').onsuccess = (found) => {
          result.close()
          resolve(found.target.result)
        }
      }
    })`)

  it('whoever signed in last, on whichever page, is here without a line: nobody goes on with a draft of somebody before', async () => {
    const ana = await walk.app.account()
    const { page, address } = await begin(ana, 'Of Ana')
    await become(page, ben)
    await page.goto('/')
    await settled(page)
    await expect.poll(() => notes(page)).toBe('ben')
    await loseLine(page)
    await page.goto('/f/outbox')
    await page.waitForSelector('.notice:has-text("1 form of somebody else")')
    expect(await page.$$('.filled')).toEqual([])
    await page.goto(address)
    await page.waitForSelector('.refusal:has-text("This draft is somebody else’s")')
  })

  it('a session that has ended is said where it hides a draft, which opens by signing in; another form can be begun', async () => {
    const ana = await walk.app.account()
    const { page, address } = await begin(ana, 'Of Ana')
    await page.context().clearCookies()
    await page.goto(address)
    await page.waitForSelector('.refusal:has-text("This draft is somebody else’s")')
    await walk.check(page)
    await page.click('.refusal button:has-text("Fill in another")')
    await formShown(page)
    expect(await question(page, 'Name').locator('input').inputValue()).toBe('')
    await page.goto(address)
    await page.fill('.refusal input[autocomplete=username]', ana.username)
    await page.fill('.refusal input[type=password]', ana.password)
    await page.press('.refusal input[type=password]', 'Enter')
    await formShown(page)
    expect(await question(page, 'Name').locator('input').inputValue()).toBe('Of Ana')
  })

  it('what somebody typed on a full disk, who was never here before, is theirs when there is room', async () => {
    const ana = await walk.app.account()
    const page = await walk.as(ana, '/f/outbox')
    await page.evaluate(`indexedDB.deleteDatabase('sheaf-fill')`)
    const full = `if (!sessionStorage.hasRoom) IDBObjectStore.prototype.put = () => { throw new DOMException('full', 'QuotaExceededError') }`
    await page.addInitScript(full)
    await page.goto(`/f/owner/${form.formid}`)
    await formShown(page)
    await answer(page, 'Name', 'Precious')
    await page.evaluate('sessionStorage.hasRoom = true')
    await page.reload()
    await formShown(page)
    expect(await question(page, 'Name').locator('input').inputValue()).toBe('Precious')
  })

  it('nobody fills in a form as nobody while the server is too busy to say who they are', async () => {
    const page = await walk.as(await walk.app.account(), '/f/outbox')
    await page.evaluate(`indexedDB.deleteDatabase('sheaf-fill')`)
    await page.route('**/accounts/session', (route) =>
      route.fulfill({ status: 503, headers: { 'retry-after': '600' } }),
    )
    await page.goto(`/f/owner/${form.formid}`)
    await page.waitForSelector('.refusal:has-text("The server is busy")')
    await page.unroute('**/accounts/session')
    await page.click('.refusal button.primary')
    await formShown(page)
  })

  it('an address of what was finished says what became of it', async () => {
    const ana = await walk.app.account()
    const { page, address } = await begin(ana, 'Sent before')
    await send(page)
    await page.waitForSelector('.thanks.sent')
    await page.goto(address)
    await page.waitForSelector('.thanks.sent')
    await page.click('.thanks button:has-text("Fill in another")')
    await formShown(page)
    await answer(page, 'Name', 'On its way')
    await page.waitForURL(/draft=/)
    const second = page.url()
    // The answer is lost: it may have arrived, and is not opened again.
    await page.route('**/submission', (route) => route.abort())
    await send(page)
    await page.waitForSelector('.thanks.waiting')
    await page.goto(second)
    await page.waitForSelector('.thanks.waiting')
    await page.unroute('**/submission')
    await page.evaluate("dispatchEvent(new Event('online'))")
    await page.waitForSelector('.thanks.sent')
  })

  it('a changed name keeps its drafts; whoever registers the old one finds nothing of them', async () => {
    const ana = await walk.app.account({ username: 'before' })
    const { page } = await begin(ana, 'Of the same person')
    const renamed = await walk.app.as(ana)('PATCH', '/profiles/before', { body: { username: 'after' } })
    expect(renamed.statusCode).toBe(200)
    const other = await walk.app.account({ username: 'before', email: 'other@example.org' })
    await become(page, other)
    await page.goto('/f/outbox')
    await page.waitForSelector('.notice:has-text("1 form of somebody else")')
    expect(await page.$$('.filled')).toEqual([])
    await become(page, { ...ana, username: 'after' })
    await page.goto('/f/outbox')
    await page.click('.filled a:has-text("Go on")')
    await formShown(page)
    expect(await question(page, 'Name').locator('input').inputValue()).toBe('Of the same person')
    await send(page)
    await page.waitForSelector('.thanks.sent')
    const stored = (await walk.app.as(owner)('GET', `/data/${form.formid}`)).json()
    expect(stored).toContainEqual(expect.objectContaining({ name: 'Of the same person', _submitted_by: 'after' }))
  })

  it('whoever gives their own account another name goes on with drafts of their own forms; what waits arrives by the number of its form', async () => {
    const ana = await walk.app.account({ username: 'oldname' })
    const own = await publish(walk.app, ana, namedSheet('own'))
    const page = await walk.as(ana, `/f/oldname/${own.formid}`)
    const fill = async (name: string) => {
      await formShown(page)
      await answer(page, 'Name', name)
      await page.waitForURL(/draft=/)
      await page.waitForSelector('text=Kept')
    }
    await fill('Waiting')
    await page.route('**/accounts/session', (route) => route.abort())
    await send(page)
    await page.waitForSelector('.thanks.waiting')
    await page.unroute('**/accounts/session')
    await page.click('.thanks button:has-text("Fill in another")')
    await fill('Draft')
    await walk.app.as(ana)('PATCH', '/profiles/oldname', { body: { username: 'newname' } })
    // Somebody else has the old name, and a form of the same id that takes from everybody.
    const other = await walk.app.account({ username: 'oldname', email: 'second@example.org' })
    const others = await publish(walk.app, other, namedSheet('own'))
    await become(page, { ...ana, username: 'newname' })
    await page.goto('/f/outbox')
    await page.click('.filled.draft a:has-text("Go on")')
    await formShown(page)
    expect(new URL(page.url()).pathname).toBe(`/f/newname/${own.formid}`)
    await send(page)
    await page.waitForSelector('.thanks.sent')
    const names = async (person: Account, { formid }: PublishedForm): Promise<string[]> =>
      (await walk.app.as(person)('GET', `/data/${formid}`)).json().map(({ name }: { name: string }) => name)
    await expect.poll(async () => (await names(ana, own)).sort()).toEqual(['Draft', 'Waiting'])
    expect(await names(other, others)).toEqual([])
  })

  it('a sign-out that fails forgets nobody', async () => {
    const ana = await walk.app.account()
    const page = await walk.as(ana, '/')
    await expect.poll(() => notes(page)).toBe(ana.username)
    await page.route('**/accounts/session', (route) =>
      route.request().method() === 'DELETE' ? route.abort() : route.continue(),
    )
    await page.click(`header button[aria-label*="${ana.username}"]`)
    await page.click('[role=menuitem]:has-text("Sign out")')
    await page.waitForSelector('.toast')
    expect(await notes(page)).toBe(ana.username)
    await page.unroute('**/accounts/session')
    await page.click(`header button[aria-label*="${ana.username}"]`)
    await page.click('[role=menuitem]:has-text("Sign out")')
    await page.waitForSelector('text=Sign in')
    await expect.poll(() => notes(page)).toBe('')
  })
})
