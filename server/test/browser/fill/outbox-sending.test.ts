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
