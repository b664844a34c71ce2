// Where the links of mails lead: an invitation is accepted with the account that is signed in, or with a new one.
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import type { Account } from '../../support/app.js'
import { hasNoBrowser } from '../../support/browser.js'
import { settled, useWalk } from '../../support/walk.js'

describe.skipIf(hasNoBrowser)('links of mails (needs Chromium on the PATH)', () => {
  const walk = useWalk()

  const invite = async (by: Account, email: string) => {
    const { projectid } = (await walk.app.as(by)('POST', '/projects', { body: { name: `Wells for ${email}` } })).json()
    const body = { email, role: 'editor' }
    const { id } = (await walk.app.as(by)('POST', `/projects/${projectid}/invitations`, { body })).json()
    const [mail] = await walk.app.mailsTo(email)
    return { projectid, id, link: mail?.link?.href ?? '' }
  }
  const isShared = async (projectid: number, page: Page) =>
    (await page.request.get(`/api/v1/projects/${projectid}`, { headers: { 'sec-fetch-site': 'same-origin' } })).status()

  it('whoever has no account makes one with the invited address, and the project is shared with them', async () => {
    const { projectid, link } = await invite(await walk.app.account(), 'new.one@example.org')
    const page = await walk.visitor(link)
    await page.waitForSelector('.offer')
    await walk.check(page)
    await walk.pictures(page, 'invitation-offer')
    await page.click('main .button.primary')
    await page.waitForURL(/\/register/)
    expect(await page.inputValue('[name=email]')).toBe('new.one@example.org')
    await page.fill('[name=name]', 'New One')
    await page.fill('[name=username]', 'newone')
    await page.fill('[name=new-password]', 'a long password')
    await page.press('[name=new-password]', 'Enter')
    await page.waitForURL(/\/invitation/)
    await page.waitForSelector('.notice.good')
    await page.click('main .button.primary')
    await page.waitForURL(new RegExp(`/projects/${projectid}$`))
    expect(await isShared(projectid, page)).toBe(200)
  })

  it('whoever is signed in accepts by one press, whatever their address; a link that was taken back says so', async () => {
    const [ana, ben] = [await walk.app.account(), await walk.app.account()]
    const { projectid, link } = await invite(ana, 'ben.at.work@example.org')
    const page = await walk.as(ben, new URL(link).pathname + new URL(link).search)
    await page.waitForSelector('.offer')
    await page.click('main .button.primary')
    await page.waitForURL(new RegExp(`/projects/${projectid}$`))
    expect(await isShared(projectid, page)).toBe(200)
    const other = await invite(ana, 'nobody.yet@example.org')
    const body = { invitation_id: other.id }
    await walk.app.as(ana)('POST', `/projects/${other.projectid}/revoke-invitation`, { body })
    await page.goto(other.link)
    await page.waitForSelector('.notice.warn')
    await settled(page)
    await walk.check(page, /404/)
  })
})
