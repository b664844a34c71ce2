// The start page, a project with its forms, people, activity and settings, and organizations: as owner, reader, sender and stranger.
import { beforeAll, describe, expect, it } from 'vitest'
import type { Account } from '../../support/app.js'
import { hasNoBrowser } from '../../support/browser.js'
import { publish, visitSheet } from '../../support/forms.js'
import { newProject, share } from '../../support/projects.js'
import { instance, send } from '../../support/submissions.js'
import { quiet, useWalk } from '../../support/walk.js'

const hostile = '<img src=x onerror=alert(1)> {{x}} ' + 'very long '.repeat(20)

describe.skipIf(hasNoBrowser)('projects, people and organizations (needs Chromium on the PATH)', () => {
  const walk = useWalk()
  let ana: Account
  let ben: Account
  let project: number
  let formId: number

  const rolesOf = async (): Promise<Record<string, string>> => {
    const { users } = (await walk.app.as(ana)('GET', `/projects/${project}`)).json()
    return Object.fromEntries(users.map(({ user, role }: { user: string; role: string }) => [user, role]))
  }

  beforeAll(async () => {
    if (hasNoBrowser) return
    ana = await walk.app.account({ username: 'ana' })
    ben = await walk.app.account({ username: 'ben' })
    project = await newProject(walk.app, ana, { name: 'Wells of the north' })
    const form = await publish(walk.app, ana, visitSheet({ form_title: 'Visit', form_id: 'visit' }), { project })
    formId = form.formid
    await publish(walk.app, ana, visitSheet({ form_title: hostile.slice(0, 250), form_id: 'hostile' }), { project })
    await walk.app.as(ana)('PATCH', `/projects/${project}`, { body: { metadata: { description: hostile } } })
    for (let n = 0; n < 3; n += 1) await send(walk.app, ana, '/ana', instance(form, '<name>Amina</name>'))
  })

  it('hundreds of projects: what is sought can be typed before they are there, and a window of them is drawn', async () => {
    const ana = await walk.app.account()
    for (let made = 0; made < 240; made += 20)
      await Promise.all(Array.from({ length: 20 }, (_, n) => newProject(walk.app, ana, { name: `Survey ${made + n}` })))
    const page = await walk.as(ana, '/signin')
    let release = () => {}
    const isReleased = new Promise<void>((resolve) => {
      release = resolve
    })
    await page.route(/\/api\/v1\/projects\?/, async (route) => {
      await isReleased
      await route.continue()
    })
    await page.goto('/')
    await page.getByRole('searchbox').fill('survey 17')
    await page.waitForURL(/q=survey/)
    release()
    const drawn = page.locator('article.project')
    await page.waitForSelector('text=13 projects')
    expect(await drawn.count()).toBe(13)
    expect(await page.getByRole('searchbox').inputValue()).toBe('survey 17')
    await page.getByRole('searchbox').fill('')
    await page.waitForSelector('text=240 projects')
    expect(await drawn.count()).toBe(60)
    await page.getByRole('button', { name: /60 more/ }).click()
    await expect.poll(() => drawn.count()).toBe(120)
  })

  it('who has no project is offered an example, an upload and an empty one; making one leads to it', async () => {
    const page = await walk.as(await walk.app.account())
    await page.waitForSelector('.empty')
    await walk.check(page)
    await walk.pictures(page, 'first-steps')
    await page.click('.step:nth-child(3) button')
    await page.fill('[role=dialog] [name=name]', 'Schools')
    await page.dblclick('[role=dialog] button[type=submit]')
    await page.waitForURL(/\/projects\/\d+$/)
    await page.waitForSelector('h1:has-text("Schools")')
    await walk.check(page)
    await page.goto('/')
    await page.waitForSelector('.project')
    expect(await page.locator('.project').count()).toBe(1)
  })

  it('the start page tells what happened; search and owner stand in the address', async () => {
    const page = await walk.as(ana)
    await page.waitForSelector('.project:has-text("3 records today") svg')
    await page.waitForSelector('.recent a:has-text("Visit")')
    await walk.check(page)
    await walk.pictures(page, 'home')
    await page.fill('input[type=search]', 'nothing of this name')
    await page.waitForSelector('.empty')
    expect(page.url()).toContain('q=nothing')
    await page.click('.empty button')
    await page.waitForSelector('.project')
  })

  it('a faulty form is refused by row and column beside the upload; the mended one goes in without starting over', async () => {
    const page = await walk.as(ana, `/projects/${project}`)
    await page.waitForSelector('tbody tr:has-text("Visit")')
    await walk.check(page)
    await walk.pictures(page, 'project')
    await page.keyboard.press('u')
    const choose = (text: string) =>
      page.setInputFiles('[role=dialog] input[type=file]', {
        name: 'visit.csv',
        mimeType: 'text/csv',
        buffer: Buffer.from(text),
      })
    await choose(visitSheet({ form_id: 'visit' }).replace('integer,age', 'integr,age'))
    await page.waitForSelector('[role=dialog] td:has-text("column type")')
    await walk.check(page, /400/)
    await walk.pictures(page, 'upload-refused')
    await page.keyboard.press('u')
    await choose(visitSheet({ form_id: 'visit', form_title: 'Visit again' }))
    await page.waitForSelector('[role=dialog] .notice.good:has-text("Visit again")')
    // The id was taken: what the server made of it is said.
    await page.waitForSelector('[role=dialog] .notice.good:has-text("Another form here has this id")')
    await walk.check(page, /400/)
    await page.keyboard.press('Escape')
    await page.waitForSelector('tbody tr:has-text("Visit again")')
    await page.selectOption('.tools select >> nth=1', 'last')
    expect(page.url()).toContain('order=last')
  })

  it('people: shared, changed, explained, removed with undo, and invited by mail', async () => {
    const page = await walk.as(ana, `/projects/${project}/people`)
    await page.fill('[name=who]', 'nobody_of_this_name')
    await page.press('[name=who]', 'Enter')
    await page.waitForSelector('[name=who][aria-invalid=true]')
    expect(await page.inputValue('[name=who]')).toBe('nobody_of_this_name')
    await page.fill('[name=who]', 'ben')
    await page.press('[name=who]', 'Enter')
    await page.waitForSelector('.list li:has-text("ben") select')
    await page.selectOption('.list li:has-text("ben") select', 'dataentry-minor')
    await expect.poll(async () => (await rolesOf()).ben).toBe('dataentry-minor')
    await page.click('.list li:has-text("ben") button')
    await page.click('[role=menuitem] >> nth=0')
    await page.waitForSelector('[role=dialog] .reasons li')
    await walk.check(page, /400/)
    await page.keyboard.press('Escape')
    await page.waitForSelector('[role=dialog]', { state: 'detached' })
    await page.click('.list li:has-text("ben") button')
    await page.click('[role=menuitem].danger')
    await expect.poll(async () => (await rolesOf()).ben).toBeUndefined()
    // The change of the role can be taken back too, by a toast of its own.
    await page.click('.toast:has-text("removed") button:has-text("Undo")')
    await expect.poll(async () => (await rolesOf()).ben).toBe('dataentry-minor')
    await page.fill('[name=who]', 'cyd@example.org')
    await page.press('[name=who]', 'Enter')
    await page.waitForSelector('li:has-text("cyd@example.org"):has-text("Waiting")')
    expect(await walk.app.mailsTo('cyd@example.org')).toHaveLength(1)
    await walk.check(page, /400/)
    await walk.pictures(page, 'people')
    await page.click('li:has-text("cyd@example.org") button.danger')
    await page.waitForSelector('li:has-text("cyd@example.org"):has-text("Taken back")')
  })

  it('activity tells what happened with links, and what people write, once', async () => {
    const page = await walk.as(ana, `/projects/${project}/activity`)
    await page.waitForSelector(`a[href="/forms/${formId}"]`)
    await page.waitForSelector('article:has-text("3 records")')
    await page.fill('textarea', '<b>Hello</b> all')
    await page.dblclick('form.say button')
    await page.waitForSelector('.said:has-text("<b>Hello</b> all")')
    await quiet(page)
    expect(await page.locator('.said').count()).toBe(1)
    await walk.check(page)
    await walk.pictures(page, 'activity')
  })

  it('settings are saved, faults stand beside their fields, and deleting asks for the name', async () => {
    const other = await newProject(walk.app, ana, { name: 'Schools' })
    const page = await walk.as(ana, `/projects/${other}/settings`)
    await page.fill('[name=name]', 'Wells of the north')
    await page.press('[name=name]', 'Enter')
    await page.waitForSelector('[name=name][aria-invalid=true]')
    expect(await page.inputValue('[name=name]')).toBe('Wells of the north')
    await page.fill('[name=name]', 'Schools of the south')
    await page.press('[name=name]', 'Enter')
    await page.waitForSelector('h1:has-text("Schools of the south")')
    await page.click('label:has-text("Everybody") input')
    await page.click('[role=dialog] .primary')
    await page.waitForSelector('header .chip:has-text("Everybody"), .title .chip:has-text("Everybody")')
    await page.fill('.add input', 'water')
    await page.press('.add input', 'Enter')
    await page.waitForSelector('.label:has-text("water")')
    await walk.check(page, /400/)
    await walk.pictures(page, 'project-settings')
    await page.click('button.danger:has-text("Delete this project")')
    expect(await page.isDisabled('[role=dialog] .primary')).toBe(true)
    await page.fill('[role=dialog] input', 'schools of the south')
    await page.click('[role=dialog] .primary')
    await page.waitForURL(`${walk.address}/`)
    expect((await walk.app.as(ana)('GET', `/projects/${other}`)).statusCode).toBe(404)
  })

  it('who sees their own records sees what they may, and nothing to change; a stranger and a visitor see that nothing is here', async () => {
    await share(walk.app, ana, project, 'ben', 'dataentry-minor')
    const page = await walk.as(ben, `/projects/${project}`)
    await page.waitForSelector('tbody tr')
    expect(await page.locator('nav a:has-text("Settings")').count()).toBe(0)
    expect(await page.locator('button:has-text("Upload")').count()).toBe(0)
    expect(await page.locator('tbody svg[role=img]').count()).toBe(0)
    await page.goto(`/projects/${project}/people`)
    await page.waitForSelector('.list li')
    expect(await page.locator('.list select').count()).toBe(0)
    await page.goto(`/projects/${project}/settings`)
    await page.waitForSelector('.empty')
    await walk.check(page)
    const stranger = await walk.as(await walk.app.account(), `/projects/${project}/people`)
    await stranger.waitForSelector('.fault')
    const visitor = await walk.visitor(`/projects/${project}`)
    await visitor.waitForURL(/\/signin\?next=/)
  })

  it('an organization is made, has members and teams with roles on projects, and shows its months', async () => {
    const page = await walk.as(ana, '/orgs')
    await page.click('.empty button')
    await page.fill('[role=dialog] [name=name]', 'Acme Relief')
    expect(await page.inputValue('[role=dialog] [name=org]')).toBe('acme_relief')
    await page.press('[role=dialog] [name=org]', 'Enter')
    await page.waitForURL(`${walk.address}/orgs/acme_relief`)
    await page.click('button:has-text("Add a member")')
    await page.fill('[role=dialog] [name=who]', 'ben')
    await page.press('[role=dialog] [name=who]', 'Enter')
    await page.waitForSelector('.list li:has-text("ben")')
    const owned = await newProject(walk.app, ana, { name: 'Clinics', owner: 'acme_relief' })
    await page.reload()
    await page.waitForSelector(`a[href="/projects/${owned}"]`)
    await walk.check(page)
    await walk.pictures(page, 'org')
    await page.click('nav a:has-text("Teams")')
    await page.click('button:has-text("New team")')
    await page.fill('[role=dialog] [name=team]', 'nurses')
    await page.press('[role=dialog] [name=team]', 'Enter')
    await page.waitForSelector('.team:has-text("nurses") form')
    await page.selectOption('.team:has-text("nurses") form >> nth=0 >> select', 'ben')
    // By the keyboard: a message may lie over the button.
    await page.press('.team:has-text("nurses") form >> nth=0 >> button', 'Enter')
    await page.waitForSelector('.team:has-text("nurses") .member [title=ben]')
    await page.selectOption('.team:has-text("nurses") form >> nth=1 >> select >> nth=0', String(owned))
    await page.press('.team:has-text("nurses") form >> nth=1 >> button', 'Enter')
    await page.waitForSelector(`.team:has-text("nurses") a[href="/projects/${owned}"]`)
    await walk.check(page)
    await walk.pictures(page, 'teams')
    await page.goto(`/projects/${owned}/people`)
    await page.waitForSelector('li:has-text("nurses") select')
    await walk.check(page)
    const reader = await walk.as(ben, '/orgs/acme_relief')
    await reader.waitForSelector('.list li:has-text("ana")')
    expect(await reader.locator('.list select').count()).toBe(0)
    expect(await reader.locator('button:has-text("Edit the profile")').count()).toBe(0)
    await walk.check(reader)
  })
})
