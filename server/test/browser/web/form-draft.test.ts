// A version of a form that is tried out: its code, what was sent to it, publishing it and throwing it away.
import { describe, expect, it } from 'vitest'
import { hasNoBrowser } from '../../support/browser.js'
import { publish, sheet } from '../../support/forms.js'
import { sendBy } from '../../support/keys.js'
import { newProject } from '../../support/projects.js'
import { instance } from '../../support/submissions.js'
import { useWalk } from '../../support/walk.js'

const visit = (more = '') =>
  sheet(`type,name,label\ntext,name,Name${more}`, { settings: { form_id: 'visit', form_title: 'Visit' } })

describe.skipIf(hasNoBrowser)('a version that is tried out (needs Chromium on the PATH)', () => {
  const walk = useWalk()

  it('is dropped, shows its address and what it would mean, then what was sent to it; it is published, and another is thrown away', async () => {
    const ana = await walk.app.account({ username: 'ana' })
    const project = await newProject(walk.app, ana, { name: 'First' })
    const form = await publish(walk.app, ana, visit(), { project })
    const draft = async () => walk.app.as(ana)('GET', `/forms/${form.formid}/draft`)
    const page = await walk.as(ana, `/forms/${form.formid}/versions`)
    const drop = (text: string) =>
      page.setInputFiles('section:has(#draft) .drop input', {
        name: 'visit.csv',
        mimeType: 'text/csv',
        buffer: Buffer.from(text),
      })
    await page.waitForSelector('#draft')
    await drop(sheet('type,name,label\ntext,,Name'))
    await page.waitForSelector('section:has(#draft) .notice.fault')
    await drop(visit('\ntext,village,Village'))
    await page.waitForSelector('section:has(#draft) li:has-text("village")')
    const made = (await draft()).json()
    const shownAddress = () =>
      page.evaluate(
        `[...document.querySelectorAll('section:has(#draft) input, section:has(#draft) code, section:has(#draft) output')].map((one) => one.value || one.textContent).join(' ')`,
      )
    await expect.poll(shownAddress).toContain(made.token)
    const xml = instance({ id_string: 'visit', version: made.version }, '<name>أمل</name><village>V</village>')
    expect((await sendBy(walk.app, made, xml)).statusCode).toBe(201)
    await page.reload()
    await page.waitForSelector('section:has(#draft) td:has-text("أمل")')
    // Refusals above, and the picture of the code where the server makes none.
    await walk.check(page, /40[04]/)
    await walk.pictures(page, 'form-draft')
    await page.click('section:has(#draft) button:has-text("Publish this version")')
    await page.waitForSelector('section:has(#draft) h3', { state: 'detached' })
    expect((await walk.app.as(ana)('GET', `/forms/${form.formid}`)).json()).toMatchObject({
      version: made.version,
      num_of_submissions: 0,
    })
    await drop(visit('\ntext,other,Other'))
    await page.waitForSelector('section:has(#draft) h3')
    await page.click('section:has(#draft) button:has-text("Throw it away")')
    await page.click('[role=dialog] button.primary')
    await page.waitForSelector('section:has(#draft) h3', { state: 'detached' })
    expect((await draft()).statusCode).toBe(404)
  })
})
