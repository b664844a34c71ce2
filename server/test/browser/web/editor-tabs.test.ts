// One form in two tabs of one browser: nobody overwrites themselves.
import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Account } from '../../support/app.js'
import { hasNoBrowser } from '../../support/browser.js'
import { publish, sheet } from '../../support/forms.js'
import { newProject } from '../../support/projects.js'
import { useWalk } from '../../support/walk.js'

describe.skipIf(hasNoBrowser)('a form in two tabs of one browser (needs Chromium on the PATH)', () => {
  const walk = useWalk()
  let ana: Account
  let project: number

  beforeAll(async () => {
    if (hasNoBrowser) return
    ana = await walk.app.account({ username: 'ana' })
    project = await newProject(walk.app, ana, { name: 'First' })
  })

  const cell = (page: Page, text: string) => page.locator(`[role=gridcell] :text-is("${text}")`).first()
  const elsewhere = (page: Page, words: string) => page.waitForSelector(`.notice:has-text("${words}")`)

  it('the second tab is told, takes the form over with the last word of the first, and the first is told in turn', async () => {
    const text = sheet('type,name,label\ntext,name,Name', { settings: { form_id: 'twice', form_title: 'Twice' } })
    const { formid } = await publish(walk.app, ana, text, { project })
    const first = await walk.as(ana, `/forms/${formid}/edit`)
    await cell(first, 'Name').click()
    const second = await walk.tab(first, `/forms/${formid}/edit`)
    await elsewhere(second, 'This form is open in another tab')
    expect(await second.locator('[role=grid]').count()).toBe(0)
    await walk.picture(second, 'editor-elsewhere')
    await walk.check(second)
    // Still being typed when the other tab asks for it.
    await first.locator('aside [name=label]').first().fill('Full name')
    await second.click('.notice button:has-text("Open it here")')
    await cell(second, 'Full name').waitFor()
    await elsewhere(first, 'This form is open in another tab')
    expect(await first.locator('[role=grid]').count()).toBe(0)
    await first.click('.notice button:has-text("Open it here")')
    await cell(first, 'Full name').waitFor()
    await second.close()
    await first.reload()
    await cell(first, 'Full name').waitFor()
    expect(walk.faults(first)).toEqual([])
  })

  it('a new form of the project is made in one tab; saved there, another can be begun', async () => {
    const first = await walk.as(ana, `/projects/${project}/new`)
    await first.click('main button:has-text("Start from nothing")')
    await first.waitForSelector('[role=grid]')
    const second = await walk.tab(first, `/projects/${project}/new`)
    await second.click('main button:has-text("Start from nothing")')
    await elsewhere(second, 'A new form of this project is being made in another tab')
    await first.click('main button:has-text("Add question")')
    await first.getByRole('menuitem', { name: 'Text', exact: true }).click()
    await first.locator('aside [name=label]').first().fill('Street')
    await cell(first, 'Street').waitFor()
    await first.click('main button:has-text("Save draft")')
    await first.waitForURL(/\/forms\/\d+\/edit$/)
    await second.click('main button:has-text("Start from nothing")')
    await second.waitForSelector('[role=grid]')
    const third = await walk.tab(first, new URL(first.url()).pathname)
    await elsewhere(third, 'This form is open in another tab')
  })
})
