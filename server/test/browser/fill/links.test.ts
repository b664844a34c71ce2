// Filling in without an account: by a public link, and by a key.
import { readFile } from 'node:fs/promises'
import type { Download } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Account } from '../../support/app.js'
import { hasNoBrowser } from '../../support/browser.js'
import { unzipped } from '../../support/data.js'
import { answer, formShown, namedSheet, send } from '../../support/fill.js'
import { type PublishedForm, publish } from '../../support/forms.js'
import { newKey, newLink, sendBy } from '../../support/keys.js'
import { newProject } from '../../support/projects.js'
import { instance } from '../../support/submissions.js'
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

  const inAMinute = () => new Date(walk.app.deps.clock.now().getTime() + 60_000).toISOString()
  const contentOf = async (download: Download) =>
    String((await unzipped(await readFile(await download.path()))).get('submission.xml'))
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
    await page.waitForSelector('.refusal h2:has-text("This link has all its answers")')
    await walk.check(page, /403/)
    await walk.picture(page, 'fill-link-over')
    expect(await records()).toHaveLength(1)
  })

  it('over plain http from another machine a form opens, is kept, comes back after a reload and is sent', async () => {
    const afar = await publish(walk.app, ana, namedSheet('afar'), { project })
    const { token } = await newLink(walk.app, ana, afar.formid)
    const page = await walk.visitor(`/f/${token}`, walk.fromAfar)
    expect(await page.evaluate('isSecureContext')).toBe(false)
    await formShown(page)
    await answer(page, 'Name', 'From afar')
    await page.waitForURL(/draft=/)
    await page.reload()
    await formShown(page)
    await send(page)
    await page.waitForSelector('.thanks.sent')
    // A header that browsers heed over https alone.
    expect(walk.faults(page, /Cross-Origin-Opener-Policy/)).toEqual([])
    expect(await records(afar)).toMatchObject([{ name: 'From afar' }])
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
    expect(await second.innerText('.thanks')).toContain('has taken all its answers')
    expect(await second.locator('.thanks button:has-text("Fill in another")').count()).toBe(0)
    const [download] = await Promise.all([second.waitForEvent('download'), second.click('.thanks button')])
    expect(await contentOf(download)).toContain('<name>Second</name>')
    await walk.check(second, /403/)
    await second.click('.thanks a[href="/f/outbox"]')
    await second.waitForSelector('text=Form meanwhile')
    expect(await records(other)).toMatchObject([{ name: 'First' }])
  })

  it('a link that has ended, was withdrawn or never was, and a closed form, are told each in its own words', async () => {
    const said = async (path: string) => {
      const page = await walk.visitor(path)
      const words = await page.locator('.refusal').innerText()
      await walk.check(page, /40[345]/)
      return words
    }
    const gone = await newLink(walk.app, ana, form.formid)
    expect((await walk.app.as(ana)('POST', `/keys/${gone.id}/revoke`)).statusCode).toBeLessThan(300)
    expect(await said(`/f/${gone.token}`)).toContain('This link was withdrawn')
    const ended = await newLink(walk.app, ana, form.formid, { expires_at: inAMinute() })
    walk.app.wait(61)
    expect(await said(`/f/${ended.token}`)).toContain('This link has ended')
    const never = await said('/f/neverwasalinkofthiskind')
    expect(never).toContain('This link leads nowhere')
    expect(never).not.toContain('Sign in')
    const closed = await publish(walk.app, ana, namedSheet('closed'), { project })
    const { token } = await newLink(walk.app, ana, closed.formid)
    await walk.app.as(ana)('PATCH', `/forms/${closed.formid}`, { body: { downloadable: false } })
    expect(await said(`/f/${token}`)).toContain('This form is closed')
  })

  it('a link that ends while somebody types is told to them; what they typed is kept, downloaded, and found again', async () => {
    const other = await publish(walk.app, ana, namedSheet('ending'), { project })
    const limit = await newLink(walk.app, ana, other.formid, { limit: 1 })
    const time = await newLink(walk.app, ana, other.formid, { expires_at: inAMinute() })
    const withdrawn = await newLink(walk.app, ana, other.formid)
    const ends = [
      { link: time, title: 'This link has ended', end: () => walk.app.wait(61) },
      {
        link: withdrawn,
        title: 'This link was withdrawn',
        end: () => walk.app.as(ana)('POST', `/keys/${withdrawn.id}/revoke`),
      },
      {
        link: limit,
        title: 'This link has all its answers',
        end: () => sendBy(walk.app, limit, instance(other, '<name>Other</name>')),
      },
    ]
    for (const { link, title, end } of ends) {
      const page = await walk.visitor(`/f/${link.token}`)
      await formShown(page)
      await answer(page, 'Name', title)
      await page.waitForURL(/[?&]draft=/)
      await end()
      await page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
      await page.waitForSelector(`.before .notice.fault:has-text("${title}")`)
      await walk.check(page, /403/)
      await walk.picture(page, `fill-link-ends-${link.id}`)
      const [download] = await Promise.all([page.waitForEvent('download'), page.click('.before .notice.fault button')])
      expect(await contentOf(download)).toContain(`<name>${title}</name>`)
      await page.reload()
      await page.waitForSelector(`.refusal h2:has-text("${title}")`)
      await page.click('.refusal a[href="/f/outbox"]')
      await page.waitForSelector('.filled.draft:has-text("Form ending")')
    }
    expect(await records(other)).toMatchObject([{ name: 'Other' }])
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
