// What the server does not take: it is kept with the reason, for the right person, until it is sent or discarded by them.
import { describe, expect, it } from 'vitest'
import { hasNoBrowser } from '../../support/browser.js'
import { useFillPlace } from '../../support/fill-place.js'
import {
  arrived,
  expected,
  fillAndLeave,
  fillAndSend,
  fillDraft,
  listKept,
  newFilled,
  sendAll,
  statesOf,
} from '../../support/filling.js'
import { instance } from '../../support/submissions.js'

describe.skipIf(hasNoBrowser)('what cannot be sent (needs Chromium on the PATH)', () => {
  const place = useFillPlace()
  const { app, line } = place
  const stored = () => arrived(app, place.ana, place.form.formId)

  it('405 of a closed form is kept with the reason, and sent when it is open again; 404 of a deleted one is kept', async () => {
    const page = await place.device.page('/f/outbox')
    const filled = newFilled()
    await fillDraft(page, place.form, newFilled())
    line.cut()
    await fillAndSend(page, place.form, filled)
    await app.as(place.ana)('PATCH', `/forms/${place.form.formId}`, { body: { downloadable: false } })
    line.mend()
    await sendAll(page, 'ana')
    const [kept] = (await listKept(page, 'ana')).filter(({ state }) => state === 'refused')
    expect(kept).toMatchObject({ state: 'refused', isUncertain: false, reason: { status: 405 } })
    expect(kept?.reason?.message).not.toBe('')
    await page.waitForSelector('.filled.refused')
    expect(await page.textContent('.filled.refused .why')).toContain('The server says')
    await app.as(place.ana)('PATCH', `/forms/${place.form.formId}`, { body: { downloadable: true } })
    await page.click('.filled.refused button:has-text("Send now")')
    await page.waitForSelector('.filled.sent')
    expect(await stored()).toEqual([expected(filled, 'ana')])
    line.cut()
    await fillAndSend(page, place.form, newFilled())
    await app.as(place.ana)('DELETE', `/forms/${place.form.formId}`)
    line.mend()
    await sendAll(page, 'ana')
    const gone = (await listKept(page, 'ana')).find(({ state }) => state === 'refused')
    expect(gone).toMatchObject({ reason: { status: 404 } })
  })

  it('409 of a change that came too late is kept, whole, and can be downloaded, discarded and had back', async () => {
    const page = await place.device.page('/f/outbox')
    expect(await fillAndSend(page, place.form, newFilled(0))).toMatchObject({ state: 'sent' })
    const [first] = (await app.as(place.ana)('GET', `/data/${place.form.formId}`)).json() as { _uuid: string }[]
    const edit = (name: string) =>
      page.evaluate(`(async () => {
        const keep = await import('/keep.js')
        const { form } = await keep.openForm({ door: '/ana', formId: '${place.form.formId}', whose: 'ana' })
        const keeper = await keep.startDraft(form, { whose: 'ana', page: '/f/ana/x', deprecatedId: 'uuid:${first?._uuid}' })
        const xml = ${JSON.stringify(instance({ id_string: place.form.idString, version: place.form.version }, `<name>${name}</name>`))}
        return (await keep.finish(keeper, { xml, files: [] })).sent
      })()`)
    expect(await edit('one')).toMatchObject({ state: 'sent' })
    expect(await edit('two')).toMatchObject({ state: 'refused', reason: { status: 409 } })
    await page.waitForSelector('.filled.refused')
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.click('.filled.refused button[aria-label^="Download"]'),
    ])
    expect(download.suggestedFilename()).toMatch(/^Visit \d{4}-\d\d-\d\d\.zip$/)
    await page.click('.filled.refused button[aria-label^="Discard"]')
    await page.waitForSelector('.filled.refused', { state: 'detached' })
    await page.click('.toast button:has-text("Undo")')
    await page.waitForSelector('.filled.refused')
    const [kept] = (await listKept(page, 'ana')).filter(({ state }) => state === 'refused')
    expect(kept?.xml).toContain('<name>two</name>')
  })

  it('401 after the session ended keeps it; nobody else sees or sends it, and its person sends it by signing in', async () => {
    const ben = await app.account()
    const page = await place.device.page('/f/outbox')
    const [filled, draft] = [newFilled(2), newFilled()]
    await fillDraft(page, place.form, draft)
    await place.device.context.clearCookies()
    expect(await fillAndSend(page, place.form, filled)).toMatchObject({ state: 'unsigned', reason: { status: 401 } })
    await place.device.signIn(ben)
    await page.reload()
    await page.waitForSelector('.notice:has-text("2 forms of other people")')
    expect(await page.$$('.filled')).toEqual([])
    await sendAll(page, ben.username)
    expect([await stored(), await listKept(page, ben.username)]).toEqual([[], []])
    await place.device.signIn(place.ana)
    await page.reload()
    await page.waitForSelector('.filled.sent')
    expect(await stored()).toEqual([expected(filled, 'ana')])
    expect(await statesOf(page, 'ana')).toEqual(['draft', 'sent'])
  })

  it('what was filled in without an account is sent without the session of whoever is signed in, or as them if they say so', async () => {
    const page = await place.device.page('/f/outbox')
    await app.as(place.ana)('PATCH', `/profiles/ana`, { body: { require_auth: false } })
    const [own, asAna] = [newFilled(), newFilled()]
    expect(await fillAndSend(page, { ...place.form, whose: '' }, own)).toMatchObject({ state: 'sent' })
    line.cut()
    await fillAndLeave(page, { ...place.form, whose: '' }, asAna)
    await app.as(place.ana)('PATCH', `/profiles/ana`, { body: { require_auth: true } })
    line.mend()
    await sendAll(page, 'ana')
    await page.click('.filled.unsigned button:has-text("Send as ana")')
    await expect.poll(() => statesOf(page, 'ana')).toEqual(['sent', 'sent'])
    const by = new Map((await stored()).map((one) => [one.name, one.by]))
    expect([by.get(own.name), by.get(asAna.name)]).toEqual([null, 'ana'])
  })
})
