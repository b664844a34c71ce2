// Every page as its owner, as somebody who reads, as somebody who sees their own records alone, and signed out: each opens with its
// title, says in words what is not for them, offers what they may do and nothing else, and does nothing that a page should not.
import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Account } from '../../support/app.js'
import { jpeg } from '../../support/attachments.js'
import { hasNoBrowser } from '../../support/browser.js'
import { publish, sheet } from '../../support/forms.js'
import { newOrganization, newProject, share } from '../../support/projects.js'
import { instance, newId, send } from '../../support/submissions.js'
import { goWithin, useWalk } from '../../support/walk.js'

const survey = (id: string, title: string) =>
  sheet('type,name,label\ntext,name,Name\nselect_one sex,sex,Sex\ngeopoint,place,Place\nimage,photo,Photo', {
    choices: 'list_name,name,label\nsex,f,Female\nsex,m,Male',
    settings: { form_id: id, form_title: title },
  })

type Person = 'owner' | 'reader' | 'own' | 'visitor'

interface Row {
  readonly title: string
  /** What everybody sees who may open it. */
  readonly shows: string
  /** Who is told what instead, in words. Visitors are led to sign in where nothing else is said. */
  readonly told?: Partial<Record<Person, string>>
  /** What is offered to whom; to the others it is not. */
  readonly offers?: Readonly<Record<string, readonly Person[]>>
}

const everybody: readonly Person[] = ['owner', 'reader', 'own']
const owner: readonly Person[] = ['owner']
const nothing = 'There is nothing here'
const closed = 'This is not open to you'
const managers = `${closed} This part is for those who manage the form.`
const editors = `${closed} Settings are for those who edit the form.`
const notAtAll = 'There is nothing at this address'

