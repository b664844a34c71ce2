// The settings of a form: its words, who sees it, people, files, import, services.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hasNoBrowser } from '../../support/browser.js'
import { publish, sheet } from '../../support/forms.js'
import { newProject } from '../../support/projects.js'
import { answerWith, type Receiver, startReceiver } from '../../support/receivers.js'
import { instance, send } from '../../support/submissions.js'
import { settled, useWalk } from '../../support/walk.js'

const visit = sheet(
  `type,name,label
   text,name,Name
   integer,age,Age
   select_one_from_file people.csv,who,Who`,
  { settings: { form_id: 'visit', form_title: 'Visit' } },
)

describe.skipIf(hasNoBrowser)('the settings of a form (needs Chromium on the PATH)', () => {
  const walk = useWalk({ OUTBOUND_ALLOW_PRIVATE: 'true' })
  let receiver: Receiver
  beforeAll(async () => {
    receiver = await startReceiver(answerWith(422, {}, 'No such village'))
  })
  afterAll(() => receiver.close())

  it('an owner changes words, closes and undoes, lets it close by a time, shares, adds a file that was missing, imports, moves and deletes', async () => {
    const [ana, ben] = [await walk.app.account({ username: 'ana' }), await walk.app.account({ username: 'ben' })]
    const [project, other] = [
      await newProject(walk.app, ana, { name: 'First' }),
      await newProject(walk.app, ana, { name: 'Second' }),
    ]
    const form = await publish(walk.app, ana, visit, { project })
    const stored = async () => (await walk.app.as(ana)('GET', `/forms/${form.formid}`)).json()
    const page = await walk.as(ana, `/forms/${form.formid}/settings`)
    await walk.check(page)
    await walk.pictures(page, 'settings')

    await page.fill('[name=title]', '')
    await page.evaluate("document.querySelector('form').noValidate = true")
    await page.click('button:has-text("Save")')
    await page.waitForSelector('[name=title][aria-invalid=true]')
    await page.fill('[name=title]', 'زيارة <img src=x onerror=alert(1)>')
    await page.click('button:has-text("Save")')
    await page.waitForSelector('h1:has-text("زيارة")')
    await page.click('section:has(#state) button:text-is("Close")')
    await page.waitForSelector('section:has(#state) .chip:has-text("Closed")')
    await expect.poll(async () => (await stored()).state).toBe('closed')
    await page.click('.toast:has-text("The form is closed") .act')
    await page.waitForSelector('section:has(#state) .chip:has-text("Open")')
    await page.fill('[name=closes_at]', '2001-01-01T10:00')
    await page.click('section:has(#state) button:has-text("Save")')
    await page.waitForSelector('[name=closes_at][aria-invalid=true]')
    await page.fill('[name=closes_at]', '2099-01-01T10:00')
    await page.click('section:has(#state) button:has-text("Save")')
    await expect.poll(async () => (await stored()).closes_at).toMatch(/^(2098-12-31|2099-01-0[12])T/)
    // The server has it before the page knows.
    await page.waitForSelector('.toast:has-text("closes by itself")')
    await page.click('section:has(#state) button:has-text("Let it close"):not([aria-busy])')
    await page.waitForSelector('section:has(#state) .chip:has-text("Closing")')
    await expect.poll(async () => (await stored()).state).toBe('closing')
    await walk.check(page, /400/)
    await walk.pictures(page, 'settings-closing')
    await page.click('.toast:has-text("The form is closing") .act')
    // Undone, the time is there again, too.
    await expect.poll(async () => (await stored()).closes_at).toMatch(/^(2098-12-31|2099-01-0[12])T/)
    await page.check('label:has-text("Everybody can see the questions")')
    await expect.poll(async () => (await stored()).public).toBe(true)

    await page.click('nav a:has-text("People")')
    // The page before has such a box too.
    await page.waitForSelector('.people')
    await page.fill('input[role=combobox]', 'ben')
    await page.click('[role=option]:has-text("ben")')
    await page.click('button:has-text("Share"):not([disabled])')
    await page.waitForSelector('.people li:has-text("ben")')
    await walk.check(page, /400/)
    await walk.pictures(page, 'settings-people')
    await page.selectOption('.people li:has-text("ben") select', 'editor')
    await expect
      .poll(async () => (await walk.app.as(ben)('GET', `/forms/${form.formid}`)).json().allowed)
      .toContain('change')
    // Links to parts that are pages now lead there.
    for (const [part, path] of [
      ['files', 'settings/files'],
      ['services', 'services'],
      ['sharing', 'settings/people'],
    ]) {
      await page.goto(`/forms/${form.formid}/settings#${part}`)
      await page.waitForURL(`**/forms/${form.formid}/${path}`)
    }
    // An editor has the words and the files, and nothing else.
    const editing = await walk.as(ben, `/forms/${form.formid}/settings/people`)
    await editing.waitForSelector('.empty')
    await editing.goto(`/forms/${form.formid}/settings`)
    await settled(editing)
    expect(await editing.locator('#state').count()).toBe(0)
    await page.click('.people li:has-text("ben") button')
    await page.waitForSelector('.people li:has-text("ben")', { state: 'detached' })

    await page.click('nav a:has-text("Files")')
    await page.waitForSelector('.notice.warn:has-text("people.csv")')
    await page.setInputFiles('.drop input', {
      name: 'people.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from('name,label\nx,X\n'),
    })
    await page.waitForSelector('.files li:has-text("people.csv")')
    await page.waitForSelector('.notice.warn', { state: 'detached' })
    await walk.check(page, /400/)
    await page.click('.files li button')
    await page.waitForSelector('.notice.warn:has-text("people.csv")')
    await page.click('.toast:has-text("people.csv was removed") .act')
    await page.waitForSelector('.files li:has-text("people.csv")')

    await page.click('nav a:has-text("Records")')
    await page.waitForSelector('#import')
    const table = (text: string) =>
      page.setInputFiles('.drop input', { name: 'rows.csv', mimeType: 'text/csv', buffer: Buffer.from(text) })
    await table('name,age,who\nAna,old,x\n')
    await page.click('button:has-text("Import rows.csv")')
    await page.waitForSelector('tbody td:has-text("old")')
    await walk.check(page, /400/)
    await walk.pictures(page, 'settings-import')
    await table('name,age,who\nAna,30,x\nBen,31,x\n')
    await page.click('button:has-text("Import rows.csv")')
    await page.waitForSelector('.notice.good:has-text("2 records added")')

    const isFast = page.locator('.indexes li:has-text("Name")')
    await page.fill('input[role=combobox]', 'name')
    await page.click('[role=option]:has-text("Name")')
    await page.click('button:has-text("Make it fast"):not([disabled])')
    await isFast.filter({ hasText: 'is being made' }).waitFor()
    await walk.check(page, /400/)
    await isFast.locator('button:has-text("Give up")').click()
    await isFast.filter({ hasText: 'given up' }).locator('button:has-text("Make it fast")').waitFor()

    await page.click('nav a:has-text("General")')
    await page.waitForSelector('#place')
    await page.fill('input[role=combobox]', 'Second')
    await page.click('[role=option]:has-text("Second")')
    await page.click('button:has-text("Move"):not([disabled])')
    await expect.poll(async () => (await stored()).project).toMatch(new RegExp(`/${other}$`))
    await page.click('button:has-text("Delete")')
    await page.fill('[role=dialog] input', 'visit')
    await page.click('[role=dialog] button.primary')
    await page.waitForURL(new RegExp(`/projects/${other}$`))
    expect((await walk.app.as(ana)('GET', `/forms/${form.formid}`)).statusCode).toBe(404)
  })

  it('closing taken back gives the time that was saved just before, also on a line where the page has not asked again', async () => {
    const ana = await walk.app.account()
    const form = await publish(walk.app, ana, visit)
    const stored = async () => (await walk.app.as(ana)('GET', `/forms/${form.formid}`)).json()
    const page = await walk.as(ana, `/forms/${form.formid}/settings`)
    let answer: (value?: unknown) => void = () => undefined
    const slow = new Promise((resolve) => (answer = resolve))
    await page.route(`**/api/v1/forms/${form.formid}`, async (route) => {
      if (route.request().method() === 'GET') await slow
      await route.continue()
    })
    await page.fill('[name=closes_at]', '2099-01-01T10:00')
    await page.click('section:has(#state) button:has-text("Save")')
    await page.waitForSelector('.toast:has-text("closes by itself")')
    await page.click('section:has(#state) button:has-text("Let it close"):not([aria-busy])')
    await page.waitForSelector('.toast:has-text("The form is closing") .act')
    answer()
    await page.click('.toast:has-text("The form is closing") .act')
    await expect.poll(async () => (await stored()).closes_at).toMatch(/^(2098-12-31|2099-01-0[12])T/)
  })

  it('a service is added, its secret shown once; what failed shows the answer and is sent again; it pauses and resumes', async () => {
    const ana = await walk.app.account()
    const form = await publish(walk.app, ana, visit)
    const page = await walk.as(ana, `/forms/${form.formid}/services`)
    await page.waitForSelector('.empty')
    await walk.check(page)
    await page.click('.empty button')
    await page.fill('[name=service_url]', 'nowhere')
    await page.click('[role=dialog] button.primary')
    await page.waitForSelector('[name=service_url][aria-invalid=true]')
    await walk.check(page, /400/)
    await page.fill('[name=service_url]', `${receiver.url}/in`)
    await page.click('[role=dialog] button.primary')
    await page.waitForSelector('.notice.good input')
    expect(await page.inputValue('.notice.good input')).toMatch(/^whsec_/)
    await send(walk.app, ana, `/${ana.username}`, instance(form, '<name>A</name>'))
    await walk.app.forward()
    await page.click('.services a')
    await page.waitForSelector('.deliveries li:has-text("Failed")')
    expect(await page.locator('text=whsec_').count()).toBe(0)
    await page.click('.deliveries summary')
    await page.waitForSelector('.deliveries pre:has-text("No such village")')
    await walk.check(page, /400/)
    await walk.pictures(page, 'service')
    receiver.answer = answerWith(200, {}, 'ok')
    await page.click('button:has-text("Send a test")')
    await page.waitForSelector('.notice.good:has-text("200")')
    await page.click('.deliveries li button:has-text("Send again")')
    await page.waitForSelector('.deliveries li:has-text("Waiting")')
    await walk.app.forward()
    await page.click('button[aria-label="Refresh"]')
    await page.waitForSelector('.deliveries li:has-text("Delivered")')
    await page.click('button:has-text("Pause")')
    await page.waitForSelector('.notice.warn:has-text("switched it off")')
    await page.click('button:has-text("Resume")')
    await page.waitForSelector('button:has-text("Pause")')
    expect(walk.faults(page, /400/)).toEqual([])
  })
})
