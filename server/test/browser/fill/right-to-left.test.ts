// Forms in a language that is read from right to left.
import { describe, expect, it } from 'vitest'
import { hasNoBrowser } from '../../support/browser.js'
import { formShown } from '../../support/fill.js'
import { publish, sheet } from '../../support/forms.js'
import { newProject } from '../../support/projects.js'
import { useWalk } from '../../support/walk.js'

describe.skipIf(hasNoBrowser)('from right to left (needs Chromium on the PATH)', () => {
  const walk = useWalk()

  it('a form in Arabic turns the page, and nothing of it is out of reach', async () => {
    const ben = await walk.app.account({ username: 'ben' })
    const project = await newProject(walk.app, ben, { name: 'Arabic' })
    const text = sheet(
      'type,name,label::English (en),label::العربية (ar)\ntext,name,Name,الاسم\nselect_one yn,agreed,Agreed,موافق',
      {
        choices: 'list_name,name,label::English (en),label::العربية (ar)\nyn,yes,Yes,نعم\nyn,no,No,لا',
        settings: { form_id: 'arabic', form_title: 'زيارة', default_language: 'العربية (ar)' },
      },
    )
    const { formid } = await publish(walk.app, ben, text, { project })
    const page = await walk.as(ben, `/f/ben/${formid}`, { viewport: { width: 360, height: 740 }, locale: 'ar' })
    await formShown(page)
    await page.waitForSelector('html[dir=rtl]')
    await page.waitForSelector('label:has-text("الاسم")')
    expect(
      await page.evaluate(`[...document.querySelectorAll('body *')].filter((one) => {
        const { left, right, width } = one.getBoundingClientRect()
        return width > 0 && (left < 0 || right > innerWidth)
      }).map((one) => one.className || one.localName)`),
    ).toEqual([])
    await walk.check(page)
    await walk.picture(page, 'fill-arabic')
  })
})
