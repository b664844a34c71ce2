// Phones without accounts: a key is made, its code is what a phone reads, it is renewed, stopped and deleted; links of a form are
// given away.
import jsQR from 'jsqr'
import type { Page } from 'playwright-core'
import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { decodeSettings } from '../../../src/formats/collect-settings/index.js'
import { hasNoBrowser } from '../../support/browser.js'
import { publish } from '../../support/forms.js'
import { fetchBy, type KeyBody, sendBy } from '../../support/keys.js'
import { newProject, share } from '../../support/projects.js'
import { instance } from '../../support/submissions.js'
import { useWalk } from '../../support/walk.js'

/** What a camera in front of the page reads. */
const scan = async (page: Page): Promise<string | undefined> => {
  const code = page.locator('[role=dialog] img.code')
  await expect
    .poll(() => code.evaluate((image: HTMLImageElement) => image.complete && image.naturalWidth > 0))
    .toBe(true)
  const shot = sharp(await code.screenshot()).resize(900, 900)
  const { data, info } = await shot.ensureAlpha().raw().toBuffer({ resolveWithObject: true })
  const read = jsQR.default(new Uint8ClampedArray(data), info.width, info.height)
  return read === null ? undefined : String(decodeSettings(read.data).general.server_url)
}

const addressIn = (page: Page) => page.locator('[role=dialog] input[readonly]').inputValue()

describe.skipIf(hasNoBrowser)('phones without accounts (needs Chromium on the PATH)', () => {
  const walk = useWalk()

  it('a manager makes a key, a phone that scans it works, and stops when the key does; others are told that it is not theirs', async () => {
    const [ana, rita] = [await walk.app.account({ username: 'ana' }), await walk.app.account({ username: 'rita' })]
    const project = await newProject(walk.app, ana, { name: 'Clinics' })
    const form = await publish(walk.app, ana, undefined, { project })
    await share(walk.app, ana, project, 'rita', 'editor')

    const page = await walk.as(ana, `/projects/${project}/phones`)
    await page.waitForSelector('h2:has-text("No phone has a key yet")')
    await walk.check(page)
    await walk.pictures(page, 'phones-empty')
    await page.click('.empty button:has-text("New key")')
    // Without a name it is told at the field.
    await page.click('[role=dialog] button:has-text("Make the key")')
    await page.waitForSelector('[role=dialog] [name=name][aria-invalid=true]')
    await walk.check(page, /400/)
    await page.fill('[role=dialog] [name=name]', 'Tablet 7')
    await page.click('[role=dialog] button:has-text("Make the key")')
    await page.waitForSelector('[role=dialog] img.code')
    const address = await addressIn(page)
    expect(await scan(page)).toBe(address)
    await walk.check(page, /400/)
    await walk.picture(page, 'phones-key')
    const token = address.split('/').at(-1) ?? ''
    expect((await fetchBy(walk.app, { token }, '/formList')).body).toContain('xform')
    expect(
      (await sendBy(walk.app, { token }, instance(form, '<name>A</name>'), { deviceId: 'collect:one' })).statusCode,
    ).toBe(201)
    expect(
      (await sendBy(walk.app, { token }, instance(form, '<name>B</name>'), { deviceId: 'collect:two' })).statusCode,
    ).toBe(201)

    // A new code is another address; the old one is dead at once.
    await page.click('[role=dialog] button:has-text("New code")')
    await page.click('[role=dialog] button.danger:has-text("New code")')
    await page.waitForSelector('.toast:has-text("has a new code")')
    await expect.poll(() => addressIn(page)).not.toBe(address)
    expect(await scan(page)).toBe(await addressIn(page))
    expect((await fetchBy(walk.app, { token }, '/formList')).statusCode).toBe(403)

    await page.click('[role=dialog] button:has-text("Stop")')
    await page.click('[role=dialog] button.danger.primary:has-text("Stop")')
    await page.waitForSelector('[role=dialog] .chip:has-text("Stopped")')
    expect(await page.locator('[role=dialog] img.code').count()).toBe(0)
    await page.click('[role=dialog] button:has-text("Delete")')
    await page.click('[role=dialog] button.danger.primary:has-text("Delete")')
    await page.waitForSelector('h2:has-text("No phone has a key yet")')

    const other = await walk.as(rita, `/projects/${project}/phones`)
    await other.waitForSelector('main :text("This is not open to you")')
    expect(await other.locator('button:has-text("New key")').count()).toBe(0)
  })

  it('several keys are a list that says which were copied, and one sheet to print', async () => {
    const ana = await walk.app.account()
    const project = await newProject(walk.app, ana, { name: 'Schools <b>' })
    const form = await publish(walk.app, ana, undefined, { project })
    const names = ['Tablet 1', 'هاتف ليلى', 'T'.repeat(100)]
    const keys: KeyBody[] = []
    for (const name of names) {
      keys.push((await walk.app.as(ana)('POST', `/projects/${project}/keys`, { body: { name } })).json())
    }
    const [first] = keys
    if (first === undefined) throw new Error('No key was made.')
    for (const deviceId of ['collect:one', 'collect:two']) {
      await sendBy(walk.app, first, instance(form, '<name>A</name>'), {
        deviceId,
        agent: 'org.odk.collect.android/v2026.2.1 Dalvik',
      })
    }
    await expect.poll(async () => (await walk.app.as(ana)('GET', `/keys/${first.id}`)).json().devices.length).toBe(2)
    const page = await walk.as(ana, `/projects/${project}/phones`)
    await page.waitForSelector('.line:has-text("Tablet 1") .chip:has-text("2 devices")')
    expect(await page.locator('.line').count()).toBe(3)
    await walk.check(page)
    await walk.pictures(page, 'phones')
    await page.click('.line:has-text("Tablet 1")')
    await page.waitForSelector('[role=dialog] li:has-text("collect:one"):has-text("Collect v2026.2.1")')
    await page.keyboard.press('Escape')
    const [sheet] = await Promise.all([
      page.context().waitForEvent('page'),
      page.click('a:has-text("Print all codes")'),
    ])
    await sheet.waitForSelector('.codes li:has-text("Tablet 1") svg')
    expect(await sheet.locator('.codes li').count()).toBe(3)
    await walk.picture(sheet, 'phones-sheet')
  })

  it('a link is made for a form, with its limit, and shows how much of it is taken', async () => {
    const ana = await walk.app.account()
    const form = await publish(walk.app, ana)
    const page = await walk.as(ana, `/forms/${form.formid}/collect`)
    await page.click('button:has-text("New link")')
    await page.fill('[role=dialog] [name=name]', 'Poster at the market')
    await page.fill('[role=dialog] input[type=number]', '2')
    await page.click('[role=dialog] button:has-text("Make the link")')
    await page.waitForSelector('[role=dialog] img.code')
    const address = await addressIn(page)
    expect(await scan(page)).toBe(address)
    const token = address.split('/').at(-1) ?? ''
    expect((await sendBy(walk.app, { token }, instance(form, '<name>A</name>'))).statusCode).toBe(201)
    await page.keyboard.press('Escape')
    await page.reload()
    await page.waitForSelector('.links li:has-text("Poster at the market"):has-text("1 of 2 records")')
    await walk.check(page)
    await walk.pictures(page, 'links')
  })
})