const pages: Readonly<Record<string, Row>> = {
  '/': {
    title: 'Projects',
    shows: '.project:has-text("Wells")',
    told: { visitor: 'Forms out, answers in, all in one place' },
    offers: { 'button:has-text("New project")': everybody, '.project:has-text("Hidden")': owner },
  },
  '/projects/{project}': {
    title: 'Wells',
    shows: 'tbody tr:has-text("Visit")',
    offers: {
      'button:has-text("Upload a form")': owner,
      'a:has-text("New form")': owner,
      'nav a:text-is("Settings")': owner,
    },
  },
  '/projects/{project}/new': {
    title: 'New form',
    shows: 'button:has-text("Start from nothing")',
    told: { reader: closed, own: closed },
  },
  '/projects/{project}/people': {
    title: 'Wells',
    shows: '.list li:has-text("ana")',
    offers: { '.list select': owner, 'button:has-text("Share")': owner },
  },
  '/projects/{project}/phones': {
    title: 'Wells',
    shows: 'main button:has-text("New key")',
    told: { reader: closed, own: closed },
  },
  '/projects/{project}/activity': { title: 'Wells', shows: 'article', offers: { 'form.say button': owner } },
  '/projects/{project}/settings': {
    title: 'Wells',
    shows: 'button:has-text("Delete this project")',
    told: { reader: closed, own: closed },
  },
  '/forms/{form}': {
    title: 'Visit',
    shows: 'main :text("record")',
    offers: {
      ':text("Amina")': ['owner', 'reader'],
      'h2:has-text("Needs attention")': owner,
      ':text("You see the records that you sent yourself")': ['own'],
      'nav a:text-is("Settings")': owner,
      'nav a:text-is("Collect")': ['owner', 'own'],
    },
  },
  '/forms/{form}/data': {
    title: 'Visit',
    shows: '.line:has-text("Bo")',
    offers: { '.line:has-text("Amina")': ['owner', 'reader'], 'button:has-text("Export")': everybody },
  },
  '/forms/{form}/data?view=trash': {
    title: 'Visit',
    shows: '.line:has-text("Bo"), h2:has-text("The trash is empty")',
    offers: { 'h2:has-text("The trash is empty")': owner },
  },
  '/forms/{form}/map': {
    title: 'Visit',
    shows: '.sight li:has-text("otto")',
    offers: { '.sight li:has-text("ana")': ['owner', 'reader'] },
  },
  '/forms/{form}/charts': {
    title: 'Visit',
    shows: 'article.chart [role=slider] svg',
    offers: { 'article.chart :text("3 answers")': ['owner', 'reader'], 'article.chart :text("1 answer")': ['own'] },
  },
  '/forms/{form}/dashboard': {
    title: 'Visit',
    shows: '.empty:has-text("Nothing is kept here yet")',
    offers: { 'button:has-text("Add")': owner },
  },
  '/forms/{form}/media': {
    title: 'Visit',
    shows: '.tile',
    offers: { '.tile >> nth=2': ['owner', 'reader'], 'option:text-is("ana")': ['owner', 'reader'] },
  },
  '/forms/{form}/collect': {
    title: 'Visit',
    shows: 'h2:has-text("People without an account")',
    offers: { 'button:has-text("Ask everybody to sign in")': owner, 'button:has-text("New link")': owner },
  },
  '/forms/{form}/versions': {
    title: 'Visit',
    shows: 'h2:has-text("Versions")',
    offers: {
      'h2:has-text("Publish a new version")': owner,
      'input[type=file]': owner,
      'a:has-text("Edit the form")': owner,
    },
  },
  '/forms/{form}/edit': {
    title: 'Visit',
    shows: '[role=grid]',
    told: { reader: managers, own: managers },
    offers: { 'button:has-text("Save draft")': owner, 'button:has-text("Publish")': owner },
  },
  '/forms/{hidden}/edit': { title: 'Hidden', shows: '[role=grid]', told: { reader: nothing, own: nothing } },
  '/projects/{hiddenProject}/new': {
    title: 'New form',
    shows: 'button:has-text("Start from nothing")',
    told: { reader: nothing, own: nothing },
  },
  '/forms/{form}/settings': { title: 'Visit', shows: '[name=title]', told: { reader: editors, own: editors } },
  '/forms/{form}/settings/people': {
    title: 'Visit',
    shows: '.people li:has-text("rita")',
    told: { reader: managers, own: managers },
  },
  '/forms/{form}/settings/files': {
    title: 'Visit',
    shows: 'h2:has-text("Files and links")',
    told: { reader: editors, own: editors },
  },
  '/forms/{form}/settings/records': { title: 'Visit', shows: '#import', told: { reader: managers, own: managers } },
  '/forms/{form}/services': {
    title: 'Visit',
    shows: 'button:has-text("Add service")',
    told: { reader: managers, own: managers },
  },
  '/forms/{form}/services/1': {
    title: 'Visit',
    shows: '.fault',
    told: { owner: nothing, reader: managers, own: managers },
  },
  '/forms/{form}/records/{theirs}': {
    title: 'Visit',
    shows: '.answer:has-text("Amina")',
    told: { own: nothing },
    offers: {
      'button:has-text("Approve")': owner,
      'button:has-text("Delete record")': owner,
      '[aria-label^="Change the answer"]': owner,
    },
  },
  '/forms/{form}/records/{mine}': {
    title: 'Visit',
    shows: '.answer:has-text("Bo")',
    offers: { 'button:has-text("Approve")': owner, '[aria-label^="Change the answer"]': owner },
  },
  ...Object.fromEntries(
    [
      '',
      '/data',
      '/map',
      '/charts',
      '/dashboard',
      '/media',
      '/collect',
      '/versions',
      '/settings',
      '/records/{theirs}',
    ].map((part) => [
      `/forms/{hidden}${part}`,
      { title: 'Hidden', shows: 'main nav a', told: { reader: nothing, own: nothing } } satisfies Row,
    ]),
  ),
  '/projects/{hiddenProject}': { title: 'Hidden', shows: 'tbody', told: { reader: nothing, own: nothing } },
  '/orgs': {
    title: 'Organizations',
    shows: 'button:has-text("New organization")',
    offers: { 'a[href="/orgs/{org}"]': owner },
  },
  '/orgs/{org}': {
    title: '{org}',
    shows: 'h2:has-text("Projects")',
    offers: { 'button:has-text("Add a member")': owner, 'button:has-text("Edit the profile")': owner },
  },
  '/orgs/{org}/teams': {
    title: '{org}',
    shows: '.team, .empty:has-text("You are in no team here")',
    offers: { 'button:has-text("New team")': owner, '.team': owner },
  },
  '/account': { title: 'Your account', shows: '[name=first_name]' },
  '/account/password': { title: 'Your account', shows: '[name=new-password]' },
  '/account/sessions': { title: 'Your account', shows: '.session .chip' },
  '/account/token': { title: 'Your account', shows: '[name=password]' },
  '/account/applications': { title: 'Your account', shows: 'button:has-text("Register an application")' },
  '/account/look': { title: 'Your account', shows: '[name=language]' },
  ...Object.fromEntries(
    ['/server', '/server/people', '/server/settings'].map((path) => [
      path,
      { title: 'Not found', shows: '.empty', told: { owner: notAtAll, reader: notAtAll, own: notAtAll } } satisfies Row,
    ]),
  ),
  '/setup/first': { title: 'Your first form', shows: 'button:has-text("Make the example")' },
  '/nowhere/at/all': {
    title: 'Not found',
    shows: '.empty',
    told: { owner: notAtAll, reader: notAtAll, own: notAtAll, visitor: notAtAll },
  },
}

