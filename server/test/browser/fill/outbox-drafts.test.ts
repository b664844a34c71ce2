// Drafts: safe from the first answer on, in one tab at a time, also when the disk is full.
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { hasNoBrowser } from '../../support/browser.js'
import { useFillPlace } from '../../support/fill-place.js'
import { arrived, expected, fillDraft, listKept, newFilled } from '../../support/filling.js'

describe.skipIf(hasNoBrowser)('a draft (needs Chromium on the PATH)', () => {
  const place = useFillPlace()

  /** Opens it as the page of its form does, and leaves `keeper` in the window. */
  const open = (page: Page, id: string, takesOver = false) =>
    page.evaluate(`(async () => {
      const keep = (window.keep = await import('/keep.js'))
      const keeper = (window.keeper = await keep.openDraft('${id}', 'ana', { takesOver: ${takesOver} }))
      if (keeper === undefined || keeper === 'elsewhere') return String(keeper)
      window.states = []
      keeper.onState(({ kind }) => window.states.push(kind))
      return (await keeper.pictures()).map(({ name }) => name).join()
    })()`)
  /** The renderer makes other ids each time. */
  const type = (page: Page, name: string, more = '') =>
    page.evaluate(`(() => {
      const xml = keeper.draft.xml
        .replace(/<name>[^<]*</, '<name>${name}<')
        .replace(/uuid:[^<]*/, 'uuid:' + crypto.randomUUID() + '</orx:instanceID><orx:deprecatedID>uuid:other</orx:deprecatedID><orx:instanceID>')
        .replace('<orx:instanceID></orx:instanceID>', '')
      keeper.changed({ take: async () => ({ xml, files: [${more}] }), peek: () => ({ xml }) })
    })()`)

  it('is there with its pictures and its one id after the browser was killed; what is sent in the end is one record', async () => {
    let page = await place.device.page('/f/outbox')
    const filled = newFilled(2)
    const id = await fillDraft(page, place.form, filled)
    const [before] = await listKept(page, 'ana')
    await place.device.kill()
    await place.device.open()
    await place.device.signIn(place.ana)
    page = await place.device.page('/f/outbox')
    expect(
      String(await open(page, id))
        .split(',')
        .sort(),
    ).toEqual([...filled.pictures].sort())
    await type(page, 'later')
    await page.evaluate('keeper.flush()')
    const [after] = await listKept(page, 'ana')
    expect([after?.instanceId, after?.xml.includes('deprecatedID'), after?.xml.includes('later')]).toEqual([
      before?.instanceId,
      false,
      true,
    ])
    expect(after?.xml).toContain(`>${before?.instanceId}<`)
    await page.evaluate(
      `keeper.pictures().then((files) => keep.finish(keeper, { xml: keeper.draft.xml, files })).then(({ sent }) => sent)`,
    )
    expect(await arrived(place.app, place.ana, place.form.formId)).toEqual([
      expected({ ...filled, name: 'later' }, 'ana'),
    ])
  })

  it('has the last word that was typed before its page was reloaded', async () => {
    const page = await place.device.page('/f/outbox')
    const id = await fillDraft(page, place.form, newFilled())
    await open(page, id)
    await type(page, 'last word')
    await page.reload()
    await open(page, id)
    expect((await listKept(page, 'ana'))[0]?.xml).toContain('<name>last word</name>')
  })

  it.each(['with', 'without'])(
    '%s locks of the browser it is open in one tab; another is told, and can take it over with all that was typed',
    async (locks) => {
      // As over http to another machine.
      if (locks === 'without') {
        await place.device.context.addInitScript(
          `Object.defineProperty(Navigator.prototype, 'locks', { value: undefined })`,
        )
      }
      const first = await place.device.page('/f/outbox')
      const second = await place.device.page('/f/outbox')
      const id = await fillDraft(first, place.form, newFilled())
      await open(first, id)
      expect(await open(second, id)).toBe('elsewhere')
      await type(first, 'in the first tab')
      expect(await open(second, id, true)).not.toBe('elsewhere')
      expect(await second.evaluate('keeper.draft.xml')).toContain('in the first tab')
      await expect.poll(() => first.evaluate('states.at(-1)')).toBe('taken')
      // What the first tab still does changes nothing.
      await type(first, 'too late')
      await first.evaluate('keeper.flush()')
      expect((await listKept(second, 'ana'))[0]?.xml).toContain('in the first tab')
    },
  )

  it('says that the disk is full and has the answers for a download; what fits is saved on', async () => {
    // Before anything is kept: the browser looks at the space only now and then.
    const page = await place.device.page('/accounts/options')
    const session = await place.device.context.newCDPSession(page)
    await session.send('Storage.overrideQuotaForOrigin', { origin: place.line.address, quotaSize: 20_000_000 })
    await page.goto(`${place.line.address}/f/outbox`)
    const id = await fillDraft(page, place.form, newFilled())
    await open(page, id)
    await type(page, 'large', `{ name: 'large.png', blob: new Blob([new Uint8Array(40_000_000)]) }`)
    await page.evaluate('keeper.flush()')
    expect(await page.evaluate('states.at(-1)')).toBe('full')
    expect(await page.evaluate('keeper.state.answers.files.length')).toBe(1)
    expect((await listKept(page, 'ana'))[0]?.xml).not.toContain('large')
    await type(page, 'small')
    await page.evaluate('keeper.flush()')
    expect(await page.evaluate('states.at(-1)')).toBe('saved')
    expect((await listKept(page, 'ana'))[0]?.xml).toContain('small')
  })

  it('on a full disk, after a lost answer, goes again as it is, or becomes another record: no correction is lost behind a 202', async () => {
    const page = await place.device.page(`/f/ana/${place.form.formId}`)
    const name = page.locator('.odk-form input').first()
    const sendIt = page.locator('.odk-form button', { hasText: 'Send' })
    const names = async () => (await arrived(place.app, place.ana, place.form.formId)).map((one) => one.name).sort()
    await name.fill('Wrong')
    await page.waitForSelector('.draft-state:has-text("Kept in this browser")')
    // No space for another byte, and then no answer.
    await page.evaluate(`IDBObjectStore.prototype.put = () => { throw new DOMException('full', 'QuotaExceededError') }`)
    // Otherwise Chromium itself posts again.
    place.line.loseAnswer(() => place.line.cut())
    await sendIt.click()
    await page.waitForSelector('.notice:has-text("It may have arrived")')
    place.line.mend()
    expect([await page.locator('.form-screen[inert]').count(), await names()]).toEqual([1, ['Wrong']])
    place.line.posts.length = 0
    place.line.loseAnswer(() => place.line.cut())
    await page.click('.notice button:has-text("Send it again")')
    await expect.poll(() => place.line.posts).toEqual(['202'])
    // Chromium posts again while the line is cut. Mended before the page has given up, that one would arrive.
    await page.waitForSelector('.notice button:has-text("Send it again"):enabled')
    place.line.mend()
    await page.click('.notice button:has-text("Change it"):enabled')
    await page.waitForSelector('.notice:has-text("stored as another record")')
    await name.fill('Right')
    await sendIt.click()
    await page.waitForSelector('.thanks.sent')
    expect(await names()).toEqual(['Right', 'Wrong'])
  })

  it.each([
    ['was kept before', true],
    ['was never kept', false],
  ])('that %s, went on a full disk and lost its answer is another record after a reload', async (_what, isKept) => {
    const page = await place.device.page(`/f/ana/${place.form.formId}`)
    const fullDisk = `IDBObjectStore.prototype.put = () => { throw new DOMException('full', 'QuotaExceededError') }`
    const name = page.locator('.odk-form input').first()
    const sendIt = page.locator('.odk-form button', { hasText: 'Send' })
    const names = async () => (await arrived(place.app, place.ana, place.form.formId)).map((one) => one.name).sort()
    if (!isKept) await page.evaluate(fullDisk)
    await name.fill('Wrong')
    await page.waitForSelector(isKept ? '.draft-state:has-text("Kept in this browser")' : '.notice, .draft-state')
    if (isKept) await page.evaluate(fullDisk)
    place.line.loseAnswer(() => place.line.cut())
    await sendIt.click()
    await page.waitForSelector('.notice:has-text("It may have arrived")')
    place.line.mend()
    await page.reload()
    await page.waitForSelector('.notice:has-text("stored as another record")')
    await name.fill('Right')
    await sendIt.click()
    await page.waitForSelector('.thanks.sent')
    expect(await names()).toEqual(['Right', 'Wrong'])
  })

  it('that arrived on a full disk is no draft again, however its page is opened', async () => {
    const page = await place.device.page(`/f/ana/${place.form.formId}`)
    const name = page.locator('.odk-form input').first()
    await name.fill('First')
    await page.waitForSelector('.draft-state:has-text("Kept in this browser")')
    const [draft] = await listKept(page, 'ana')
    await page.evaluate(`IDBObjectStore.prototype.put = () => { throw new DOMException('full', 'QuotaExceededError') }`)
    await page.locator('.odk-form button', { hasText: 'Send' }).click()
    await page.waitForSelector('.thanks.sent')
    await page.goto(`${place.line.address}/f/ana/${place.form.formId}?draft=${draft?.id}`)
    await expect.poll(async () => (await listKept(page, 'ana')).map(({ state }) => state)).toEqual(['sent'])
    await page.waitForSelector('.thanks.sent')
    expect(await page.locator('.odk-form').count()).toBe(0)
  })

  it('that was sent so and opened again is told to be another record', async () => {
    const page = await place.device.page('/f/outbox')
    const id = await fillDraft(page, place.form, newFilled(0))
    const [before] = await listKept(page, 'ana')
    await page.evaluate(`new Promise((done) => {
      indexedDB.open('sheaf-fill').onsuccess = ({ target: { result } }) => {
        const store = result.transaction('filled', 'readwrite').objectStore('filled')
        store.get('${id}').onsuccess = ({ target }) => {
          store.put({ ...target.result, isUncertain: true }).onsuccess = () => { result.close(); done() }
        }
      }
    })`)
    await page.goto(`${place.line.address}/f/ana/${place.form.formId}?draft=${id}`)
    await page.waitForSelector('.notice:has-text("What you send now is stored as another record.")')
    const [after] = await listKept(page, 'ana')
    expect([after?.isUncertain, after?.instanceId === before?.instanceId]).toEqual([false, false])
  })

  it('is never replaced by what is no XML: that is told, with the answers for a download, and is not sent', async () => {
    const page = await place.device.page('/f/outbox')
    const filled = newFilled()
    const id = await fillDraft(page, place.form, filled)
    await open(page, id)
    await page.evaluate(`keeper.changed({ take: async () => ({ xml: '<data><name>cut off', files: [] }) })`)
    await page.evaluate('keeper.flush()')
    expect(await page.evaluate('[states.at(-1), keeper.state.answers.xml]')).toEqual(['failed', '<data><name>cut off'])
    const sending = page.evaluate(
      `keep.finish(keeper, { xml: '<data><name>cut off', files: [] }).then(() => 'sent', () => 'not sent')`,
    )
    expect([await sending, await arrived(place.app, place.ana, place.form.formId)]).toEqual(['not sent', []])
    const [kept] = await listKept(page, 'ana')
    expect([kept?.state, kept?.xml.includes(filled.name)]).toEqual(['draft', true])
  })

  it('has its pictures again when the browser was cleared while it was open', async () => {
    const page = await place.device.page('/f/outbox')
    const filled = newFilled(1)
    const id = await fillDraft(page, place.form, filled)
    await open(page, id)
    const given = `(await keeper.pictures())`
    const clear = `new Promise((done) => {
      const opening = indexedDB.open('sheaf-fill')
      opening.onsuccess = () => {
        const change = opening.result.transaction(['filled', 'pictures'], 'readwrite')
        for (const name of ['filled', 'pictures']) change.objectStore(name).clear()
        change.oncomplete = () => { opening.result.close(); done() }
      }
    })`
    const sent = await page.evaluate(`(async () => {
      const files = ${given}
      const xml = keeper.draft.xml
      keeper.changed({ take: async () => ({ xml, files }) })
      await keeper.flush()
      await ${clear}
      return (await keep.finish(keeper, { xml, files })).sent
    })()`)
    expect(sent).toMatchObject({ state: 'sent' })
    expect(await arrived(place.app, place.ana, place.form.formId)).toEqual([expected(filled, 'ana')])
  })

  it('has an id of its own where its form has a fixed one: the second record is no repetition of the first', async () => {
    const page = await place.device.page('/f/outbox')
    const fill = (name: string) =>
      page.evaluate(`(async () => {
        const keep = await import('/keep.js')
        const { form } = await keep.openForm({ door: '/ana', formId: '${place.form.formId}', whose: 'ana' })
        const keeper = await keep.startDraft(form, { whose: 'ana', page: '/f/ana/${place.form.formId}' })
        const xml = '<data id="${place.form.idString}" version="${place.form.version}"><name>${name}</name><meta><instanceID>uuid:fixed</instanceID></meta></data>'
        return (await (await keep.finish(keeper, { xml, files: [] })).sent).instanceId
      })()`)
    expect([await fill('one'), await fill('two')]).not.toContain('uuid:fixed')
    const stored = await arrived(place.app, place.ana, place.form.formId)
    expect(stored.map(({ name }) => name).sort()).toEqual(['one', 'two'])
  })

  it('is saved on when the clock of the device is put back by hours', async () => {
    const page = await place.device.page('/f/outbox')
    const id = await fillDraft(page, place.form, newFilled())
    await open(page, id)
    await type(page, 'before')
    await page.evaluate('keeper.flush()')
    await page.evaluate('{ const real = Date.now; Date.now = () => real.call(Date) - 5 * 3_600_000 }')
    await type(page, 'after')
    await expect.poll(async () => (await listKept(page, 'ana'))[0]?.xml).toContain('<name>after</name>')
    await type(page, 'last word')
    await page.reload()
    await open(page, id)
    expect((await listKept(page, 'ana'))[0]?.xml).toContain('<name>last word</name>')
  })

  it('is not overwritten by a tab that slept while another went on with it; what that tab has can be downloaded', async () => {
    const [first, second] = [await place.device.page('/f/outbox'), await place.device.page('/f/outbox')]
    const id = await fillDraft(first, place.form, newFilled())
    await open(first, id)
    // The second one is told nothing of the first.
    await second.evaluate(`Object.defineProperty(Navigator.prototype, 'locks', { value: undefined })`)
    await open(second, id)
    await type(second, 'went on')
    await second.evaluate('keeper.flush()')
    await type(first, 'woke up')
    await first.evaluate('keeper.flush()')
    expect(await first.evaluate('[states.at(-1), keeper.state.answers?.xml.includes("woke up")]')).toEqual([
      'taken',
      true,
    ])
    expect((await listKept(second, 'ana'))[0]?.xml).toContain('<name>went on</name>')
  })
})
