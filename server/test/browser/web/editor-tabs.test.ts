// One form in two tabs of one browser: nobody overwrites themselves.
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { hasNoBrowser } from '../../support/browser.js'
import { useEditors } from '../../support/editor.js'
import { publish, sheet } from '../../support/forms.js'

describe.skipIf(hasNoBrowser)('a form in two tabs of one browser (needs Chromium on the PATH)', () => {
  const at = useEditors()
  const { walk } = at

  const cell = (page: Page, text: string) => page.locator(`[role=gridcell] :text-is("${text}")`).first()
  const elsewhere = (page: Page, words: string) => page.waitForSelector(`.notice:has-text("${words}")`)

  it('the second tab is told, takes the form over with the last word of the first, and the first is told in turn', async () => {
    const text = sheet('type,name,label\ntext,name,Name', { settings: { form_id: 'twice', form_title: 'Twice' } })
    const { formid } = await publish(walk.app, at.ana, text, { project: at.project })
    const first = await walk.as(at.ana, `/forms/${formid}/edit`)
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

  const question = async (page: Page, label: string) => {
    await page.click('main button:has-text("Add question")')
    await page.getByRole('menuitem', { name: 'Text', exact: true }).click()
    await page.locator('aside [name=label]').first().fill(label)
    await page.locator('aside [name=label]').first().blur()
    await cell(page, label).waitFor()
    await page.waitForSelector('[role=status]:has-text("Kept in this browser")')
  }

  it('each new form has a place of its own: one begun elsewhere overwrites nothing, all are listed, saving forgets only its own', async () => {
    const first = await walk.as(at.ana, `/projects/${at.project}/new`)
    await first.click('main button:has-text("Start from nothing")')
    await question(first, 'Street')
    const second = await walk.tab(first, `/projects/${at.project}/new`)
    await second.click('main button:has-text("Start from nothing")')
    await question(second, 'Town')
    await second.click('main button:has-text("Save draft")')
    await second.waitForURL(/\/forms\/\d+\/edit$/)
    const third = await walk.tab(first, `/projects/${at.project}/new`)
    await third.waitForSelector('.notice:has-text("is not saved yet")')
    expect(await third.locator('.notice:has-text("is not saved yet")').count()).toBe(1)
    // It is open in the first tab.
    await third.click('.notice button:has-text("Go on")')
    await elsewhere(third, 'This form is open in another tab')
    await third.click('.notice button:has-text("Open it here")')
    await cell(third, 'Street').waitFor()
    await elsewhere(first, 'This form is open in another tab')
    // A template is kept before anybody types.
    const fourth = await walk.tab(first, `/projects/${at.project}/new`)
    await fourth.click('.template:has-text("Water point") button:has-text("Use it")')
    await fourth.waitForSelector('[role=status]:has-text("Kept in this browser")')
    await fourth.reload()
    await fourth.waitForSelector('.notice:has-text("Water point")')
    expect(await fourth.locator('.notice:has-text("is not saved yet")').count()).toBe(2)
  })
})
