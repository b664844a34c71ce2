// Changing a stored record in its form, alone and while somebody else does.
import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Account } from '../../support/app.js'
import { hasNoBrowser } from '../../support/browser.js'
import { answer, formShown, namedSheet, pixel, question, send } from '../../support/fill.js'
import { type PublishedForm, publish } from '../../support/forms.js'
import { newProject, share } from '../../support/projects.js'
import { instance, newId, send as post } from '../../support/submissions.js'
import { useWalk } from '../../support/walk.js'

describe.skipIf(hasNoBrowser)('changing a record in its form (needs Chromium on the PATH)', () => {
  const walk = useWalk()
  let [ana, ben, stranger] = [] as unknown as [Account, Account, Account]
  let form: PublishedForm

  beforeAll(async () => {
    ana = await walk.app.account({ username: 'ana' })
    ben = await walk.app.account({ username: 'ben' })
    stranger = await walk.app.account({ username: 'stranger' })
    const project = await newProject(walk.app, ana, { name: 'Records' })
    await share(walk.app, ana, project, 'ben', 'editor')
    const survey = 'text,name,Name\ntext,town,Town\ninteger,age,Age\nimage,photo,Photo'
    form = await publish(walk.app, ana, namedSheet('people', survey), { project })
  })

  const markup = (name: string, town: string, age: number) =>
    `<name>${name}</name><town>${town}</town><age>${age}</age><photo>a.png</photo>`
  const stored = async (): Promise<string> => {
    const id = newId()
    const xml = instance(form, markup('Amina', 'Kilifi', 30), { id })
    const answered = await post(walk.app, ana, '/ana', xml, [{ name: 'a.png', content: pixel, type: 'image/png' }])
    expect(answered.statusCode).toBe(201)
    return id
  }
  type Data = Record<string, unknown> & { _id: number; _uuid: string; _attachments: { name: string }[] }
  const all = async () => (await walk.app.as(ana)('GET', `/data/${form.formid}`)).json<Data[]>()
  const one = async (recordId: number) =>
    (await walk.app.as(ana)('GET', `/data/${form.formid}/${recordId}`)).json<Data>()
  const numberOf = async (uuid: string) => (await all()).find(({ _uuid }) => _uuid === uuid)?._id ?? 0
  const path = (record: string | number) => `/f/ana/${form.formid}/${record}`

  /** Both have it open; ben is first, ana comes too late. */
  const collide = async (): Promise<{ page: Page; recordId: number }> => {
    const id = await stored()
    const recordId = await numberOf(id)
    const page = await walk.as(ana, path(recordId))
    await formShown(page)
    const other = instance(form, markup('Amina', 'Malindi', 31), { id: newId(), deprecated: id })
    expect((await post(walk.app, ben, '/ana', other)).statusCode).toBe(201)
    await answer(page, 'Name', 'Amina K.')
    await answer(page, 'Age', '32')
    await send(page)
    await page.waitForSelector('.conflict fieldset')
    return { page, recordId }
  }

  it('has its answers, sends what was changed as an edit, and no file again', async () => {
    const id = await stored()
    const recordId = await numberOf(id)
    const page = await walk.as(ana, `${path(id)}?from=/forms/${form.formid}/records/${recordId}`)
    await formShown(page)
    expect(await question(page, 'Name').locator('input').inputValue()).toBe('Amina')
    await walk.check(page)
    await walk.picture(page, 'fill-edit')
    await page.evaluate(`{
      const { fetch } = window
      window.posted = []
      window.fetch = (to, options) => {
        if (options?.body instanceof FormData) posted.push([...options.body.keys()])
        return fetch(to, options)
      }
    }`)
    await answer(page, 'Name', 'Amina K.')
    await send(page)
    await page.waitForSelector('.thanks.sent')
    expect(await one(recordId)).toMatchObject({ name: 'Amina K.', town: 'Kilifi', age: '30', _edited: true })
    expect((await one(recordId))._attachments.map(({ name }) => name)).toEqual(['a.png'])
    expect(await page.evaluate('posted')).toEqual([['xml_submission_file']])
    await page.click('.thanks a:has-text("Back")')
    await page.waitForURL(new RegExp(`/forms/${form.formid}/records/`))
    expect(walk.faults(page)).toEqual([])
  })

  it('409: differences are shown, what one did not touch stays as stored, and one version of both is sent', async () => {
    const { page, recordId } = await collide()
    await walk.check(page, /409/)
    await walk.pictures(page, 'fill-conflict')
    await page.waitForSelector('.conflict fieldset')
    const side = (label: string, at: number) => page.locator('fieldset', { hasText: label }).locator('input').nth(at)
    expect((await side('Town', 1).boundingBox())?.width).toBeGreaterThan(15)
    expect(await side('Town', 1).isChecked()).toBe(true)
    expect(await side('Age', 0).isChecked()).toBe(true)
    await side('Age', 1).check()
    await page.click('button:has-text("Send with these choices")')
    await page.waitForSelector('.thanks.sent')
    expect(await one(recordId)).toMatchObject({ name: 'Amina K.', town: 'Malindi', age: '31' })
    expect((await one(recordId))._attachments.map(({ name }) => name)).toEqual(['a.png'])
  })

  it('409: both are kept as two records, each with its files', async () => {
    const { page, recordId } = await collide()
    const before = (await all()).length
    await page.click('button:has-text("Keep both")')
    await page.waitForSelector('.thanks.sent')
    const now = await all()
    expect(now).toHaveLength(before + 1)
    expect(await one(recordId)).toMatchObject({ name: 'Amina', town: 'Malindi', age: '31' })
    const made = now.toSorted((left, right) => right._id - left._id)[0]
    expect(made).toMatchObject({ name: 'Amina K.', town: 'Kilifi', age: '32', _media_all_received: true })
    expect(made?._attachments.map(({ name }) => name)).toEqual(['a.png'])
  })

  it('409: what is discarded can be taken back in the outbox; a reload loses nothing', async () => {
    const { page, recordId } = await collide()
    await page.reload()
    await page.waitForSelector('.conflict fieldset:has-text("Amina K.")')
    await page.click('button:has-text("Discard mine")')
    await page.waitForURL(/\/f\/outbox/)
    expect(await one(recordId)).toMatchObject({ name: 'Amina', town: 'Malindi' })
    await page.click('button:has-text("Undo")')
    await page.waitForSelector('.filled:has-text("Form people")')
    await page.click('.filled a:has-text("Go on")')
    await page.waitForSelector('.conflict fieldset:has-text("Amina K.")')
  })

  it('409 a second time: what somebody changed since then is shown, and the next choice is taken', async () => {
    const { page, recordId } = await collide()
    const { _uuid } = await one(recordId)
    const other = instance(form, markup('Amina', 'Lamu', 40), { id: newId(), deprecated: _uuid })
    expect((await post(walk.app, ben, '/ana', other)).statusCode).toBe(201)
    await page.click('button:has-text("Send with these choices")')
    await page.waitForSelector('.conflict fieldset:has-text("Lamu")')
    await page.click('button:has-text("Send with these choices")')
    await page.waitForSelector('.thanks.sent')
    expect(await one(recordId)).toMatchObject({ name: 'Amina K.', age: '32' })
    await page.goto('/f/outbox')
    await page.waitForSelector('.filled.sent')
    expect(await page.$$('.filled:not(.sent)')).toEqual([])
  })

  it('409 of a record that was deleted meanwhile: what was typed is stored as a new one, with its files', async () => {
    const id = await stored()
    const recordId = await numberOf(id)
    const page = await walk.as(ana, path(recordId))
    await formShown(page)
    await answer(page, 'Name', 'Still here')
    const deleted = await walk.app.as(ana)('DELETE', `/data/${form.formid}/${recordId}`)
    expect(deleted.statusCode).toBeLessThan(300)
    await send(page)
    await page.waitForSelector('.conflict h1:has-text("not there any more")')
    await walk.check(page, /40[49]/)
    await page.click('button:has-text("Store as a new record")')
    await page.waitForSelector('.thanks.sent')
    const made = (await all()).find(({ name }) => name === 'Still here')
    expect(made).toMatchObject({ town: 'Kilifi', age: '30' })
    expect(made?._attachments.map(({ name }) => name)).toEqual(['a.png'])
  })

  it('a stranger is told the same of a record as of a missing one', async () => {
    const id = await stored()
    const words: string[] = []
    for (const record of [id, newId()]) {
      const page = await walk.as(stranger, path(record))
      words.push(await page.locator('.refusal').innerText())
    }
    expect(words[1]).toBe(words[0])
  })
})
