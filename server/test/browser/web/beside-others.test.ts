// What others do meanwhile: undo touches only what was done here, nobody is overruled unseen, nothing is done twice, and what was
// typed is not lost by a way out.
import { beforeAll, describe, expect, it } from 'vitest'
import type { Account } from '../../support/app.js'
import { hasNoBrowser } from '../../support/browser.js'
import { giveRole, newForm, put } from '../../support/data.js'
import { publish, visitSheet } from '../../support/forms.js'
import { newProject } from '../../support/projects.js'
import { quiet, useWalk } from '../../support/walk.js'

describe.skipIf(hasNoBrowser)('beside others (needs Chromium on the PATH)', () => {
  const walk = useWalk()
  let ben: Account
  beforeAll(async () => {
    if (!hasNoBrowser) ben = await walk.app.account({ username: 'ben' })
  })

  /** A form of ana's that ben manages, with records. */
  const shared = async (count: number) => {
    const { ana, form } = await newForm(walk.app)
    await giveRole(walk.app, form, ben, 'manager')
    return { ana, form, ids: await put(walk.app, form, ...Array.from({ length: count }, () => ({}))) }
  }
  const statusOf = async (who: Account, path: string) => (await walk.app.as(who)('GET', path)).statusCode
  const undo = '.toast button:has-text("Undo")'

  it('undo of a deletion brings back what was deleted here, not what somebody else had deleted', async () => {
    const { ana, form, ids } = await shared(3)
    const [first, second] = ids
    const page = await walk.as(ana, `/forms/${form.id}/data`)
    await page.waitForSelector('[role=row] [role=gridcell]')
    await page.check('[role=columnheader] input[type=checkbox]')
    expect((await walk.app.as(ben)('DELETE', `/data/${form.id}/${first}`)).statusCode).toBe(204)
    await page.click('button:has-text("Delete")')
    await page.waitForSelector('.toast:has-text("2 records deleted")')
    await page.click(undo)
    await page.waitForSelector('.toast:has-text("2 records restored")')
    expect(await statusOf(ana, `/data/${form.id}/${first}`)).toBe(404)
    expect(await statusOf(ana, `/data/${form.id}/${second}`)).toBe(200)
  })

  it('undo of a restoring deletes what was brought back here; where nothing was, there is none', async () => {
    const { ana, form, ids } = await shared(2)
    await walk.app.as(ana)('DELETE', `/data/${form.id}`, { body: { instance_ids: ids } })
    const page = await walk.as(ana, `/forms/${form.id}/data?view=trash`)
    await page.waitForSelector('tbody button:has-text("Restore")')
    expect((await walk.app.as(ben)('POST', `/data/${form.id}/${ids[0]}/restore`)).statusCode).toBe(200)
    await page.check('thead input[type=checkbox]')
    await page.click('button:has-text("Restore 2 records")')
    await page.waitForSelector('.toast:has-text("1 record restored")')
    await page.click(undo)
    await page.waitForSelector('.toast:has-text("Taken back")')
    expect(await statusOf(ana, `/data/${form.id}/${ids[0]}`)).toBe(200)
    expect(await statusOf(ana, `/data/${form.id}/${ids[1]}`)).toBe(404)
    await page.waitForSelector('tbody button:has-text("Restore")')
    expect((await walk.app.as(ben)('POST', `/data/${form.id}/${ids[1]}/restore`)).statusCode).toBe(200)
    await page.click('tbody button:has-text("Restore")')
    const told = page.locator('.toast:has-text("0 records restored")')
    await told.waitFor()
    expect(await told.locator('button:has-text("Undo")').count()).toBe(0)
    expect(await statusOf(ana, `/data/${form.id}/${ids[1]}`)).toBe(200)
  })

  it('a record that somebody else has reviewed meanwhile is shown with that review, and not overruled', async () => {
    const { ana, form, ids } = await shared(1)
    const page = await walk.as(ana, `/forms/${form.id}/records/${ids[0]}`)
    await page.waitForSelector('button:has-text("Approve")')
    await quiet(page)
    const body = { instance: ids[0], status: '2', note: 'The age is missing.' }
    expect((await walk.app.as(ben)('POST', '/submissionreview', { body })).statusCode).toBe(201)
    await page.click('button:has-text("Approve")')
    await page.waitForSelector('.toast:has-text("Somebody else changed this in the meantime")')
    await page.waitForSelector('.chip:has-text("Rejected")')
    const record = (await walk.app.as(ana)('GET', `/data/${form.id}/${ids[0]}`)).json()
    expect(record._review_status).toBe('2')
    await page.click('button:has-text("Approve")')
    await page.waitForSelector('.toast:has-text("The review is saved")')
  })

  it('each version in the history has the time at which it was made', async () => {
    const { ana, form } = await newForm(walk.app)
    const [id] = await put(walk.app, form, { answers: { name: 'zero' } })
    await walk.app.deps.db.run({
      text: "update submissions set submitted_at = now() - interval '9 hours' where form_id = $1",
      values: [form.id],
    } as never)
    for (const name of ['one', 'two', 'three']) {
      const answer = await walk.app.as(ana)('PATCH', `/data/${form.id}/${id}`, { body: { name } })
      expect([name, answer.statusCode]).toEqual([name, 200])
    }
    const page = await walk.as(ana, `/forms/${form.id}/records/${id}`)
    await page.waitForSelector('.versions li >> nth=2')
    const times = await page
      .locator('.versions li time')
      .evaluateAll((all) => all.map((one) => (one as HTMLTimeElement).dateTime))
    const ages = times.map((time) => Math.round((Date.now() - Date.parse(time)) / 3_600_000))
    expect(ages.slice(0, 3)).toEqual([0, 0, 0])
  })

  it('a file whose answer was lost is not published a second time', async () => {
    const ana = await walk.app.account()
    const project = await newProject(walk.app, ana)
    const form = await publish(walk.app, ana, visitSheet({ form_id: 'visit', form_title: 'Visit' }), { project })
    const page = await walk.as(ana, `/forms/${form.formid}/versions`)
    const text = visitSheet({ form_id: 'visit', form_title: 'Visit', version: 'next' })
    await page.setInputFiles('input[type=file]', { name: 'visit.csv', mimeType: 'text/csv', buffer: Buffer.from(text) })
    await page.waitForSelector('button:has-text("Publish this version")')
    let sent = 0
    await page.route(`**/api/v1/forms/${form.formid}`, async (route) => {
      if (route.request().method() === 'GET') return route.continue()
      sent += 1
      await route.fetch()
      await route.abort('connectionreset')
    })
    await page.click('button:has-text("Publish this version")')
    await page.waitForSelector('.notice.fault')
    await page.click('button:has-text("Publish this version")')
    await page.waitForSelector('.toast:has-text("next")')
    expect(sent).toBe(1)
    expect((await walk.app.as(ana)('GET', `/forms/${form.formid}/versions`)).json()).toHaveLength(2)
  })

  it('signing out with something unsaved is asked about while there is a session; whoever stays has it still', async () => {
    const { ana, form, ids } = await shared(1)
    const page = await walk.as(ana, `/forms/${form.id}/records/${ids[0]}`)
    const note = page.locator('textarea').first()
    await note.fill('Ask them again')
    const isSignedIn = async () => (await walk.app.as(ana)('GET', '/user/sessions')).json().length > 0
    const signOut = async () => {
      await page.click('[aria-label*="ccount"]')
      await page.click('[role=menuitem]:has-text("Sign out")')
      await page.waitForSelector('[role=dialog]:has-text("Sign out without saving?")')
    }
    await signOut()
    await page.click('[role=dialog] button:has-text("Cancel")')
    await page.waitForSelector('[role=dialog]', { state: 'detached' })
    expect(await note.inputValue()).toBe('Ask them again')
    expect(await isSignedIn()).toBe(true)
    await signOut()
    await page.click('[role=dialog] button:has-text("Sign out")')
    await page.waitForURL((url) => url.pathname === '/')
    expect(await isSignedIn()).toBe(false)
  })

  it('whoever sees no records is told so on every page that shows them', async () => {
    const { form } = await shared(1)
    const cid = await walk.app.account()
    await giveRole(walk.app, form, cid, 'dataentry-only')
    const page = await walk.as(cid)
    for (const path of ['data', 'map', 'charts', 'dashboard', 'media']) {
      await page.goto(`/forms/${form.id}/${path}`)
      await page.waitForSelector('.empty:has-text("You do not see the records of this form")')
    }
  })

  it('a double click takes one label away, not the next one, which lies there then', async () => {
    const { ana, form, ids } = await shared(1)
    const path = `/data/${form.id}/${ids[0]}/labels`
    await walk.app.as(ana)('POST', path, { body: { tags: 'first,second,third' } })
    const page = await walk.as(ana, `/forms/${form.id}/records/${ids[0]}`)
    await page.dblclick('.label:has-text("first") button')
    await page.waitForSelector('.toast:has-text("first")')
    await quiet(page)
    expect((await walk.app.as(ana)('GET', path)).json()).toEqual(['second', 'third'])
  })
})