/** Pages for people who are not signed in, which have walks of their own. */
const beforeTheDoor = ['/signin', '/register', '/reset', '/verify', '/invitation', '/setup', '/public/dashboard']

describe.skipIf(hasNoBrowser)('every page, as everybody (needs Chromium on the PATH)', () => {
  const walk = useWalk()
  const names: Record<string, string> = {}
  const people = {} as Record<Exclude<Person, 'visitor'>, Account>
  const filled = (text: string) => text.replace(/\{(\w+)\}/g, (_all, name: string) => names[name] ?? name)

  beforeAll(async () => {
    if (hasNoBrowser) return
    const { app } = walk
    people.owner = await app.account({ username: 'ana' })
    people.reader = await app.account({ username: 'rita' })
    people.own = await app.account({ username: 'otto' })
    const [project, hiddenProject] = [
      await newProject(app, people.owner, { name: 'Wells' }),
      await newProject(app, people.owner, { name: 'Hidden' }),
    ]
    const form = await publish(app, people.owner, survey('visit', 'Visit'), { project })
    const hidden = await publish(app, people.owner, survey('hidden', 'Hidden'), { project: hiddenProject })
    await share(app, people.owner, project, 'rita', 'readonly')
    await share(app, people.owner, project, 'otto', 'dataentry-minor')
    const picture = await jpeg(64, 48)
    const sent = async (by: Account, name: string) => {
      const id = newId()
      const markup = `<name>${name}</name><sex>f</sex><place>-1.2 36.8 0 5</place><photo>${name}.jpg</photo>`
      const files = [{ name: `${name}.jpg`, content: picture, type: 'image/jpeg' }]
      expect((await send(app, by, '/ana', instance(form, markup, { id }), files)).statusCode).toBe(201)
      return id
    }
    Object.assign(names, {
      project: String(project),
      hiddenProject: String(hiddenProject),
      form: String(form.formid),
      hidden: String(hidden.formid),
      theirs: await sent(people.owner, 'Amina'),
      mine: await sent(people.own, 'Bo'),
      org: await newOrganization(app, people.owner),
    })
    await sent(people.owner, 'Cy')
  })

  const wordsOf = async (page: Page) => (await page.locator('main').innerText()).replace(/\s+/g, ' ')

  const look = async (page: Page, person: Person, path: string, row: Row) => {
    const told = row.told?.[person]
    await goWithin(page, filled(path))
    if (told !== undefined) {
      await expect.poll(() => wordsOf(page), { timeout: 30_000 }).toContain(told)
    } else if (person === 'visitor') {
      await page.waitForURL(/\/signin\?next=/)
      expect(new URL(page.url()).searchParams.get('next')).toBe(filled(path))
      expect(await page.locator('main nav a').count()).toBe(0)
      return
    } else {
      await page.waitForSelector(filled(row.shows), { state: 'attached' })
      // A frame stands with the name of its page until the name of the thing is there.
      const titles = async () => [await page.textContent('#page-title'), await page.title()]
      await expect.poll(titles).toEqual([filled(row.title), `${filled(row.title)} · Sheaf`])
    }
    // What is hidden has no pages beside it, and nothing to press but the way back.
    if (told === nothing && !path.includes('/records/') && !path.includes('/services/'))
      expect(await page.locator('main nav a, main button').count()).toBe(0)
    for (const [selector, who] of Object.entries(row.offers ?? {})) {
      const isOffered = who.includes(person) && told === undefined
      const found = page.locator(`main ${filled(selector)}`)
      if (isOffered) await found.first().waitFor({ state: 'attached' })
      expect([selector, (await found.count()) > 0]).toEqual([selector, isOffered])
    }
  }

  const asEach = async (person: Person, page: Page) => {
    const wrong: string[] = []
    for (const [path, row] of Object.entries(pages)) {
      await look(page, person, path, row).catch((error: unknown) => wrong.push(`${person} at ${path}: ${error}`))
    }
    // A page asks whether something is there and for whom; what is not is answered so.
    expect([...wrong, ...walk.faults(page, /status of 40[14]/)]).toEqual([])
  }

  it('there is no page that is not here', async () => {
    const page = await walk.visitor()
    const router = "document.querySelector('#app').__vue_app__.config.globalProperties.$router"
    const paths = JSON.stringify(Object.keys(pages).map(filled))
    const walked = await page.evaluate(`${paths}.map((path) => ${router}.resolve(path).matched.at(-1).path)`)
    const all = (await page.evaluate(`${router}.getRoutes().map(({ path }) => path)`)) as string[]
    expect(all.length).toBeGreaterThan(30)
    expect(new Set(all.filter((path) => !(walked as string[]).includes(path)))).toEqual(new Set(beforeTheDoor))
  })

  it('the owner sees everything, and can do everything', async () => {
    const page = await walk.as(people.owner)
    await asEach('owner', page)
    await goWithin(page, '/orgs')
    await page.waitForSelector('main a[href^="/orgs/"]')
    await walk.check(page, /status of 404/)
  })

  it('a reader sees all records and changes nothing', async () => {
    const page = await walk.as(people.reader)
    await asEach('reader', page)
    for (const path of ['/forms/{form}/charts', '/forms/{form}/settings', '/forms/{hidden}/data']) {
      await goWithin(page, filled(path))
      await page.waitForSelector('main h2')
      await walk.check(page, /status of 404/)
    }
  })

  it('who sees their own records sees nothing of others', async () => {
    const page = await walk.as(people.own)
    await asEach('own', page)
  })

  it('a visitor is asked to sign in, and led on to what they wanted; what is hidden is not told from what is missing', async () => {
    const page = await walk.visitor()
    await asEach('visitor', page)
    await goWithin(page, filled('/forms/{form}/map'))
    await page.waitForURL(/\/signin\?next=/)
    await page.fill('[name=username]', 'rita')
    await page.fill('[name=password]', people.reader.password)
    await page.press('[name=password]', 'Enter')
    await page.waitForURL(filled(`${walk.address}/forms/{form}/map**`))
    await page.waitForSelector('.sight li:has-text("ana")')
  })
})
