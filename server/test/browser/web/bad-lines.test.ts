// Bad lines, page by page: the line is lost when a page is opened or something is saved, a session ends in the middle, answers are
// slow. Each is a state with words, nothing that was typed is lost, and it goes on by itself or by one press.
import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Account } from '../../support/app.js'
import { hasNoBrowser } from '../../support/browser.js'
import { publish, visitSheet } from '../../support/forms.js'
import { newOrganization, newProject } from '../../support/projects.js'
import { instance, newId, send } from '../../support/submissions.js'
import { goWithin, painted, useWalk } from '../../support/walk.js'

const unreached = 'The server cannot be reached. Nothing is lost; try again when the connection is back.'

describe.skipIf(hasNoBrowser)('bad lines (needs Chromium on the PATH)', () => {
  const walk = useWalk()
  let ana: Account
  const names: Record<string, string> = {}
  const filled = (text: string) => text.replace(/\{(\w+)\}/g, (_all, name: string) => names[name] ?? name)
  const read = async (path: string) => (await walk.app.as(ana)('GET', filled(path))).json()

  beforeAll(async () => {
    if (hasNoBrowser) return
    ana = await walk.app.account({ username: 'ana' })
    await walk.app.account({ username: 'ben' })
    Object.assign(names, await makeForm('Visit'), { org: await newOrganization(walk.app, ana) })
  })

  /** In a project of its own, with a record. */
  const makeForm = async (title: string) => {
    const project = await newProject(walk.app, ana, { name: `Project of ${title}` })
    const form = await publish(walk.app, ana, visitSheet({ form_id: title, form_title: title }), { project })
    const id = newId()
    await send(walk.app, ana, '/ana', instance(form, '<name>Amina</name><age>31</age><sex>f</sex>', { id }))
    return { project: String(project), form: String(form.formid), record: id }
  }

  /** Nothing is on its way any more, also not what follows from what was answered last. */
  const idle = (page: Page) => {
    const pending = new Set<object>()
    page.on('request', (request) => pending.add(request))
    page.on('requestfinished', (request) => pending.delete(request))
    page.on('requestfailed', (request) => pending.delete(request))
    return async () => {
      do {
        await expect.poll(() => pending.size, { timeout: 30_000 }).toBe(0)
        await painted(page)
      } while (pending.size > 0)
    }
  }
  const endSessions = async () => {
    const sessions = await read('/user/sessions')
    for (const { id } of sessions) await walk.app.as(ana)('DELETE', `/user/sessions/${id}`)
    expect(await read('/user/sessions')).toEqual([])
  }
  const says = (page: Page, words: string) =>
    page.locator(`:is([role=alert], .toast, [role=dialog], main):has-text("${words}")`)

  interface Save {
    readonly page: string
    /** What leads to the form, pressed before. */
    readonly opens?: string
    readonly typed?: Readonly<Record<string, string>>
    readonly save: string
    /** Whether the server has it. */
    readonly stored: () => Promise<boolean>
  }
  const dialog = '[role=dialog]'
  const saves: readonly Save[] = [
    {
      page: '/',
      opens: 'button:has-text("New project")',
      typed: { [`${dialog} [name=name]`]: 'Schools' },
      save: `${dialog} [type=submit]`,
      stored: async () => (await read('/projects')).some(({ name }: { name: string }) => name === 'Schools'),
    },
    {
      page: '/setup/first',
      typed: { '[name=project]': 'Clinics' },
      save: 'form:has([name=project]) [type=submit]',
      stored: async () => (await read('/projects')).some(({ name }: { name: string }) => name === 'Clinics'),
    },
    {
      page: '/projects/{project}/people',
      typed: { '[name=who]': 'ben' },
      save: 'form:has([name=who]) [type=submit]',
      stored: async () => JSON.stringify((await read('/projects/{project}')).users).includes('"ben"'),
    },
    {
      page: '/projects/{project}/phones',
      opens: '.empty button',
      typed: { [`${dialog} [name=name]`]: 'Tablet 7' },
      save: `${dialog} button:has-text("Make the key")`,
      stored: async () => JSON.stringify(await read('/projects/{project}/keys')).includes('Tablet 7'),
    },
    {
      page: '/projects/{project}/activity',
      typed: { textarea: 'Hello all' },
      save: 'form.say button',
      stored: async () =>
        JSON.stringify(await read('/messaging?target_type=project&target_id={project}')).includes('Hello all'),
    },
    {
      page: '/projects/{project}/settings',
      typed: { '[name=name]': 'Wells of the north' },
      save: 'form:has([name=name]) [type=submit]',
      stored: async () => (await read('/projects/{project}')).name === 'Wells of the north',
    },
    {
      page: '/forms/{form}/data',
      opens: '.line .tick input',
      save: '.chosen button:has-text("Approve")',
      stored: async () => (await read('/data/{form}/{record}'))._review_status === '1',
    },
    {
      page: '/forms/{form}/charts',
      opens: 'button[aria-label="More about “Sex”"]',
      save: '[role=menuitem]:has-text("Keep on the dashboard")',
      stored: async () => (await read('/widgets?xform={form}')).length === 1,
    },
    {
      page: '/forms/{form}/dashboard',
      opens: 'button:has-text("Add")',
      typed: { [`${dialog} select`]: 'number', [`${dialog} input`]: 'How many' },
      save: `${dialog} button:has-text("Save")`,
      stored: async () => JSON.stringify(await read('/widgets?xform={form}')).includes('How many'),
    },
    {
      page: '/forms/{form}/collect',
      save: 'main button:has-text("Ask everybody to sign in")',
      stored: async () => (await read('/forms/{form}')).anonymous_submissions === false,
    },
    {
      page: '/forms/{form}/collect',
      opens: 'button:has-text("New link")',
      typed: { [`${dialog} [name=name]`]: 'Poster' },
      save: `${dialog} button:has-text("Make the link")`,
      stored: async () => JSON.stringify(await read('/forms/{form}/links')).includes('Poster'),
    },
    {
      page: '/forms/{form}/records/{record}',
      opens: 'button[aria-label="Change the answer to: Name"]',
      typed: { '.edit .input': 'Amina II' },
      save: '.edit button[type=submit]',
      stored: async () => (await read('/data/{form}/{record}')).name === 'Amina II',
    },
    {
      page: '/forms/{form}/records/{record}',
      typed: { 'form:has-text("Add note") textarea': 'Ask for the age again' },
      save: 'button:has-text("Add note")',
      stored: async () => JSON.stringify(await read('/data/{form}/{record}')).includes('Ask for the age again'),
    },
    {
      page: '/forms/{form}/services',
      opens: '.empty button',
      typed: { '[name=service_url]': 'https://example.org/in' },
      save: `${dialog} button.primary`,
      stored: async () => (await read('/restservices?xform={form}')).length === 1,
    },
    {
      page: '/forms/{form}/settings',
      typed: { '[name=title]': 'Visit of the north' },
      save: 'form:has([name=title]) [type=submit]',
      stored: async () => (await read('/forms/{form}')).title === 'Visit of the north',
    },
    {
      page: '/forms/{form}/edit',
      typed: { '[name=form-title]': 'Visit of the south' },
      save: 'main button:has-text("Save draft")',
      stored: async () => (await read('/forms/{form}')).has_draft === true,
    },
    {
      page: '/projects/{project}/new',
      opens: '.template:has-text("Water point") button:has-text("Use it")',
      typed: { '[name=form-title]': 'Wells of the south' },
      save: 'main button:has-text("Save draft")',
      stored: async () => JSON.stringify(await read('/projects/{project}')).includes('Wells of the south'),
    },
    {
      page: '/orgs',
      opens: 'button:has-text("New organization")',
      typed: { [`${dialog} [name=name]`]: 'Acme Relief' },
      save: `${dialog} [type=submit]`,
      stored: async () => JSON.stringify(await read('/orgs')).includes('Acme Relief'),
    },
    {
      page: '/orgs/{org}',
      opens: 'button:has-text("Add a member")',
      typed: { [`${dialog} [name=who]`]: 'ben' },
      save: `${dialog} [type=submit]`,
      stored: async () => JSON.stringify(await read('/orgs/{org}')).includes('"ben"'),
    },
    {
      page: '/orgs/{org}/teams',
      opens: 'button:has-text("New team")',
      typed: { [`${dialog} [name=team]`]: 'nurses' },
      save: `${dialog} [type=submit]`,
      stored: async () => JSON.stringify(await read('/teams?org={org}')).includes('nurses'),
    },
    {
      page: '/account',
      typed: { '[name=city]': 'Kisumu' },
      save: 'form:has([name=city]) [type=submit]',
      stored: async () => (await read('/profiles/ana')).city === 'Kisumu',
    },
  ]

  it('what is saved without a line says so and keeps what was typed; in a session that ended it asks for the password and is saved', {
    timeout: 240_000,
  }, async () => {
    const page = await walk.as(ana)
    const isIdle = idle(page)
    const type = async ([selector, text]: [string, string]) => {
      const field = page.locator(selector).first()
      if (selector.endsWith('select')) await field.selectOption(text)
      else await field.fill(text)
    }
    const values = (typed: object) =>
      Promise.all(Object.keys(typed).map((one) => page.locator(one).first().inputValue()))
    for (const { page: path, opens, typed = {}, save, stored } of saves) {
      const step = `${path}: ${save}`
      await goWithin(page, filled(path))
      if (opens !== undefined) await page.locator(opens).first().click()
      for (const one of Object.entries(typed)) await type(one)
      await page.locator(save).first().waitFor()
      await isIdle()

      await page.context().setOffline(true)
      await page.locator(save).first().click()
      await says(page, unreached).first().waitFor()
      expect([step, await values(typed), await stored()]).toEqual([step, Object.values(typed), false])
      await walk.picture(page, `unsaved-${path.split('/').at(-1)}`)
      // A message stays until somebody has read it.
      for (const close of await page.locator('.toast.fault [aria-label="Close"]').all()) await close.click()

      await page.context().setOffline(false)
      await page.waitForSelector('[role=status] .bar', { state: 'detached' })
      await isIdle()
      await endSessions()
      // A menu has closed; everything else is as it was.
      if (save.startsWith('[role=menuitem]') && opens !== undefined) await page.locator(opens).first().click()
      await page.locator(save).first().click()
      await page.waitForSelector(`${dialog}:has-text("Sign in again") [name=password]`)
      await walk.picture(page, `expired-${path.split('/').at(-1)}`)
      expect([step, await values(typed)]).toEqual([step, Object.values(typed)])
      await page.fill(`${dialog}:has-text("Sign in again") [name=password]`, ana.password)
      await page.press(`${dialog}:has-text("Sign in again") [name=password]`, 'Enter')
      await page.waitForSelector(`${dialog}:has-text("Sign in again")`, { state: 'detached' })
      await expect.poll(async () => [step, await stored()], { timeout: 30_000 }).toEqual([step, true])
      // Some lead to what was made: the way there is not to end the way to the next page.
      await isIdle()
      await page.keyboard.press('Escape')
    }
    expect(walk.faults(page, /status of 40[01]|ERR_INTERNET_DISCONNECTED/)).toEqual([])
  })

  const opened = [
    ['/projects/{project}', 'tbody tr'],
    ['/projects/{project}/new', 'main button:has-text("Start from nothing")'],
    ['/projects/{project}/people', '.list li'],
    ['/projects/{project}/phones', 'main button:has-text("New key")'],
    ['/projects/{project}/activity', 'article'],
    ['/projects/{project}/settings', '[name=name]'],
    ['/forms/{form}', 'main :text("1 record")'],
    ['/forms/{form}/data', '.line'],
    ['/forms/{form}/map', '.empty'],
    ['/forms/{form}/charts', 'article.chart figure'],
    ['/forms/{form}/dashboard', '.empty'],
    ['/forms/{form}/media', '.empty'],
    ['/forms/{form}/collect', 'h2:has-text("People without an account")'],
    ['/forms/{form}/versions', 'h2:has-text("Versions")'],
    ['/forms/{form}/edit', '[role=grid]'],
    ['/forms/{form}/settings', '[name=title]'],
    ['/forms/{form}/services', '.empty'],
    ['/forms/{form}/records/{record}', '.answer'],
  ] as const

  it('a page that is opened without a line says that there is none and fills by itself when it is back; one seen before is shown', async () => {
    const page = await walk.as(ana)
    // The programs of these pages are there from now on, and what the last one shows.
    for (const [path] of opened) {
      await goWithin(page, filled(path))
      await page.waitForSelector('main h2, main [role=grid], main .answer, main tbody, main .list, main .empty')
    }
    const seen = filled('/forms/{form}/records/{record}')
    const answer = page.locator('.answer').first()
    const kept = await answer.innerText()
    const before = { ...names }
    for (const [at, [path, shows]] of opened.entries()) {
      Object.assign(names, await makeForm(`Other${at}`))
      await page.context().setOffline(true)
      await goWithin(page, filled(path))
      await page.waitForSelector(
        `.fault:has(h2:text-is("No connection")):has-text("${unreached}") button:has-text("Try again")`,
      )
      await page.waitForSelector('[role=status] .bar:has-text("You can go on reading")')
      expect([path, await page.textContent('#page-title')]).not.toEqual([path, ''])
      await walk.picture(page, `offline-${path.split('/').at(-1)}`)
      await goWithin(page, seen)
      expect([path, await answer.innerText()]).toEqual([path, kept])
      await goWithin(page, filled(path))
      await page.waitForSelector('.fault h2:text-is("No connection")')
      await page.context().setOffline(false)
      await page.waitForSelector(shows)
      await page.waitForSelector('[role=status] .bar', { state: 'detached' })
    }
    Object.assign(names, before)
    expect(walk.faults(page, /ERR_INTERNET_DISCONNECTED/)).toEqual([])
  })

  it('a page whose program is not there yet leaves the one that is open, and opens by one press when the line is back', async () => {
    const page = await walk.as(ana)
    await page.waitForSelector('.project')
    await page.fill('input[type=search]', 'Project of')
    await page.context().setOffline(true)
    await goWithin(page, '/account/sessions')
    await page.waitForSelector('.toast:has-text("which cannot be reached. You are still where you were.")')
    expect([new URL(page.url()).pathname, await page.inputValue('input[type=search]')]).toEqual(['/', 'Project of'])
    await page.context().setOffline(false)
    await page.waitForSelector('[role=status] .bar', { state: 'detached' })
    await page.click('.toast button:has-text("Try again")')
    await page.waitForSelector('.session .chip')
  })

  it('where answers are slow, every page stands at once with its title and what it waits for; after a while it says so', async () => {
    const page = await walk.as(ana)
    Object.assign(names, await makeForm('Slow'))
    const held: (() => Promise<void>)[] = []
    let holds = true
    await page.route('**/api/v1/**', (route) => (holds ? void held.push(() => route.continue()) : route.continue()))
    for (const [path] of opened) {
      await goWithin(page, filled(path))
      await page.waitForSelector('#page-title')
      await page.waitForSelector('main .skeleton')
      await walk.picture(page, `slow-${path.split('/').at(-1)}`)
    }
    await page.waitForSelector('[role=status] .bar:has-text("The connection is slow")')
    holds = false
    for (const go of held) await go().catch(() => undefined)
    await page.waitForSelector('.answer')
    await page.waitForSelector('[role=status] .bar', { state: 'detached' })
  })

  it('a model that did not come is asked for again by one press', async () => {
    const page = await walk.as(ana)
    let fails = true
    await page.route('**/form.json', (route) => (fails ? route.fulfill({ status: 503 }) : route.continue()))
    await goWithin(page, filled('/forms/{form}/charts'))
    await page.waitForSelector('.fault button:has-text("Try again")')
    fails = false
    await page.click('.fault button:has-text("Try again")')
    await page.waitForSelector('article.chart figure')
    expect(walk.faults(page, /status of 503/)).toEqual([])
  })
})
