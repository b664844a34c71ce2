// A form that was opened once opens without a connection, on the version that a draft was begun with.
import { describe, expect, it } from 'vitest'
import { hasNoBrowser } from '../../support/browser.js'
import { useFillPlace } from '../../support/fill-place.js'
import { arrived, fillDraft, newFilled, statesOf } from '../../support/filling.js'
import { sheet } from '../../support/forms.js'
import { multipart } from '../../support/multipart.js'

describe.skipIf(hasNoBrowser)('without a connection (needs Chromium on the PATH)', () => {
  const place = useFillPlace()
  const { line } = place

  it('a form opens, is filled in, comes back after a reload, waits, and arrives when there is a line again', async () => {
    const address = `/f/ana/${place.form.formId}`
    let page = await place.device.page(address)
    await page.waitForSelector('.odk-form input', { timeout: 60_000 })
    await page.evaluate('navigator.serviceWorker.ready.then(() => undefined)')
    await page.reload()
    await page.waitForSelector('.odk-form input', { timeout: 60_000 })
    await page.close()
    line.cut()
    await place.device.context.setOffline(true)
    page = await place.device.page(address)
    await page.fill('.odk-form input', 'Amina')
    await page.waitForURL(/[?&]draft=/)
    await expect.poll(() => statesOf(page, 'ana')).toEqual(['draft'])
    await page.reload()
    await page.waitForSelector('.odk-form input', { timeout: 60_000 })
    expect(await page.inputValue('.odk-form input')).toBe('Amina')
    await page.click('.odk-form button:has-text("Send")')
    await expect.poll(() => statesOf(page, 'ana')).toEqual(['waiting'])
    line.mend()
    await place.device.context.setOffline(false)
    await expect.poll(() => statesOf(page, 'ana')).toEqual(['sent'])
    expect(await arrived(place.app, place.ana, place.form.formId)).toMatchObject([{ name: 'Amina', by: 'ana' }])
  })

  it('a finished form stays finished when its page is loaded anew; it is changed from the outbox alone', async () => {
    const address = `/f/ana/${place.form.formId}`
    const page = await place.device.page(address)
    const input = '.odk-form input'
    await page.waitForSelector(input, { timeout: 60_000 })
    await page.evaluate('navigator.serviceWorker.ready.then(() => undefined)')
    await page.reload()
    await page.waitForSelector(input, { timeout: 60_000 })
    line.cut()
    for (const name of ['One', 'Two']) {
      await page.fill(input, name)
      await page.click('.odk-form button:has-text("Send")')
      await page.waitForSelector('.thanks.waiting')
      if (name === 'One') await page.click('.thanks button')
    }
    await page.reload()
    await page.waitForSelector('.thanks.waiting')
    expect(await statesOf(page, 'ana')).toEqual(['waiting', 'waiting'])
    const other = await place.device.page('/f/outbox')
    await other.locator('.filled [aria-label^="Open"]').last().click()
    await other.waitForSelector(input, { timeout: 60_000 })
    expect(await other.inputValue(input)).toBe('One')
    await other.fill(input, 'First')
    await other.click('.odk-form button:has-text("Send")')
    await other.waitForSelector('.thanks.waiting')
    line.mend()
    await page.evaluate("dispatchEvent(new Event('online'))")
    await page.waitForSelector('.thanks.sent')
    const names = async () => (await arrived(place.app, place.ana, place.form.formId)).map(({ name }) => name).sort()
    await expect.poll(names).toEqual(['First', 'Two'])
  })

  it('a draft stays with its version; the next form has the new one, which came in the background', async () => {
    const page = await place.device.page('/f/outbox')
    const id = await fillDraft(page, place.form, newFilled())
    const text = sheet('type,name,label\ntext,name,Name\ntext,more,More', {
      settings: { form_id: place.form.idString },
    })
    const { body, headers } = multipart([{ name: 'xls_file', filename: 'a.csv', type: 'text/csv', content: text }])
    const replaced = await place.app.as(place.ana)('PATCH', `/forms/${place.form.formId}`, { body, headers })
    expect(replaced.statusCode).toBe(200)
    const address = JSON.stringify({ door: '/ana', formId: String(place.form.formId), whose: 'ana' })
    const has = (what: string) =>
      page.evaluate(`import('/keep.js').then(async (keep) => (${what}).xml.includes('/data/more'))`)
    expect(await has(`(await keep.openForm(${address})).form`)).toBe(true)
    expect(await has(`await keep.formOfDraft((await keep.listFilled('ana')).find((one) => one.id === '${id}'))`)).toBe(
      false,
    )
    line.cut()
    expect(await has(`(await keep.openForm(${address})).form`)).toBe(true)
  })
})
