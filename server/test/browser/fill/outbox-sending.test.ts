// Filled forms on their way: kept first, then sent, exactly once, whatever happens in between.
import { describe, expect, it } from 'vitest'
import { hasNoBrowser } from '../../support/browser.js'
import { useFillPlace } from '../../support/fill-place.js'
import {
  arrived,
  byName,
  expected,
  fillAndLeave,
  fillAndSend,
  fillDraft,
  listKept,
  newFilled,
  sendAll,
  statesOf,
} from '../../support/filling.js'

describe.skipIf(hasNoBrowser)('what was filled in (needs Chromium on the PATH)', () => {
  const place = useFillPlace()
  const { line } = place

  const stored = () => arrived(place.app, place.ana, place.form.formId)

  it('is sent at once with its pictures, under the name of whoever is signed in; a copy of it is not left', async () => {
    const page = await place.device.page('/f/outbox')
    const filled = newFilled(2)
    expect(await fillAndSend(page, place.form, filled)).toMatchObject({ state: 'sent', xml: '' })
    expect(await stored()).toEqual([expected(filled, 'ana')])
  })

  it('waits without a line, and goes by itself when there is one again', async () => {
    const page = await place.device.page('/f/outbox')
    const [first, second] = [newFilled(), newFilled()]
    await fillDraft(page, place.form, newFilled())
    line.cut()
    expect(await fillAndSend(page, place.form, first)).toMatchObject({ state: 'waiting', reason: { status: 0 } })
    expect(await fillAndSend(page, place.form, second)).toMatchObject({ state: 'waiting' })
    line.mend()
    await page.evaluate("dispatchEvent(new Event('online'))")
    await expect.poll(() => statesOf(page, 'ana')).toEqual(['draft', 'sent', 'sent'])
    expect(byName(await stored())).toEqual(byName([expected(first, 'ana'), expected(second, 'ana')]))
  })

  it('202 when the answer was lost: one record, and meanwhile it cannot be opened and changed', async () => {
    const page = await place.device.page('/f/outbox')
    const filled = newFilled()
    line.loseAnswer(() => line.cut())
    expect(await fillAndSend(page, place.form, filled)).toMatchObject({ state: 'waiting', isUncertain: true })
    const [{ id = '' } = {}] = await listKept(page, 'ana')
    expect(await page.evaluate(`import('/keep.js').then((keep) => keep.openDraft('${id}', 'ana'))`)).toBeUndefined()
    line.mend()
    line.posts.length = 0
    await sendAll(page, 'ana')
    expect([await statesOf(page, 'ana'), line.posts]).toEqual([['sent'], ['202']])
    expect(await stored()).toEqual([expected(filled, 'ana')])
  })

  it('after a lost answer no refusal makes it certain: it is not opened, and nothing is changed that would be lost', async () => {
    const page = await place.device.page('/f/outbox')
    const filled = newFilled()
    line.loseAnswer(() => line.cut())
    await fillAndSend(page, place.form, filled)
    await place.app.as(place.ana)('PATCH', `/forms/${place.form.formId}`, { body: { downloadable: false } })
    line.mend()
    await sendAll(page, 'ana')
    const [kept] = await listKept(page, 'ana')
    expect(kept).toMatchObject({ state: 'refused', isUncertain: true, reason: { status: 405 } })
    await page.waitForSelector('.filled.refused:has-text("It may have arrived already.")')
    expect(await page.locator('.filled.refused [aria-label^="Open"]').count()).toBe(0)
    await place.app.as(place.ana)('PATCH', `/forms/${place.form.formId}`, { body: { downloadable: true } })
    await sendAll(page, 'ana')
    expect(await statesOf(page, 'ana')).toEqual(['sent'])
    expect(await stored()).toEqual([expected(filled, 'ana')])
  })

  it('what is discarded while it is on its way stays so when the line is lost, and is not had back empty when it arrived', async () => {
    const page = await place.device.page('/f/outbox')
    const discardAndUndo = async (becomes: 'abort' | 'continue') => {
      const filled = newFilled(0)
      let go: () => void = () => undefined
      const isDiscarded = new Promise<void>((done) => {
        go = done
      })
      await page.route('**/submission', async (route) => {
        await isDiscarded
        await route[becomes]()
      })
      const isOnItsWay = page.waitForRequest('**/submission')
      const id = await fillAndLeave(page, place.form, filled)
      await isOnItsWay
      await page.evaluate(`import('/keep.js').then((keep) => keep.discard('${id}'))`)
      const sending = page.evaluate(`import('/keep.js').then((keep) => keep.sendNow([]))`)
      go()
      await sending
      await page.unroute('**/submission')
      const before = (await listKept(page, 'ana')).find((one) => one.id === id)
      await page.evaluate(`import('/keep.js').then((keep) => keep.restore('${id}'))`)
      const after = (await listKept(page, 'ana')).find((one) => one.id === id)
      return [before?.state, after?.state, after?.xml.includes(filled.name)]
    }
    expect(await discardAndUndo('abort')).toEqual([undefined, 'waiting', true])
    await page.evaluate(`import('/keep.js').then(async (keep) => keep.discard((await keep.listFilled('ana'))[0].id))`)
    expect(await discardAndUndo('continue')).toEqual(['sent', 'sent', false])
  })

  it('is sent once by two tabs at once', async () => {
    const [first, second] = [await place.device.page('/f/outbox'), await place.device.page('/f/outbox')]
    await fillDraft(first, place.form, newFilled())
    line.cut()
    const filled = [newFilled(), newFilled(), newFilled()]
    for (const each of filled) await fillAndSend(first, place.form, each)
    line.mend()
    line.posts.length = 0
    await Promise.all([sendAll(first, 'ana'), sendAll(second, 'ana'), sendAll(second, 'ana')])
    expect(line.posts).toEqual(['201', '201', '201'])
    expect(byName(await stored())).toEqual(byName(filled.map((each) => expected(each, 'ana'))))
  })

  it('stays through a browser that is killed or closed, and is sent when it is opened again', async () => {
    let page = await place.device.page('/f/outbox')
    await page.evaluate('navigator.serviceWorker.ready.then(() => undefined)')
    const [killed, closed] = [newFilled(2), newFilled()]
    await fillDraft(page, place.form, newFilled())
    line.cut()
    await fillAndLeave(page, place.form, killed)
    await place.device.kill()
    await place.device.open()
    // The program itself opens without a line.
    page = await place.device.page('/f/outbox')
    await page.waitForSelector('.filled.waiting')
    await fillAndLeave(page, place.form, closed)
    await place.device.close()
    await place.device.open()
    line.mend()
    page = await place.device.page('/f/outbox')
    // The session ended with the browser.
    await expect.poll(() => statesOf(page, 'ana')).toEqual(['draft', 'unsigned', 'unsigned'])
    await place.device.signIn(place.ana)
    await page.reload()
    await expect.poll(() => statesOf(page, 'ana')).toEqual(['draft', 'sent', 'sent'])
    expect(byName(await stored())).toEqual(byName([expected(killed, 'ana'), expected(closed, 'ana')]))
  })
})
