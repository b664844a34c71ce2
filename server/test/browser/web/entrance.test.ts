// The pages before the door: what this server is, signing in and out, registering, a new password, verifying an address.
import { describe, expect, it } from 'vitest'
import { hasNoBrowser } from '../../support/browser.js'
import { quiet, useWalk } from '../../support/walk.js'

describe.skipIf(hasNoBrowser)('before the door (needs Chromium on the PATH)', () => {
  const walk = useWalk()

  it.each([
    ['welcome', '/'],
    ['signin', '/signin'],
    ['register', '/register?email=ben@example.org'],
    ['reset', '/reset'],
    ['new-password', '/reset?uid=x&token=y&username=ana'],
    ['verify', '/verify?verification_key=x'],
    ['invitation', '/invitation?email=ben@example.org'],
    ['not-found', '/orgs/of/nothing/at/all'],
  ])('%s has no serious fault in either look, and leaves for no other host', async (name, path) => {
    await walk.app.account()
    const page = await walk.visitor(path)
    await walk.check(page)
    await walk.pictures(page, name)
  })

  it('a person registers and is signed in; in Arabic the page runs from right to left', async () => {
    const page = await walk.visitor('/register', { locale: 'ar' })
    expect(await page.getAttribute('html', 'dir')).toBe('rtl')
    await page.fill('[name=name]', 'ديما حداد')
    await page.fill('[name=username]', 'dima')
    await page.fill('[name=email]', 'nowhere')
    await page.fill('[name=new-password]', 'a long password')
    await page.evaluate("document.querySelector('form').noValidate = true")
    await page.press('[name=email]', 'Enter')
    // What is wrong stands beside its field, and what was typed stays.
    await page.waitForSelector('[name=email][aria-invalid=true]')
    expect(await page.inputValue('[name=new-password]')).toBe('a long password')
    await page.fill('[name=email]', 'dima@example.org')
    await page.press('[name=email]', 'Enter')
    await page.waitForURL(`${walk.address}/`)
    await page.waitForSelector('header .avatar')
    expect(walk.faults(page, /400/)).toEqual([])
  })

  it('a wrong password is said in words and keeps the name; the right one leads to where the way began', async () => {
    const ana = await walk.app.account()
    const page = await walk.visitor(`/signin?next=${encodeURIComponent('/orgs/x?tab=1')}`)
    await page.fill('[name=username]', ana.username)
    await page.fill('[name=password]', 'wrong')
    await page.press('[name=password]', 'Enter')
    await page.waitForSelector('[role=alert]')
    expect(await page.inputValue('[name=username]')).toBe(ana.username)
    await page.fill('[name=password]', ana.password)
    await page.press('[name=password]', 'Enter')
    await page.waitForURL(`${walk.address}/orgs/x?tab=1`)
  })

  it('a lost password is replaced by the link of the mail, which works once', async () => {
    const ana = await walk.app.account()
    const page = await walk.visitor('/reset')
    await page.fill('[name=email]', ana.email)
    await page.press('[name=email]', 'Enter')
    await page.waitForSelector('.notice.good')
    const [mail] = await walk.app.mailsTo(ana.email)
    const link = /http:\/\/\S+/.exec(mail?.text ?? '')?.[0] ?? ''
    expect(link).toContain(`${walk.address}/reset?`)
    await page.goto(link)
    await page.fill('[name=new-password]', 'another long password')
    await page.press('[name=new-password]', 'Enter')
    await page.waitForURL(`${walk.address}/`)
    await page.goto(link)
    await page.fill('[name=new-password]', 'a third long password')
    await page.press('[name=new-password]', 'Enter')
    await page.waitForSelector('[role=alert]')
  })

  it('signing out in one tab signs out in the other', async () => {
    const ana = await walk.app.account()
    const page = await walk.as(ana)
    const other = await walk.tab(page)
    await page.click('header .avatar')
    await page.click('[role=menuitem]:last-child')
    await page.waitForSelector('a[href="/signin"]')
    // They may sign in again there; whoever does not leaves the page.
    await other.waitForSelector('[role=dialog] [name=password]')
    await other.click('[role=dialog] button[aria-label="Close"]')
    await other.waitForSelector('a[href="/signin"]')
    await quiet(other)
  })
})
