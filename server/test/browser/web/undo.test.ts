// Undo restores exactly what was, or is not offered: then what would be lost is said first. What is done to many, or beside
// others, never says or writes more than is true.
import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Account } from '../../support/app.js'
import { hasNoBrowser } from '../../support/browser.js'
import { newForm, put } from '../../support/data.js'
import { newOrganization, newProject, share } from '../../support/projects.js'
import { settled, useWalk } from '../../support/walk.js'

describe.skipIf(hasNoBrowser)('undo (needs Chromium on the PATH)', () => {
  const walk = useWalk()
  let ben: Account

  const formOf = async (who: Account, formId: number) => (await walk.app.as(who)('GET', `/forms/${formId}`)).json()
  const roleOn = async (owner: Account, path: string): Promise<string | undefined> =>
    (await walk.app.as(owner)('GET', path))
      .json<{ users: { user: string; role: string }[] }>()
      .users.find(({ user }) => user === ben.username)?.role
  const choose = async (page: Page, line: string, item: string) => {
    await page.click(`${line} button`)
    await page.click(`[role=menuitem]:has-text("${item}")`)
  }

  beforeAll(async () => {
    if (!hasNoBrowser) ben = await walk.app.account({ username: 'ben' })
  })

  it('a project is opened or closed with all its forms: that is asked first, and there is no undo', async () => {
    const { ana, projectId, form } = await newForm(walk.app)
    await walk.app.as(ana)('PATCH', `/projects/${projectId}`, { body: { public: true } })
    await walk.app.as(ana)('PATCH', `/forms/${form.id}`, { body: { public_data: false } })
    const page = await walk.as(ana, `/projects/${projectId}/settings`)
    await page.click('label:has-text("Only those") input')
    await page.click('[role=dialog] button:has-text("Cancel")')
    await page.waitForSelector('[role=dialog]', { state: 'detached' })
    expect(await page.isChecked('label:has-text("Everybody") input')).toBe(true)
    await page.click('label:has-text("Only those") input')
    await page.waitForSelector('[role=dialog]:has-text("all its forms")')
    await walk.check(page)
    await page.click('[role=dialog] .primary')
    await page.waitForSelector('.toast:has-text("closed now")')
    expect(await page.locator('.toast button:has-text("Undo")').count()).toBe(0)
    expect(await formOf(ana, form.id)).toMatchObject({ public: false, public_data: false })
    await page.click('label:has-text("Everybody") input')
    await page.waitForSelector('[role=dialog]:has-text("every record in them")')
  })

  it('whoever is removed from a project comes back with the role they had on each form, unless somebody was faster', async () => {
    const { ana, projectId, form } = await newForm(walk.app)
    await share(walk.app, ana, projectId, 'ben', 'editor')
    await walk.app.as(ana)('POST', `/forms/${form.id}/share`, { body: { username: 'ben', role: 'readonly' } })
    const page = await walk.as(ana, `/projects/${projectId}/people`)
    await choose(page, '.list li:has-text("ben")', 'Remove')
    await page.click('.toast:has-text("removed") button:has-text("Undo")')
    await page.waitForSelector('.toast:has-text("Taken back")')
    expect(await roleOn(ana, `/projects/${projectId}`)).toBe('editor')
    expect(await roleOn(ana, `/forms/${form.id}`)).toBe('readonly')
    await page.selectOption('.list li:has-text("ben") select', 'manager')
    await page.waitForSelector('.toast:has-text("Manager") button:has-text("Undo")')
    await share(walk.app, ana, projectId, 'ben', 'dataentry')
    await page.click('.toast:has-text("Manager") button:has-text("Undo")')
    await page.waitForSelector('.toast:has-text("Somebody else changed this")')
    expect(await roleOn(ana, `/projects/${projectId}`)).toBe('dataentry')
  })

  it('removing a member of an organization says what they lose, and offers no undo', async () => {
    const { ana } = await newForm(walk.app)
    const org = await newOrganization(walk.app, ana)
    await walk.app.as(ana)('POST', `/orgs/${org}/members`, { body: { username: 'ben', role: 'manager' } })
    const page = await walk.as(ana, `/orgs/${org}`)
    await page.selectOption('.list li:has-text("ben") select', 'readonly')
    await page.waitForSelector('[role=dialog]:has-text("every role of their own")')
    await page.click('[role=dialog] button:has-text("Cancel")')
    await page.waitForSelector('[role=dialog]', { state: 'detached' })
    expect(await page.inputValue('.list li:has-text("ben") select')).toBe('manager')
    await choose(page, '.list li:has-text("ben")', 'Remove')
    await page.waitForSelector('[role=dialog]:has-text("leave its teams")')
    await walk.check(page)
    await page.click('[role=dialog] .primary')
    await page.waitForSelector('.toast:has-text("removed")')
    expect(await page.locator('.toast button:has-text("Undo")').count()).toBe(0)
    expect(await roleOn(ana, `/orgs/${org}`)).toBeUndefined()
  })

  const takeBack = (page: Page, said: string) => page.click(`.toast:has-text("${said}") button:has-text("Undo")`)
  const conflict = '.toast:has-text("Somebody else changed this")'

  it('a role of a team on a project, and a place in a team, come back, unless somebody else was faster', async () => {
    const { ana } = await newForm(walk.app)
    const org = await newOrganization(walk.app, ana)
    const as = walk.app.as(ana)
    await as('POST', `/orgs/${org}/members`, { body: { username: 'ben', role: 'readonly' } })
    const project = await newProject(walk.app, ana, { name: 'Clinics', owner: org })
    const { teamid } = (await as('POST', '/teams', { body: { organization: org, name: 'nurses' } })).json()
    await as('POST', `/teams/${teamid}/members`, { body: { username: 'ben' } })
    const give = (role: string) => as('POST', `/teams/${teamid}/share`, { body: { project, role } })
    await give('readonly')
    const team = async () => {
      const teams = (await as('GET', `/teams?org=${org}`)).json<
        { teamid: number; users: { username: string }[]; projects: { projectid: number; default_role: string }[] }[]
      >()
      const found = teams.find((one) => one.teamid === teamid)
      return [
        found?.projects.find(({ projectid }) => projectid === project)?.default_role,
        found?.users.map(({ username }) => username),
      ]
    }
    const page = await walk.as(ana, `/orgs/${org}/teams`)
    const role = '.team:has-text("nurses") .line select'
    await page.selectOption(role, 'editor')
    await takeBack(page, 'Clinics: Editor')
    await page.waitForSelector('.toast:has-text("Taken back")')
    expect(await team()).toEqual(['readonly', ['ben']])
    await page.selectOption(role, 'manager')
    await page.waitForSelector('.toast:has-text("Clinics: Manager")')
    await give('dataentry')
    await takeBack(page, 'Clinics: Manager')
    await page.waitForSelector(conflict)
    expect(await team()).toEqual(['dataentry', ['ben']])

    const other = await walk.as(ana, `/orgs/${org}/teams`)
    await other.click('.team:has-text("nurses") .member button')
    await takeBack(other, 'not in nurses any more')
    await other.waitForSelector('.toast:has-text("Taken back")')
    expect(await team()).toEqual(['dataentry', ['ben']])
    await other.reload()
    await other.click('.team:has-text("nurses") .member button')
    await other.waitForSelector('.toast:has-text("not in nurses any more")')
    await as('DELETE', `/orgs/${org}/members`, { body: { username: 'ben' } })
    await takeBack(other, 'not in nurses any more')
    await other.waitForSelector(conflict)
    expect(await team()).toEqual(['dataentry', []])
  })

  it('whether everybody sees a form comes back, unless somebody else was faster', async () => {
    const { ana, form } = await newForm(walk.app)
    const page = await walk.as(ana, `/forms/${form.id}/settings`)
    const box = page.getByLabel('Everybody can see the questions')
    await box.click()
    await takeBack(page, 'Saved')
    await page.waitForSelector('.toast:has-text("Taken back")')
    expect(await formOf(ana, form.id)).toMatchObject({ public: false })
    await page.reload()
    await box.click()
    await page.waitForSelector('.toast:has-text("Saved")')
    await walk.app.as(ana)('PATCH', `/forms/${form.id}`, { body: { public: false } })
    await walk.app.as(ana)('PATCH', `/forms/${form.id}`, { body: { title: 'By somebody else' } })
    await takeBack(page, 'Saved')
    await page.waitForSelector(conflict)
    expect(await formOf(ana, form.id)).toMatchObject({ public: false, title: 'By somebody else' })
  })

  it('a role on a form that came through the project comes through it again', async () => {
    const { ana, projectId, form } = await newForm(walk.app)
    await share(walk.app, ana, projectId, 'ben', 'editor')
    const page = await walk.as(ana, `/forms/${form.id}/settings/people`)
    await page.selectOption('.people li:has-text("ben") select', 'readonly')
    await page.click('.toast button:has-text("Undo")')
    await page.waitForSelector('.toast:has-text("Taken back")')
    await share(walk.app, ana, projectId, 'ben', 'dataentry')
    expect(await roleOn(ana, `/forms/${form.id}`)).toBe('dataentry')
  })

  it('deleting many that breaks in the middle says how many were deleted, and brings these back', async () => {
    const { ana, form } = await newForm(walk.app)
    const at = new Date(Date.UTC(2024, 0, 1)).toISOString()
    await put(
      walk.app,
      form,
      ...Array.from({ length: 1100 }, (_, n) => ({ answers: { name: `Person ${n}` }, at, by: ana.id })),
    )
    const page = await walk.as(ana, `/forms/${form.id}/data`)
    await page.waitForSelector('.count:has-text("1,100 records")')
    await page.click('[role=grid] input[type=checkbox] >> nth=0')
    await page.waitForSelector('.chosen:has-text("1,100 chosen")')
    let calls = 0
    await page.route(`**/api/v1/data/${form.id}`, (route) => {
      if (route.request().method() === 'DELETE') calls += 1
      return calls === 2 ? route.abort() : route.continue()
    })
    await page.click('.chosen button:has-text("Delete")')
    await page.waitForSelector('.toast:has-text("1,000 records deleted"):has-text("100 records were not reached")')
    await page.waitForSelector('.count:text-is("100 records")')
    await page.click('.toast:has-text("1,000 records deleted") button:has-text("Undo")')
    await page.waitForSelector('.toast:has-text("1,000 records restored")')
    await page.waitForSelector('.count:has-text("1,100 records")')
    // One that is taken out of all leaves the others.
    await page.click('[role=grid] input[type=checkbox] >> nth=0')
    await page.click('.line >> nth=2 >> .tick input')
    await page.waitForSelector('.chosen:has-text("1,099 chosen")')
    await page.click('.chosen button[aria-label="Choose none"], .chosen .tools button:last-child')
    // Opening a record is a step: back closes it, and the table stays.
    await page.click('.line >> nth=1 >> [data-cell] >> nth=0')
    await page.keyboard.press('Enter')
    await page.waitForURL(/record=/)
    await page.goBack()
    await page.waitForURL(`${walk.address}/forms/${form.id}/data`)
    await page.waitForSelector('.count:has-text("1,100 records")')
  })

  it('two tabs of settings do not overwrite what the other saved', async () => {
    const { ana, projectId, form } = await newForm(walk.app)
    const page = await walk.as(ana, `/forms/${form.id}/settings`)
    await walk.app.as(ana)('PATCH', `/forms/${form.id}`, { body: { description: 'by another tab' } })
    await page.fill('[name=title]', 'Title of this tab')
    await page.press('[name=title]', 'Enter')
    await page.waitForSelector('.toast:has-text("Saved")')
    expect(await formOf(ana, form.id)).toMatchObject({ title: 'Title of this tab', description: 'by another tab' })
    await page.goto(`/projects/${projectId}/settings`)
    await settled(page)
    const metadata = { description: 'by another tab', place: 'kept' }
    await walk.app.as(ana)('PATCH', `/projects/${projectId}`, { body: { metadata } })
    await page.fill('[name=name]', `Project of ${ana.username}`)
    await page.press('[name=name]', 'Enter')
    await page.waitForSelector('.toast:has-text("Saved")')
    const project = (await walk.app.as(ana)('GET', `/projects/${projectId}`)).json()
    expect([project.name, project.metadata]).toEqual([`Project of ${ana.username}`, metadata])
  })

  it('a table that cannot be loaded says so once; #number finds a record, and Ctrl K opens over no dialog', async () => {
    const { ana, form } = await newForm(walk.app)
    const at = new Date(Date.UTC(2024, 0, 1)).toISOString()
    const [id] = await put(walk.app, form, { answers: { name: 'Amina' }, at, by: ana.id })
    const page = await walk.as(ana, `/forms/${form.id}`)
    await page.keyboard.press('Control+k')
    await page.fill('.palette-input', `#${id}`)
    await page.waitForSelector(`.palette [role=option]:has-text("#${id}")`)
    await page.keyboard.press('Escape')
    await page.waitForSelector('.palette', { state: 'detached' })
    await page.keyboard.press('?')
    await page.waitForSelector('[role=dialog] dl')
    await page.keyboard.press('Control+k')
    await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))')
    expect(await page.locator('.palette').count()).toBe(0)
    await page.route(`**/api/v1/data/${form.id}?*`, (route) => route.fulfill({ status: 500, body: '{}' }))
    await page.goto(`/forms/${form.id}/data`)
    await page.waitForSelector('.fault')
    expect(await page.innerText('.count')).toBe('')
  })
})
