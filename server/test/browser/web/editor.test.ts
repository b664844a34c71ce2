// The form editor: what somebody does who has never seen it, and what people do every day.
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { jpeg } from '../../support/attachments.js'
import { hasNoBrowser } from '../../support/browser.js'
import { keptText, useEditors } from '../../support/editor.js'
import { sheet } from '../../support/forms.js'
import { instance, send } from '../../support/submissions.js'
import { goWithin, settled } from '../../support/walk.js'

describe.skipIf(hasNoBrowser)('the form editor (needs Chromium on the PATH)', () => {
  const at = useEditors()
  const { walk } = at

  const kept = (page: Page) => page.waitForSelector('[role=status]:has-text("Kept in this browser")')
  const mistakes = async (page: Page, words: string) =>
    page.waitForSelector(`.problems button:has-text("${words}")`, { timeout: 30_000 })
  const blank = async (page: Page, title: string) => {
    await page.click('main button:has-text("Start from nothing")')
    await page.waitForSelector('[role=grid]')
    await page.fill('[name=form-title]', title)
    await page.press('[name=form-title]', 'Enter')
  }
  const add = async (page: Page, kind: string, label: string, where?: string) => {
    await page.click('main button:has-text("Add question")')
    if (where !== undefined) await page.getByRole('menuitemradio', { name: where, exact: true }).click()
    await page.getByRole('menuitem', { name: kind, exact: true }).click()
    const field = page.locator('aside [name=label]').first()
    await expect.poll(() => field.inputValue()).toBe('')
    await field.fill(label)
    await field.blur()
  }
  const drop = (page: Page, text: string) =>
    page.setInputFiles('main .drop input', { name: 'visit.csv', mimeType: 'text/csv', buffer: Buffer.from(text) })

  it('a newcomer makes ten questions with a repeat and a photo, tests, publishes, and the form takes a record', async () => {
    const page = await walk.as(at.ana, `/projects/${at.project}`)
    await page.locator('main a:has-text("New form")').first().click()
    await page.waitForSelector('main button:has-text("Start from nothing")')
    await walk.pictures(page, 'editor-start')
    await walk.check(page)
    await blank(page, 'Household visit')
    await walk.picture(page, 'editor-empty')
    await add(page, 'Text', 'Village')
    await add(page, 'Date', 'Day of the visit')
    await add(page, 'Whole number', 'How many people live here?')
    await add(page, 'One choice', 'Roof')
    for (const label of ['Tin', 'Grass']) {
      await page.fill('[name=next-choice]', label)
      await page.press('[name=next-choice]', 'Enter')
    }
    await add(page, 'Several choices', 'Animals')
    await add(page, 'Place', 'Where is the house?')
    await add(page, 'Photo', 'Photo of the house')
    await add(page, 'Note', 'Now every member')
    await add(page, 'Repeat', 'Members')
    // The question that a repeat begins with.
    await page.click('[role=gridcell] :text-is("text_2"), [role=gridcell] :text-is("text")')
    await page.locator('aside [name=label]').first().fill('Name of the member')
    await page.locator('aside [name=label]').first().blur()
    await add(page, 'Note', 'Thank you', 'After «Members»')
    expect((await page.locator('[role=row] :text-is("Thank you")').count()) > 0).toBe(true)
    await mistakes(page, 'No mistakes')
    await kept(page)
    const beside = page.frameLocator('iframe[title="Preview"]')
    await beside.getByText('How many people live here?').waitFor()
    await beside.getByText('Name of the member').waitFor()
    await walk.picture(page, 'editor')

    await page.click('main button:has-text("Test on a phone")')
    await page.waitForSelector('[role=dialog] img[alt="Code for phones"]')
    await page.waitForURL(/\/forms\/\d+\/edit$/)
    await walk.picture(page, 'editor-test')
    await walk.check(page)
    await page.click('[role=dialog] button.primary')
    await page.waitForSelector('[role=dialog]:has-text("Publish this form?")')
    await page.click('[role=dialog] button.primary')
    await page.waitForURL(/\/forms\/\d+$/)
    const formId = Number(new URL(page.url()).pathname.split('/').at(-1))
    const form = (await walk.app.as(at.ana)('GET', `/forms/${formId}`)).json()
    expect(form).toMatchObject({ title: 'Household visit', id_string: 'household_visit', state: 'open' })
    const answers =
      '<village>Ahero</village><roof>tin</roof><photo_of_the_house>a.jpg</photo_of_the_house><members><name_of_the_member>Ana</name_of_the_member></members><members><name_of_the_member>Bo</name_of_the_member></members>'
    const files = [{ name: 'a.jpg', content: await jpeg(8, 8), type: 'image/jpeg' }]
    expect((await send(walk.app, at.ana, '/ana', instance(form, answers), files)).statusCode).toBe(201)
    const [record] = (await walk.app.as(at.ana)('GET', `/data/${formId}`)).json()
    expect(record).toMatchObject({
      village: 'Ahero',
      roof: 'tin',
      members: [{ 'members/name_of_the_member': 'Ana' }, { 'members/name_of_the_member': 'Bo' }],
    })
    expect(walk.faults(page)).toEqual([])
  })

  it('a form asks for its title before it is published; choices of several are no yes and no; keys undo and redo all of it', async () => {
    const page = await walk.as(at.ana, `/projects/${at.project}/new`)
    await page.click('main button:has-text("Start from nothing")')
    await add(page, 'Several choices', 'Animals')
    expect(await page.locator('aside .choices li input').first().inputValue()).toBe('First choice')
    await mistakes(page, 'No mistakes')
    await page.click('main button:has-text("Publish")')
    await page.waitForSelector('.toast:has-text("Give the form a title")')
    expect(await page.evaluate('document.activeElement.name')).toBe('form-title')
    await page.locator('aside [name=label]').first().focus()
    for (let turn = 0; turn < 6; turn++) await page.keyboard.press('Control+z')
    await page.waitForSelector('main :text("No questions yet")')
    for (let turn = 0; turn < 6; turn++) await page.keyboard.press('Control+y')
    await page.waitForSelector('[role=gridcell] :text-is("Animals")')
  })

  it('a template is looked into and taken; saved, it is a draft of the project with an address of its own', async () => {
    const page = await walk.as(at.ana, `/projects/${at.project}/new`)
    await page.click('.template:has-text("Water point") button:has-text("Look inside")')
    await page.waitForSelector('[role=dialog] ol li >> nth=10')
    await walk.picture(page, 'editor-look-inside')
    await page.click('[role=dialog] button.primary')
    await page.waitForSelector('[role=grid]')
    await mistakes(page, 'No mistakes')
    await page.click('main button:has-text("Save draft")')
    await page.waitForURL(/\/forms\/\d+\/edit$/)
    await page.waitForSelector('[role=status]:has-text("Draft saved")')
    const formId = new URL(page.url()).pathname.split('/')[2]
    const draft = (await walk.app.as(at.ana)('GET', `/forms/${formId}/draft`)).json()
    expect(draft).toMatchObject({ published: false, title: 'Water point' })
    await walk.pictures(page, 'editor-template')
    await walk.check(page)
  })

  it('mistakes of a file are shown at their cells, lead there, and are mended', async () => {
    const page = await walk.as(at.ana, `/projects/${at.project}/new`)
    await drop(
      page,
      sheet(
        'type,name,label\ntext,name,Name\nintger,age,Age\ntext,why,Why,${agee} > 5'.replace('label', 'label,relevant'),
      ),
    )
    await mistakes(page, '2 mistakes')
    await page.click('.problems button:has-text("2 mistakes")')
    await page.click('.problems .list button:has-text("intger")')
    await page.waitForSelector('aside .faults:has-text("intger")')
    await walk.picture(page, 'editor-mistakes')
    await walk.check(page)
    await page.selectOption('aside .what select', 'integer')
    await mistakes(page, '1 mistake')
    await page.click('main button:has-text("Save draft")')
    await page.waitForSelector('.toast:has-text("Mend 1 mistake first")')
  })

  it('a file of old Excel is told what it is, how to save it, and can be published as it is', async () => {
    const page = await walk.as(at.ana, `/projects/${at.project}/new`)
    const buffer = Buffer.concat([Buffer.from('d0cf11e0a1b11ae1', 'hex'), Buffer.alloc(1024)])
    await page.setInputFiles('main .drop input', { name: 'visit.xls', mimeType: 'application/vnd.ms-excel', buffer })
    const notice = page.locator('.notice:has-text("old Excel (.xls)")')
    await notice.waitFor()
    await notice.getByRole('button', { name: 'Publish a file' }).click()
    await page.waitForSelector('[role=dialog]')
    expect(walk.faults(page)).toEqual([])
  })

  it('a name is changed wherever it is used, and undo takes it back', async () => {
    const page = await walk.as(at.ana, `/projects/${at.project}/new`)
    await drop(page, sheet('type,name,label,relevant\ninteger,age,Age,\ntext,why,Why,${age} > 5'))
    await mistakes(page, 'No mistakes')
    await page.click('[role=gridcell] :text-is("age")')
    const name = page.getByLabel('Name in the data')
    await name.fill('years')
    await name.blur()
    await page.waitForSelector('[role=gridcell] :text-is("${years} > 5")')
    await mistakes(page, 'No mistakes')
    // Also beside the grid, in a field in which nothing is typed.
    await name.focus()
    await page.keyboard.press('Control+z')
    await page.waitForSelector('[role=gridcell] :text-is("${age} > 5")')
    await page.keyboard.press('Control+Shift+z')
    await page.waitForSelector('[role=gridcell] :text-is("${years} > 5")')
    await page.click('[role=gridcell] :text-is("years")')
    await page.keyboard.press('Control+z')
    await page.waitForSelector('[role=gridcell] :text-is("${age} > 5")')
  })

  it('a name may pass through that of another question, and what was read from a file stays named as it was', async () => {
    const page = await walk.as(at.ana, `/projects/${at.project}/new`)
    await drop(
      page,
      sheet('type,name,label,relevant\ninteger,kid_age,Kid age,\ninteger,age,Age,\ntext,why,Why,${kid_age} > 5'),
    )
    await mistakes(page, 'No mistakes')
    await page.clock.install()
    await page.click('[role=gridcell] :text-is("kid_age")')
    const name = page.getByLabel('Name in the data')
    await name.fill('age')
    // Longer than the rest after which other fields are written.
    await page.clock.fastForward(800)
    await name.fill('')
    await page.clock.fastForward(800)
    await name.fill('age_of_kid')
    await name.press('Enter')
    await page.waitForSelector('[role=gridcell] :text-is("${age_of_kid} > 5")')
    await page.click('[role=gridcell] :text-is("age")')
    await page.locator('aside [name=label]').first().fill('Age in years')
    await page.waitForSelector('[role=gridcell] :text-is("Age in years")')
    expect(await name.inputValue()).toBe('age')
    await mistakes(page, 'No mistakes')
  })

  it('a row that is deleted comes back by undo as it was, and redo takes it away again', async () => {
    const page = await walk.as(at.ana, `/projects/${at.project}/new`)
    await drop(page, sheet('type,name,label\ninteger,age,Age\ntext,why,Why'))
    await mistakes(page, 'No mistakes')
    await page.click('[role=gridcell] :text-is("why")')
    await page.keyboard.press('Delete')
    await mistakes(page, '1 mistake')
    await page.click('aside .tools button.danger')
    await mistakes(page, 'No mistakes')
    await page.click('[role=gridcell] :text-is("age")')
    await page.keyboard.press('Control+z')
    await mistakes(page, '1 mistake')
    expect(await page.locator('[role=gridcell] :text-is("why")').count()).toBe(0)
    await page.keyboard.press('Control+Shift+z')
    await mistakes(page, 'No mistakes')
    expect(await page.locator('[role=gridcell] :text-is("Why")').count()).toBe(0)
  })

  it('what is typed into a cell or a field that is still open is there after a reload', async () => {
    const page = await walk.as(at.ana, `/projects/${at.project}/new`)
    await blank(page, 'Still open')
    await add(page, 'Text', 'Street')
    await page.click('[role=gridcell] :text-is("Street")')
    await page.keyboard.type('Road')
    await keptText(page, 'Road')
    await page.reload()
    await settled(page)
    await page.click('.notice:has-text("Still open") button:has-text("Go on")')
    await page.click('[role=gridcell] :text-is("Road")')
    await page.locator('aside [name=label]').first().pressSequentially(' or path')
    await page.evaluate(() => {
      dispatchEvent(new Event('pagehide'))
      document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))
    })
    await kept(page)
    await page.reload()
    await settled(page)
    await page.click('.notice:has-text("Still open") button:has-text("Go on")')
    await page.waitForSelector('[role=gridcell] :text-is("Road or path")')
  })

  it('what was typed and not saved is there after a reload, and says so; thrown away, it is gone', async () => {
    const page = await walk.as(at.ana, `/projects/${at.project}/new`)
    await blank(page, 'Not saved yet')
    await add(page, 'Text', 'Street')
    await kept(page)
    await page.reload()
    await settled(page)
    await page.click('.notice:has-text("Not saved yet") button:has-text("Go on")')
    await page.waitForSelector('[role=gridcell] :text-is("Street")')
    await page.waitForSelector('.notice:has-text("Your unsaved work is back")')
    await walk.picture(page, 'editor-back')
    await goWithin(page, '/')
    await goWithin(page, `/projects/${at.project}/new`)
    await page.click('.notice button:has-text("Throw it away")')
    await page.reload()
    await settled(page)
    expect(await page.locator('.notice:has-text("Not saved yet")').count()).toBe(0)
  })
})
