// Saving in the form editor: two people at once, what publishing means, files that go out and come back, questions that are kept.
import { readFileSync } from 'node:fs'
import { compile } from '@sheaf/xlsform'
import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Account } from '../../support/app.js'
import { hasNoBrowser } from '../../support/browser.js'
import { useEditors } from '../../support/editor.js'
import { formFile, postParts, publish, sheet } from '../../support/forms.js'
import { share } from '../../support/projects.js'
import { instance, send } from '../../support/submissions.js'

const visit = (id: string) =>
  sheet('type,name,label,hint\ntext,name,Name,\ninteger,age,Age,\nselect_one sex,sex,Sex,', {
    choices: 'list_name,name,label\nsex,f,Female\nsex,m,Male',
    settings: { form_id: id, form_title: id },
  })

describe.skipIf(hasNoBrowser)('saving in the form editor (needs Chromium on the PATH)', () => {
  const at = useEditors()
  const { walk } = at
  let ben: Account

  beforeAll(async () => {
    if (hasNoBrowser) return
    ben = await walk.app.account({ username: 'ben' })
    await share(walk.app, at.ana, at.project, 'ben', 'manager')
  })

  const cell = (page: Page, text: string) => page.locator(`[role=gridcell] :text-is("${text}")`).first()
  const relabel = async (page: Page, from: string, to: string) => {
    await cell(page, from).click()
    const field = page.locator('aside [name=label]').first()
    await expect.poll(() => field.inputValue()).toBe(from)
    await field.fill(to)
    await field.blur()
    await cell(page, to).waitFor()
  }
  const save = async (page: Page) => {
    await page.click('main button:has-text("Save draft")')
    await page.waitForSelector('[role=status]:has-text("Draft saved")')
  }
  const draftLabels = async (formId: number) => {
    const { statusCode, rawPayload } = await walk.app.as(at.ana)('GET', `/forms/${formId}/draft/spreadsheet`)
    expect(statusCode).toBe(200)
    return compile(rawPayload).model.children.flatMap(({ labels }) => labels.map(({ text }) => text))
  }

  it('whoever saves second is told who saved, sees what changed, chooses cell by cell, and nothing is lost', async () => {
    const { formid } = await publish(walk.app, at.ana, visit('shared'), { project: at.project })
    const [first, second] = [
      await walk.as(at.ana, `/forms/${formid}/edit`),
      await walk.as(ben, `/forms/${formid}/edit`),
    ]
    await relabel(first, 'Name', 'Full name')
    await relabel(first, 'Age', 'Age in years')
    await save(first)
    await relabel(second, 'Name', 'Whole name')
    await relabel(second, 'Sex', 'Sex of the person')
    await second.click('main button:has-text("Save draft")')
    await second.waitForSelector('[role=dialog]:has-text("ana saved it")')
    await second.waitForSelector('[role=dialog] .changes li:has-text("Age in years")')
    await walk.picture(second, 'editor-merge')
    await walk.check(second, /409/)
    await second.click('[role=dialog] .conflict:has-text("label") label:has-text("Full name")')
    await second.click('[role=dialog] button:has-text("Put both together")')
    await cell(second, 'Full name').waitFor()
    expect(await draftLabels(formid)).toEqual(['Full name', 'Age in years', 'Sex'])
    await save(second)
    expect(await draftLabels(formid)).toEqual(['Full name', 'Age in years', 'Sex of the person'])
    const draft = (await walk.app.as(at.ana)('GET', `/forms/${formid}/draft`)).json()
    expect(draft).toMatchObject({ saved_by: 'ben' })
  })

  it('before publishing it says what that means for the answers that are there', async () => {
    const form = await publish(walk.app, at.ana, visit('planned'), { project: at.project })
    await send(walk.app, at.ana, '/ana', instance(form, '<name>Amina</name><age>31</age><sex>f</sex>'))
    const page = await walk.as(at.ana, `/forms/${form.formid}/edit`)
    await cell(page, 'Age').click()
    await page.click('aside button[aria-label="Remove"]')
    await page.click('main button:has-text("Publish")')
    await page.waitForSelector('[role=dialog] li.fault:has-text("age")')
    await walk.picture(page, 'editor-plan')
    await walk.check(page)
    await page.click('[role=dialog] button:has-text("Publish this version all the same")')
    await page.waitForURL(`**/forms/${form.formid}`)
    const now = (await walk.app.as(at.ana)('GET', `/forms/${form.formid}`)).json()
    expect([now.version === form.version, now.has_draft]).toEqual([false, false])
  })

  it('a form that is downloaded and opened again is the same form', async () => {
    const text = visit('carried')
    const { formid } = await publish(walk.app, at.ana, text, { project: at.project })
    const page = await walk.as(at.ana, `/forms/${formid}/edit`)
    await cell(page, 'Age').waitFor()
    await page.click('button[aria-label="More"]')
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.click('[role=menuitem]:has-text("Download as .xlsx")'),
    ])
    expect(file.suggestedFilename()).toBe('carried.xlsx')
    const bytes = readFileSync(await file.path())
    expect(compile(bytes).xform).toBe(compile(Buffer.from(text), { fileName: 'carried.csv' }).xform)
    const again = await walk.as(at.ana, `/projects/${at.project}/new`)
    await again.setInputFiles('main .drop input', {
      name: 'carried.xlsx',
      mimeType: 'application/octet-stream',
      buffer: bytes,
    })
    await cell(again, 'Age').waitFor()
    await again.waitForSelector('.problems button:has-text("No mistakes")')
  })

  it('questions are kept in the library of the project and put into another form, with their choices', async () => {
    const { formid } = await publish(walk.app, at.ana, visit('kept'), { project: at.project })
    const page = await walk.as(at.ana, `/forms/${formid}/edit`)
    await cell(page, 'Sex').click()
    await page.click('button[aria-label="More"]')
    await page.click('[role=menuitem]:has-text("Keep questions in the library")')
    await page.fill('[name=library-name]', 'Sex of a person')
    await walk.picture(page, 'editor-library-keep')
    await page.click('[role=dialog] button:has-text("Keep")')
    await page.waitForSelector('.toast:has-text("is in the library")')
    const other = await walk.as(ben, `/projects/${at.project}/new`)
    await other.click('main button:has-text("Start from nothing")')
    await other.click('main button:has-text("Add question")')
    await other.click('[role=menuitem]:has-text("From the library")')
    await other.waitForSelector('[role=dialog] li:has-text("Sex of a person")')
    await walk.picture(other, 'editor-library')
    await walk.check(other)
    await other.click('[role=dialog] li:has-text("Sex of a person") button:has-text("Insert")')
    await cell(other, 'Sex').waitFor()
    await other.waitForSelector('.problems button:has-text("No mistakes")')
  })

  it('a form that came as an XForm says so, and rows are made from it', async () => {
    const { xform } = compile(Buffer.from(visit('fromxml')), { fileName: 'fromxml.csv' })
    const answer = await postParts(
      walk.app,
      at.ana,
      [formFile(xform, 'fromxml.xml', 'xml_file')],
      `/projects/${at.project}/forms`,
    )
    expect([200, 201]).toContain(answer.statusCode)
    const page = await walk.as(at.ana, `/forms/${answer.json().formid}/edit`)
    await page.waitForSelector('.notice:has-text("This form has no spreadsheet")')
    await page.click('button:has-text("Make the rows")')
    await cell(page, 'Age').waitFor()
    await page.waitForSelector('.problems button:has-text("No mistakes")')
  })

  const begin = async (title: string) => {
    const page = await walk.as(at.ana, `/projects/${at.project}/new`)
    await page.setInputFiles('main .drop input', {
      name: `${title}.csv`,
      mimeType: 'text/csv',
      buffer: Buffer.from(visit(title)),
    })
    await cell(page, 'Age').waitFor()
    await page.waitForSelector('.problems button:has-text("No mistakes")')
    return page
  }
  const formsCalled = async (title: string) =>
    (await walk.app.as(at.ana)('GET', `/projects/${at.project}/forms`))
      .json()
      .filter((form: { title: string }) => form.title === title)

  it('a form is made once: saved and tested in one breath, and saved again after a lost answer', async () => {
    const page = await begin('breath')
    await page.route('**/drafts?uuid=*', async (route) => {
      const answer = await route.fetch()
      await new Promise((done) => setTimeout(done, 1500))
      await route.fulfill({ response: answer })
    })
    await page.click('main button:has-text("Save draft")')
    await page.locator('main button:has-text("Test on a phone")').click()
    await page.waitForSelector('[role=dialog]:has-text("Test on a phone")')
    expect(await formsCalled('breath')).toHaveLength(1)

    const lost = await beginAndLose('lost')
    await relabel(lost, 'Age', 'Years')
    await save(lost)
    const [form, ...more] = await formsCalled('lost')
    expect(more).toEqual([])
    expect(await draftLabels(form.formid)).toEqual(['Name', 'Years', 'Sex'])
  })

  const beginAndLose = async (title: string): Promise<Page> => {
    const page = await begin(title)
    await page.route('**/drafts?uuid=*', async (route) => {
      await route.fetch()
      await route.abort()
    })
    await page.click('main button:has-text("Save draft")')
    await page.waitForSelector('.toast')
    await page.unroute('**/drafts?uuid=*')
    return page
  }

  it('what the same account saved elsewhere after a lost answer is told, and not written over', async () => {
    const page = await beginAndLose('elsewhere')
    const [{ formid }] = await formsCalled('elsewhere')
    const other = await walk.as(at.ana, `/forms/${formid}/edit`)
    await relabel(other, 'Name', 'Full name')
    await save(other)
    await relabel(page, 'Age', 'Years')
    await page.click('main button:has-text("Save draft")')
    await page.waitForSelector('[role=dialog] .changes li:has-text("Full name")')
    expect(await draftLabels(formid)).toEqual(['Full name', 'Age', 'Sex'])
  })

  it("a save whose answer was lost is known as one's own, also when more was typed since, and after a reload", async () => {
    const { formid } = await publish(walk.app, at.ana, visit('unheard'), { project: at.project })
    const page = await walk.as(at.ana, `/forms/${formid}/edit`)
    const loseAnswer = async () => {
      await page.route('**/draft?*', async (route) => {
        await route.fetch()
        await route.abort()
      })
      await Promise.all([page.waitForEvent('requestfailed'), page.click('main button:has-text("Save draft")')])
      await page.waitForSelector('.toast.fault')
      await page.unroute('**/draft?*')
    }
    await relabel(page, 'Age', 'Years')
    await loseAnswer()
    await relabel(page, 'Name', 'Full name')
    await save(page)
    await relabel(page, 'Sex', 'Gender')
    await loseAnswer()
    expect(await draftLabels(formid)).toEqual(['Full name', 'Years', 'Gender'])
    await relabel(page, 'Gender', 'Sex of the person')
    await save(page)
    expect(await draftLabels(formid)).toEqual(['Full name', 'Years', 'Sex of the person'])
    await relabel(page, 'Years', 'Age')
    await loseAnswer()
    await page.reload()
    await cell(page, 'Age').waitFor()
    await relabel(page, 'Age', 'Years')
    expect(await page.locator('.notice').count()).toBe(0)
    await save(page)
    await relabel(page, 'Years', 'Age')
    await loseAnswer()
    await relabel(page, 'Full name', 'Name')
    await page.waitForSelector('[role=status]:has-text("Kept in this browser")')
    await page.reload()
    await cell(page, 'Name').waitFor()
    await save(page)
    expect(await draftLabels(formid)).toEqual(['Name', 'Age', 'Sex of the person'])
  })

  it('a form whose id is taken gets the one that the server gives, and is saved again and again', async () => {
    await publish(walk.app, at.ana, visit('taken'), { project: at.project })
    const page = await begin('taken')
    await save(page)
    await page.waitForSelector('.toast:has-text("taken_1")')
    await relabel(page, 'Age', 'Years')
    await save(page)
    const made = Number(/forms\/(\d+)/.exec(page.url())?.[1])
    expect(await draftLabels(made)).toEqual(['Name', 'Years', 'Sex'])
  })

  it('undo after a merge takes nothing of the other away', async () => {
    const { formid } = await publish(walk.app, at.ana, visit('barrier'), { project: at.project })
    const [first, second] = [
      await walk.as(at.ana, `/forms/${formid}/edit`),
      await walk.as(ben, `/forms/${formid}/edit`),
    ]
    await relabel(second, 'Sex', 'Sex of the person')
    await relabel(first, 'Age', 'Years')
    await save(first)
    await second.click('main button:has-text("Save draft")')
    await second.click('[role=dialog] button:has-text("Put both together")')
    await cell(second, 'Years').waitFor()
    await cell(second, 'Years').click()
    await second.keyboard.press('Control+z')
    await save(second)
    expect(await draftLabels(formid)).toEqual(['Name', 'Years', 'Sex of the person'])
  })

  it('a draft that was thrown away meanwhile is made anew with all that is typed; a form that is gone leaves a file and a new form', async () => {
    const { formid } = await publish(walk.app, at.ana, visit('thrown'), { project: at.project })
    const page = await walk.as(at.ana, `/forms/${formid}/edit`)
    await relabel(page, 'Age', 'Years')
    await save(page)
    await relabel(page, 'Name', 'Full name')
    await walk.app.as(at.ana)('DELETE', `/forms/${formid}/draft`)
    await page.click('main button:has-text("Save draft")')
    await page.waitForSelector('[role=dialog]:has-text("thrown away meanwhile")')
    await page.click('[role=dialog] button:has-text("Go on")')
    await save(page)
    expect(await draftLabels(formid)).toEqual(['Full name', 'Years', 'Sex'])
    await relabel(page, 'Sex', 'Gender')
    await page.waitForSelector('[role=status]:has-text("Kept in this browser")')
    await walk.app.as(at.ana)('DELETE', `/forms/${formid}`)
    await page.click('main button:has-text("Save draft")')
    await page.waitForSelector('.toast:has-text("can no longer be saved") button:has-text("Download")')
    await page.reload()
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.click('.notice button:has-text("Download as .xlsx")'),
    ])
    const { children } = compile(readFileSync(await file.path())).model
    expect(children.flatMap(({ labels }) => labels.map(({ text }) => text))).toEqual(['Full name', 'Years', 'Gender'])
    await page.click('.notice :text("Make a new form of it")')
    await page.click('.notice:has-text("thrown") button:has-text("Go on")')
    await cell(page, 'Gender').waitFor()
    await save(page)
    expect(await formsCalled('thrown')).toHaveLength(1)
  })
})
