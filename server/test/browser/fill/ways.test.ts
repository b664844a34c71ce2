// The ways from the application to filling in.
import { describe, expect, it } from 'vitest'
import { hasNoBrowser } from '../../support/browser.js'
import { formShown, namedSheet } from '../../support/fill.js'
import { publish } from '../../support/forms.js'
import { newProject } from '../../support/projects.js'
import { instance, newId, send as post } from '../../support/submissions.js'
import { useWalk } from '../../support/walk.js'

describe.skipIf(hasNoBrowser)('ways to filling in (needs Chromium on the PATH)', () => {
  const walk = useWalk()

  it('lead from the overview, from collecting, from a record and from the table to the form', async () => {
    const ana = await walk.app.account({ username: 'ana' })
    const project = await newProject(walk.app, ana, { name: 'Ways' })
    const form = await publish(walk.app, ana, namedSheet('ways'), { project })
    const id = newId()
    expect((await post(walk.app, ana, '/ana', instance(form, '<name>Amina</name>', { id }))).statusCode).toBe(201)
    const page = await walk.as(ana, '/')
    for (const [from, to] of [
      ['', `/f/ana/${form.formid}`],
      ['/collect', `/f/ana/${form.formid}`],
      [`/records/${id}`, `/f/ana/${form.formid}/${id}?from=`],
      [`/data?record=${id}`, `/f/ana/${form.formid}/`],
    ] as const) {
      await page.goto(`/forms/${form.formid}${from}`)
      await page.locator(`a[href^="${to}"]`).first().click()
      await formShown(page)
      expect(page.url()).toContain(to)
    }
    expect(walk.faults(page)).toEqual([])
  })
})
