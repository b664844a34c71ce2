// What the server says to what is sent, each in words for people, with what helps. The answers are the server's own.
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, describe, expect, it } from 'vitest'
import { hasNoBrowser } from '../../support/browser.js'
import { smallDisk } from '../../support/disk.js'
import { useFillPlace } from '../../support/fill-place.js'
import { arrived, expected, fillAndSend, type Kept, listKept, newFilled } from '../../support/filling.js'
import { newKey } from '../../support/keys.js'
import { share } from '../../support/projects.js'
import { instance } from '../../support/submissions.js'

const disk = smallDisk('24m')
const requestsPerAddress = 3

describe.skipIf(hasNoBrowser)('answers to what is sent (needs Chromium on the PATH)', () => {
  const place = useFillPlace({
    LARGEST_POST: '10000000',
    CREDENTIAL_REQUESTS_PER_ADDRESS: String(requestsPerAddress),
    FILES_URL: disk.folder,
  })
  afterAll(() => disk.remove())
  const { app } = place
  const stored = () => arrived(app, place.ana, place.form.formId)
  const said = (page: Page, state: string) => page.innerText(`.filled.${state} .why`)
  const projectOf = async () => {
    const { project } = (await app.as(place.ana)('GET', `/forms/${place.form.formId}`)).json()
    return Number(/(\d+)$/.exec(project)?.[1])
  }
  /** A form whose one file has so many bytes. */
  const sendLarge = (page: Page, bytes: number): Promise<Kept> =>
    page.evaluate(`(async () => {
      const keep = await import('/keep.js')
      const { form } = await keep.openForm({ door: '/ana', formId: '${place.form.formId}', whose: 'ana' })
      const keeper = await keep.startDraft(form, { whose: 'ana', page: '/f/ana/${place.form.formId}' })
      const xml = ${JSON.stringify(instance({ id_string: place.form.idString, version: place.form.version }, '<name>large</name><photos><photo>a.png</photo></photos>'))}
      const files = [{ name: 'a.png', blob: new Blob([new Uint8Array(${bytes}).fill(7)], { type: 'image/png' }) }]
      return (await keep.finish(keeper, { xml, files })).sent
    })()`)

  it('403 for somebody who may not send: kept, with whom to ask, and sent once they may', async () => {
    const ben = await app.account()
    const project = await projectOf()
    await app.as(place.ana)('PATCH', '/profiles/ana', { body: { require_auth: true } })
    await share(app, place.ana, project, ben.username, 'dataentry')
    await place.device.signIn(ben)
    const page = await place.device.page('/f/outbox')
    const form = { ...place.form, whose: ben.username }
    await fillAndSend(page, form, newFilled(0))
    await share(app, place.ana, project, ben.username, 'readonly')
    const filled = newFilled(1)
    expect(await fillAndSend(page, form, filled)).toMatchObject({ state: 'refused', reason: { status: 403 } })
    await page.waitForSelector('.filled.refused')
    expect(await said(page, 'refused')).toContain('You may not send to this form.')
    await share(app, place.ana, project, ben.username, 'dataentry')
    await page.click('.filled.refused button:has-text("Send now")')
    const own = async () => (await stored()).find(({ name }) => name === filled.name)
    await expect.poll(own).toEqual(expected(filled, ben.username))
    await app.as(place.ana)('PATCH', '/profiles/ana', { body: { require_auth: false } })
  })

  it('403 of a key that was revoked: kept, and can be downloaded and opened', async () => {
    const key = await newKey(app, place.ana, await projectOf(), { forms: [place.form.formId] })
    const page = await place.device.page('/f/outbox')
    const byKey = { ...place.form, door: `/key/${key.token}`, whose: '' }
    await fillAndSend(page, byKey, newFilled(0))
    const revoke = `await fetch('/revoke')`
    await page.route('**/revoke', async (route) => {
      await app.as(place.ana)('POST', `/keys/${key.id}/revoke`)
      await route.fulfill({ body: '' })
    })
    const sent = (await page.evaluate(`(async () => {
      const keep = await import('/keep.js')
      const { form } = await keep.openForm({ door: '${byKey.door}', formId: '${place.form.formId}', whose: '' })
      const keeper = await keep.startDraft(form, { whose: '', page: '/f${byKey.door}/${place.form.formId}' })
      ${revoke}
      const xml = ${JSON.stringify(instance({ id_string: place.form.idString, version: place.form.version }, '<name>by key</name>'))}
      return (await keep.finish(keeper, { xml, files: [] })).sent
    })()`)) as Kept
    expect(sent).toMatchObject({ state: 'refused', isUncertain: false, reason: { status: 403, end: 'withdrawn' } })
    await page.waitForSelector('.filled.refused')
    expect(await said(page, 'refused')).toContain('was withdrawn')
    expect(await page.locator('.filled.refused [aria-label^="Open"]').count()).toBe(1)
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.click('.filled.refused button[aria-label^="Download"]'),
    ])
    expect(await download.failure()).toBeNull()
  })

  it('403 and 404 of a network before the server: neither a refusal nor a form that is gone; it waits, and arrives', async () => {
    const page = await place.device.page('/f/outbox')
    await fillAndSend(page, place.form, newFilled(0))
    const portal = '<html><body>Sign in to this network</body></html>'
    await page.route(/\/submission$|\/forms\/|\/formList|xformsManifest/, (route) =>
      route.fulfill({ status: 403, contentType: 'text/html', body: portal }),
    )
    const filled = newFilled(0)
    expect(await fillAndSend(page, place.form, filled)).toMatchObject({ state: 'waiting', reason: { status: 403 } })
    await page.waitForSelector('.filled.waiting')
    expect(await said(page, 'waiting')).toContain('It is tried again by itself.')
    await page.unroute(/\/submission$|\/forms\/|\/formList|xformsManifest/)
    await page.click('.filled.waiting button:has-text("Send now")')
    await expect.poll(async () => (await stored()).map(({ name }) => name)).toContain(filled.name)
  })

  it('405 and 409 say that the form is closed, and that somebody else was faster', async () => {
    const page = await place.device.page('/f/outbox')
    await fillAndSend(page, place.form, newFilled(0))
    const [{ _uuid: uuid }] = (await app.as(place.ana)('GET', `/data/${place.form.formId}`)).json()
    const edit = (name: string) =>
      page.evaluate(`(async () => {
        const keep = await import('/keep.js')
        const { form } = await keep.openForm({ door: '/ana', formId: '${place.form.formId}', whose: 'ana' })
        const keeper = await keep.startDraft(form, { whose: 'ana', page: '/f/ana/x', deprecatedId: 'uuid:${uuid}' })
        const xml = ${JSON.stringify(instance({ id_string: place.form.idString, version: place.form.version }, `<name>NAME</name>`))}.replace('NAME', '${name}')
        return (await keep.finish(keeper, { xml, files: [] })).sent
      })()`)
    await edit('one')
    expect(await edit('two')).toMatchObject({ state: 'refused', reason: { status: 409 } })
    await page.waitForSelector('.filled.refused')
    expect(await said(page, 'refused')).toContain('Somebody else has changed this record meanwhile.')
    await page.click('.filled.refused button[aria-label^="Discard"]')
    await page.waitForSelector('.filled.refused', { state: 'detached' })
    await app.as(place.ana)('PATCH', `/forms/${place.form.formId}`, { body: { downloadable: false } })
    // It was opened before the form was closed.
    const closed = (await page.evaluate(`(async () => {
      const keep = await import('/keep.js')
      const [row] = await keep.listFilled('ana')
      const form = await keep.formOfDraft(row)
      const keeper = await keep.startDraft(form, { whose: 'ana', page: row.page })
      const xml = ${JSON.stringify(instance({ id_string: place.form.idString, version: place.form.version }, '<name>late</name>'))}
      return (await keep.finish(keeper, { xml, files: [] })).sent
    })()`)) as Kept
    expect(closed).toMatchObject({ state: 'refused', reason: { status: 405 } })
    await page.waitForSelector('.filled.refused')
    expect(await said(page, 'refused')).toContain('The form is closed for now.')
  })

  it('413 for a file that is larger than the server takes: kept, and what helps is said', async () => {
    const page = await place.device.page('/f/outbox')
    expect(await sendLarge(page, 10_500_000)).toMatchObject({
      state: 'refused',
      isUncertain: false,
      reason: { status: 413 },
    })
    await page.waitForSelector('.filled.refused')
    expect(await said(page, 'refused')).toContain('It is too large for this server. Open it and take out')
    expect(await page.locator('.filled.refused a:has-text("Open")').count()).toBe(1)
    expect(await stored()).toEqual([])
  })

  it('429 waits as long as the server says, is told, and goes on by itself', async () => {
    for (let time = 0; time <= requestsPerAddress; time += 1) {
      await app.page('GET', `/key/guess${time}/formList`, { from: '127.0.0.1' })
    }
    const page = await place.device.page('/f/outbox')
    const guess = { door: '/key/nobodywasevergiventhis', formId: place.form.formId }
    const kept = (await page.evaluate(`(async () => {
      const keep = await import('/keep.js')
      const { form } = await keep.openForm({ door: '/ana', formId: '${place.form.formId}', whose: 'ana' })
      const keeper = await keep.startDraft({ ...form, door: '${guess.door}' }, { whose: '', page: '/f${guess.door}/${guess.formId}' })
      const xml = ${JSON.stringify(instance({ id_string: place.form.idString, version: place.form.version }, '<name>x</name>'))}
      return (await keep.finish(keeper, { xml, files: [] })).sent
    })()`)) as Kept & { notBefore: number }
    expect(kept).toMatchObject({ state: 'waiting', isUncertain: false, reason: { status: 429 } })
    expect(kept.notBefore - Date.now()).toBeGreaterThan(60_000)
    await page.waitForSelector('.filled.waiting')
    expect(await said(page, 'waiting')).toContain('Too much came from this connection at once.')
  })

  it('507 of a server without space: waits, says so, and arrives when there is space', async ({ skip }) => {
    skip(!disk.isMounted, 'this user may not mount a disk')
    const page = await place.device.page('/f/outbox')
    await sendLarge(page, 1000)
    const ballast = join(disk.folder, '.ballast')
    try {
      writeFileSync(ballast, Buffer.alloc(64_000_000))
    } catch {
      // Full.
    }
    const kept = await sendLarge(page, 900_000)
    expect(kept).toMatchObject({ state: 'waiting', reason: { status: 507 } })
    await page.waitForSelector('.filled.waiting')
    expect(await said(page, 'waiting')).toContain('The server has no space left for files.')
    rmSync(ballast)
    await page.click('.filled.waiting button:has-text("Send now")')
    await page.waitForSelector('.filled.waiting', { state: 'detached' })
    expect((await listKept(page, 'ana')).map(({ state }) => state)).toEqual(['sent', 'sent'])
    expect(await stored()).toHaveLength(2)
  })
})
