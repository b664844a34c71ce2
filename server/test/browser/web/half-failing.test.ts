// A page whose main thing is there and whose parts fail: each part says so, and nothing stands as if it were still on its way.
import { beforeAll, describe, expect, it } from 'vitest'
import type { Account } from '../../support/app.js'
import { hasNoBrowser } from '../../support/browser.js'
import { publish, sheet } from '../../support/forms.js'
import { newOrganization, newProject } from '../../support/projects.js'
import { instance, newId, send } from '../../support/submissions.js'
import { goWithin, useWalk } from '../../support/walk.js'

const survey = sheet('type,name,label\ntext,name,Name\ngeopoint,place,Place\nimage,photo,Photo', {
  settings: { form_id: 'visit', form_title: 'Visit' },
})

/** What a page is about; all else are its parts. */
const whole = /\/api\/v1\/(user|profiles\/\w+|projects|projects\/\d+|forms\/\d+|forms\/\d+\/form\.json|orgs\/\w+)(\?|$)/

/** Pages that ask for parts beside what they are about. */
const pages = [
  '/projects/{project}',
  '/projects/{project}/people',
  '/projects/{project}/activity',
  '/forms/{form}',
  '/forms/{form}/data',
  '/forms/{form}/map',
  '/forms/{form}/charts',
  '/forms/{form}/dashboard',
  '/forms/{form}/media',
  '/forms/{form}/collect',
  '/forms/{form}/versions',
  '/forms/{form}/records/{record}',
  '/orgs',
  '/orgs/{org}',
  '/orgs/{org}/teams',
  '/account/sessions',
]

const trouble = /That did not work|could not be loaded|Something went wrong/
const waiting = 'main :is(.skeleton, .coming, [aria-busy=true])'

describe.skipIf(hasNoBrowser)('parts of pages that fail (needs Chromium on the PATH)', () => {
  const walk = useWalk()
  let ana: Account
  const names: Record<string, string> = {}

  beforeAll(async () => {
    if (hasNoBrowser) return
    ana = await walk.app.account({ username: 'ana' })
    const project = await newProject(walk.app, ana, { name: 'Wells' })
    const form = await publish(walk.app, ana, survey, { project })
    const id = newId()
    await send(walk.app, ana, '/ana', instance(form, '<name>Amina</name><place>-1.28 36.8 0 0</place>', { id }))
    Object.assign(names, { project, form: form.formid, record: id, org: await newOrganization(walk.app, ana) })
  })

  it('each page says what did not come, with a way to ask again, and nothing waits for ever', async () => {
    const page = await walk.as(ana)
    const failed = new Set<string>()
    await page.route('**/api/v1/**', (route) => {
      const request = route.request()
      if (request.method() !== 'GET' || whole.test(request.url())) return route.continue()
      failed.add(new URL(request.url()).pathname)
      return route.fulfill({ status: 500, contentType: 'application/json', body: '{"detail": "Broken."}' })
    })
    for (const path of pages) {
      failed.clear()
      await goWithin(
        page,
        path.replace(/\{(\w+)\}/g, (_all, name) => names[name] ?? ''),
      )
      await expect.poll(() => failed.size, { message: path }).not.toBe(0)
      await expect.poll(() => page.locator('main').innerText(), { message: path }).toMatch(trouble)
      await expect.poll(() => page.locator(waiting).count(), { message: path }).toBe(0)
      expect([path, await page.locator('main button:has-text("Try again")').count()]).not.toEqual([path, 0])
      await walk.picture(page, `half-failing-${path.split('/').at(-1)}`)
    }
  })

  it('what comes on the next try takes the place of the words', async () => {
    const page = await walk.as(ana)
    let isBroken = true
    await page.route('**/api/v1/charts/**', (route) => (isBroken ? route.fulfill({ status: 500 }) : route.continue()))
    await goWithin(page, `/forms/${names.form}`)
    await page.waitForSelector('.notice:has-text("Some of this page could not be loaded")')
    isBroken = false
    await page.click('.notice button:has-text("Try again")')
    await page.waitForSelector('h2:has-text("Submissions over time")')
    expect(await page.locator('.notice').count()).toBe(0)
  })
})
