// How records come in, and the versions of a form: as its owner, as somebody who only reads, and signed out.
import { describe, expect, it } from 'vitest'
import { hasNoBrowser } from '../../support/browser.js'
import { publish, sheet } from '../../support/forms.js'
import { newProject, share } from '../../support/projects.js'
import { instance, send } from '../../support/submissions.js'
import { quiet, useWalk } from '../../support/walk.js'

const hostile = '<img src=x onerror=alert(1)> {{x}}'
const survey = (rows: string, version: string) =>
  sheet(`type,name,label::English (en),label::العربية (ar),relevant\n${rows}`, {
    choices: 'list_name,name,label::English (en),label::العربية (ar)\nsex,f,Female,أنثى\nsex,m,Male,ذكر',
    settings: { form_id: 'household', form_title: `Household ${hostile}`, version },
  })
const first = survey(
  'text,name,Name,الاسم,\ninteger,age,Age,العمر,\ntext,shoe,Shoe,الحذاء,\nselect_one sex,sex,Sex,الجنس,',
  '1',
)
const second = survey(
  "text,name,Full name,الاسم,\ninteger,age,Age,العمر,${name} != ''\nselect_one sex,sex,Sex,الجنس,\ndate,born,Born,الميلاد,",
  '2',
)
const faulty = survey('text,name,Name,الاسم,\nwrongtype,x,X,س,', '3')

describe.skipIf(hasNoBrowser)('collecting and versions (needs Chromium on the PATH)', () => {
  const walk = useWalk()

  it('a manager shows the code, closes the form to people without accounts and takes it back; a reader and a visitor see what is theirs', async () => {
    const [ana, reader] = [await walk.app.account({ username: 'ana' }), await walk.app.account({ username: 'rita' })]
    const project = await newProject(walk.app, ana)
    const form = await publish(walk.app, ana, first, { project })
    await share(walk.app, ana, project, 'rita', 'readonly')
    await send(walk.app, ana, '/ana', instance(form, '<name>A</name><age>3</age>'))
    await send(walk.app, null, '/ana', instance(form, '<name>B</name>'))

    const page = await walk.as(ana, `/forms/${form.formid}/collect`)
    await page.waitForSelector('svg.code path')
    await page.waitForSelector('td:has-text("Without an account")')
    await page.waitForSelector('td:has-text("ana")')
    // The server calls itself by an address that no phone reaches.
    await page.waitForSelector('.notice.warn')
    await walk.check(page)
    await walk.pictures(page, 'collect')
    // A person's double click: the second one comes when the first is done and the button says the opposite.
    await page.dblclick('button:has-text("Ask everybody to sign in")', { delay: 100 })
    await page.waitForSelector('.toast .act')
    await page.waitForSelector('button:has-text("Let people send")')
    expect((await send(walk.app, null, '/ana', instance(form, '<name>C</name>'))).statusCode).toBe(401)
    await page.click('.toast .act')
    await page.waitForSelector('button:has-text("Ask everybody to sign in")')
    expect((await send(walk.app, null, '/ana', instance(form, '<name>C</name>'))).statusCode).toBe(201)

    // Without the right to send there is no such page among the tabs, and no switch on it.
    const other = await walk.as(reader, `/forms/${form.formid}/collect`)
    await other.waitForSelector('h2:has-text("People without an account")')
    expect(await other.locator('button:has-text("Ask everybody")').count()).toBe(0)
    expect(walk.faults(other)).toEqual([])
    const visitor = await walk.visitor(`/forms/${form.formid}/collect`)
    await visitor.waitForURL(/\/signin\?next=/)
    expect(await visitor.locator('svg.code').count()).toBe(0)
  })

  it('a faulty file is told by row, the mended one by its plan; what changed is shown by question, and the old one comes back', async () => {
    const ana = await walk.app.account()
    const form = await publish(walk.app, ana, first)
    await send(walk.app, ana, `/${ana.username}`, instance(form, '<name>A</name><shoe>42</shoe>'))
    const page = await walk.as(ana, `/forms/${form.formid}/versions`)
    const drop = (name: string, text: string) =>
      page.setInputFiles('.replace input[type=file]', { name, mimeType: 'text/csv', buffer: Buffer.from(text) })
    await drop('faulty.csv', faulty)
    await page.waitForSelector('tbody td:has-text("wrongtype")')
    await walk.check(page, /400/)
    await drop('second.csv', second)
    await page.waitForSelector('.sentences li.fault:has-text("Shoe")')
    await walk.check(page, /400/)
    await walk.pictures(page, 'versions-plan')
    await drop('second.csv', second)
    await page.click('button:has-text("Publish this version")')
    await page.waitForSelector('article:has-text("Version 2") .chip')
    await page.waitForSelector('li.added:has-text("Born")')
    await page.waitForSelector('li.removed:has-text("Shoe")')
    await page.waitForSelector('li.changed ins:has-text("Full name")')
    await walk.check(page, /400/)
    await walk.pictures(page, 'versions')
    await page.click('article:has-text("Version 1") button:has-text("Restore")')
    await page.waitForSelector('#plan:has-text("Version 1")')
    await page.click('button:has-text("Publish this version")')
    await page.waitForSelector('article:nth-of-type(3)')
    const versions = (await walk.app.as(ana)('GET', `/forms/${form.formid}/versions`)).json()
    expect(versions).toHaveLength(3)
    await quiet(page)
    // In Arabic the labels are those of the form's Arabic.
    await page.goto(`/forms/${form.formid}/versions?language=${encodeURIComponent('العربية (ar)')}&open=2`)
    await page.waitForSelector('li.added:has-text("الميلاد")')
    expect(walk.faults(page, /400/)).toEqual([])
  })
})
