// Filling in without an account: by a public link, and by a key.
import { beforeAll, describe, expect, it } from 'vitest'
import type { Account } from '../../support/app.js'
import { hasNoBrowser } from '../../support/browser.js'
import { answer, formShown, namedSheet, send } from '../../support/fill.js'
import { type PublishedForm, publish } from '../../support/forms.js'
import { newKey, newLink } from '../../support/keys.js'
import { newProject } from '../../support/projects.js'
import { useWalk } from '../../support/walk.js'

describe.skipIf(hasNoBrowser)('links and keys in a browser (needs Chromium on the PATH)', () => {
  const walk = useWalk()
  let ana: Account
  let project: number
  let form: PublishedForm

  beforeAll(async () => {
    ana = await walk.app.account({ username: 'ana' })
    await walk.app.as(ana)('PATCH', '/profiles/ana', { body: { require_auth: true } })
    project = await newProject(walk.app, ana, { name: 'Villages' })
    form = await publish(walk.app, ana, namedSheet('visit'), { project })
  })

  const records = async (of = form) => (await walk.app.as(ana)('GET', `/data/${of.formid}`)).json()

  it('whoever has a link fills in its form without an account, until its limit is reached', async () => {
    const { token } = await newLink(walk.app, ana, form.formid, { limit: 1 })
    const page = await walk.visitor(`/f/${token}`)
    await formShown(page)
    await walk.pictures(page, 'fill-link')
    await formShown(page)
    await answer(page, 'Name', 'By link')
    await send(page)
    await page.waitForSelector('.thanks.sent')
    await walk.check(page)
    expect(await records()).toMatchObject([{ name: 'By link', _submitted_by: null }])
    await page.click('.thanks button')
    await page.waitForSelector('.refusal h2:has-text("This link takes no more answers")')
    await walk.check(page, /403/)
    await walk.picture(page, 'fill-link-over')
    expect(await records()).toHaveLength(1)
  })

  it('a limit that others reach meanwhile leaves what was typed in the outbox, and says why', async () => {
    const other = await publish(walk.app, ana, namedSheet('meanwhile'), { project })
    const { token } = await newLink(walk.app, ana, other.formid, { limit: 1 })
    const [first, second] = [await walk.visitor(`/f/${token}`), await walk.visitor(`/f/${token}`)]
    for (const page of [first, second]) await answer(page, 'Name', page === first ? 'First' : 'Second')
    await send(first)
    await first.waitForSelector('.thanks.sent')
    await send(second)
    await second.waitForSelector('.thanks.refused')
    await walk.check(second, /403/)
    await second.click('.thanks a[href="/f/outbox"]')
    await second.waitForSelector('text=Form meanwhile')
    expect(await records(other)).toMatchObject([{ name: 'First' }])
  })

  it('a link that ended, was withdrawn or never was, and a closed form, are told in words for people', async () => {
    const said = async (path: string) => {
      const page = await walk.visitor(path)
      const words = await page.locator('.refusal').innerText()
      await walk.check(page, /40[345]/)
      return words
    }
    const gone = await newLink(walk.app, ana, form.formid)
    expect((await walk.app.as(ana)('POST', `/keys/${gone.id}/revoke`)).statusCode).toBeLessThan(300)
    const over = await said(`/f/${gone.token}`)
    expect(over).toContain('This link takes no more answers')
    expect(await said('/f/neverwasalinkofthiskind')).not.toContain('Sign in')
    const closed = await publish(walk.app, ana, namedSheet('closed'), { project })
    const { token } = await newLink(walk.app, ana, closed.formid)
    await walk.app.as(ana)('PATCH', `/forms/${closed.formid}`, { body: { downloadable: false } })
    expect(await said(`/f/${token}`)).toContain('This form is closed')
  })

  it('a key lists its forms, and one of them is filled in by nobody, whoever is signed in beside it', async () => {
    const other = await publish(walk.app, ana, namedSheet('another'), { project })
    const { token } = await newKey(walk.app, ana, project, { forms: [form.formid, other.formid] })
    const page = await walk.as(ana, `/f/key/${token}`)
    await page.waitForSelector('.key a')
    expect(await page.locator('.key a').allInnerTexts()).toEqual(['Form another', 'Form visit'])
    await walk.check(page)
    await walk.pictures(page, 'fill-key')
    await page.click('.key a:has-text("Form another")')
    await formShown(page)
    await answer(page, 'Name', 'By key')
    await send(page)
    await page.waitForSelector('.thanks.sent')
    expect(await records(other)).toMatchObject([{ name: 'By key', _submitted_by: null }])
    expect(walk.faults(page)).toEqual([])
  })
})
