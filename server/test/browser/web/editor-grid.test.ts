// The sheets of the form editor as a spreadsheet: keys, the clipboard, the pointer, and a finger.
import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Account } from '../../support/app.js'
import { hasNoBrowser } from '../../support/browser.js'
import { newProject } from '../../support/projects.js'
import { useWalk } from '../../support/walk.js'

const survey = [
  ['type', 'name', 'label', 'required', 'relevant'],
  ['text', 'village', 'Which village?', '', ''],
  ['begin_repeat', 'person', 'Person', '', ''],
  ['integer', 'age', 'How old?', '', ''],
  ['text', 'school', 'Which school?', '', '${age} > 5'],
  ['end_repeat', '', '', '', ''],
  ['note', 'bye', 'Thank you', '', ''],
]
  .map((row) => row.join('\t'))
  .join('\n')

describe.skipIf(hasNoBrowser)('the sheets of the form editor (needs Chromium on the PATH)', () => {
  const walk = useWalk()
  let ana: Account
  let project: number

  beforeAll(async () => {
    if (hasNoBrowser) return
    ana = await walk.app.account({ username: 'ana' })
    project = await newProject(walk.app, ana, { name: 'First' })
  })

  const cell = (page: Page, row: number, column: number) => page.locator(`[data-cell="${row}:${column}"]`)
  const text = (page: Page, row: number, column: number) => cell(page, row, column).innerText()
  const at = (page: Page): Promise<string> => page.evaluate('document.activeElement?.dataset?.cell ?? ""')
  const paste = (page: Page, words: string) =>
    page.evaluate(`(() => {
      const data = new DataTransfer()
      data.setData('text/plain', ${JSON.stringify(words)})
      const event = new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true })
      document.activeElement.dispatchEvent(event)
    })()`)
  const copied = (page: Page): Promise<string> =>
    page.evaluate(`(() => {
      const data = new DataTransfer()
      const event = new ClipboardEvent('copy', { clipboardData: data, bubbles: true, cancelable: true })
      document.activeElement.dispatchEvent(event)
      return data.getData('text/plain')
    })()`)
  const names = (page: Page, count: number) =>
    Promise.all(Array.from({ length: count }, (_, row) => text(page, row, 1)))
  /** A form whose survey was copied from a spreadsheet program, header and all. */
  const opened = async (): Promise<Page> => {
    const page = await walk.as(ana, `/projects/${project}`)
    // Columns that are out of sight are not on the page.
    await page.setViewportSize({ width: 2400, height: 900 })
    await page.locator('main a:has-text("New form")').first().click()
    await page.click('main button:has-text("Start from nothing")')
    await cell(page, 0, 0).click()
    await paste(page, survey)
    await expect.poll(() => text(page, 0, 1)).toBe('village')
    return page
  }
  const write = async (page: Page, row: number, column: number, words: string) => {
    await cell(page, row, column).click()
    await page.keyboard.type(words)
    await page.keyboard.press('Enter')
  }

  it('a survey that is pasted with its headers stands in the columns of these names', async () => {
    const page = await opened()
    expect(await names(page, 6)).toEqual(['village', 'person', 'age', 'school', '', 'bye'])
    expect(await text(page, 2, 0)).toContain('Whole number')
    await walk.check(page)
  })

  it('typing replaces a cell, Enter goes down, Tab goes on, Escape leaves it as it was', async () => {
    const page = await opened()
    await write(page, 0, 2, 'Village?')
    expect([await text(page, 0, 2), await at(page)]).toEqual(['Village?', '1:2'])
    await page.keyboard.type('People')
    await page.keyboard.press('Tab')
    expect([await text(page, 1, 2), await at(page)]).toEqual(['People', '1:3'])
    await cell(page, 2, 2).dblclick()
    await page.keyboard.type(' Really?')
    await page.keyboard.press('Escape')
    expect([await text(page, 2, 2), await at(page)]).toEqual(['How old?', '2:2'])
    await page.keyboard.press('F2')
    await page.keyboard.press('Alt+Enter')
    await page.keyboard.type('In years')
    await page.keyboard.press('Enter')
    await cell(page, 2, 2).click()
    expect(await copied(page)).toBe('"How old?\nIn years"')
  })

  it('a mistake stands at its cell, is read out there, and goes when it is mended', async () => {
    const page = await opened()
    await write(page, 3, 5, '$'.concat('{agee} > 5'))
    await expect.poll(() => cell(page, 3, 5).getAttribute('aria-invalid')).toBe('true')
    await cell(page, 3, 5).click()
    const described = await cell(page, 3, 5).getAttribute('aria-describedby')
    expect(await page.locator(`[id="${described}"]`).innerText()).toContain("Did you mean 'age'?")
    await page.keyboard.press('Control+z')
    await expect.poll(() => cell(page, 3, 5).getAttribute('aria-invalid')).toBeNull()
  })

  it('a type is chosen by its plain name, and a group gets its end', async () => {
    const page = await opened()
    await cell(page, 6, 0).click()
    await page.keyboard.type('Whole')
    await page.waitForSelector('[role=option]')
    await page.keyboard.press('Enter')
    expect(await text(page, 6, 0)).toContain('Whole number')
    await write(page, 7, 0, 'begin_group')
    expect(await text(page, 8, 0)).toContain('End of a group')
    await page.keyboard.press('Control+z')
    expect(await text(page, 7, 0)).toBe('')
  })

  it('references are completed within a condition, with the focus in the cell', async () => {
    const page = await opened()
    await cell(page, 5, 5).click()
    await page.keyboard.type('$'.concat('{vil'))
    await page.waitForSelector('[role=option]:has-text("village")')
    expect(await page.evaluate('document.activeElement.tagName')).toBe('TEXTAREA')
    await page.keyboard.press('Enter')
    await page.keyboard.type(" != ''")
    await page.keyboard.press('Enter')
    expect(await text(page, 5, 5)).toBe('$'.concat("{village} != ''"))
  })

  it('a name that is typed over changes where it is used, is told, and is taken back in one step', async () => {
    const page = await opened()
    await write(page, 2, 1, 'years')
    expect(await text(page, 3, 5)).toBe('$'.concat('{years} > 5'))
    await page.waitForSelector('text=also in 1 other cell')
    await page.keyboard.press('Control+z')
    expect([await text(page, 2, 1), await text(page, 3, 5)]).toEqual(['age', '$'.concat('{age} > 5')])
    await page.keyboard.press('Control+y')
    expect([await text(page, 2, 1), await text(page, 3, 5)]).toEqual(['years', '$'.concat('{years} > 5')])
  })

  it('a range is copied and pasted, filled down and cleared', async () => {
    const page = await opened()
    await cell(page, 2, 1).click()
    await cell(page, 3, 2).click({ modifiers: ['Shift'] })
    const range = await copied(page)
    expect(range).toBe('age\tHow old?\nschool\tWhich school?')
    await cell(page, 8, 1).click()
    await paste(page, range)
    expect([await text(page, 8, 1), await text(page, 9, 2)]).toEqual(['age', 'Which school?'])
    await page.keyboard.press('Delete')
    expect(await text(page, 9, 2)).toBe('')
    await cell(page, 0, 2).click()
    await page.keyboard.press('Shift+ArrowDown')
    await page.keyboard.press('Shift+ArrowDown')
    await page.keyboard.press('Control+d')
    expect([await text(page, 1, 2), await text(page, 2, 2)]).toEqual(['Which village?', 'Which village?'])
  })

  it('rows move with their whole group, by keys and by their handle', async () => {
    const page = await opened()
    await cell(page, 1, 1).click()
    await page.keyboard.press('Alt+ArrowUp')
    expect(await names(page, 6)).toEqual(['person', 'age', 'school', '', 'village', 'bye'])
    expect(await at(page)).toBe('0:1')
    const number = page.locator('[data-row="5"]')
    await number.hover()
    const handle = await number.locator('[data-handle]').boundingBox()
    const target = await cell(page, 0, 0).boundingBox()
    if (handle === null || target === null) throw new Error('The rows are not in sight.')
    await page.mouse.move(handle.x + 5, handle.y + 8)
    await page.mouse.down()
    await page.mouse.move(handle.x + 5, handle.y - 40, { steps: 4 })
    await page.mouse.move(handle.x + 5, target.y + 10, { steps: 4 })
    await page.mouse.up()
    expect(await names(page, 6)).toEqual(['bye', 'person', 'age', 'school', '', 'village'])
  })

  it('a group is folded, and undo unfolds what it changes', async () => {
    const page = await opened()
    await write(page, 2, 2, 'Age?')
    await page.click('[data-fold="1"]')
    await expect.poll(() => cell(page, 2, 1).count()).toBe(0)
    await cell(page, 0, 0).click()
    await page.keyboard.press('Control+z')
    await expect.poll(() => cell(page, 2, 2).innerText()).toBe('How old?')
  })

  it('the corner of what is chosen fills down, and yes and no are ticked', async () => {
    const page = await opened()
    await cell(page, 0, 3).click()
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('Space')
    expect(await cell(page, 0, 4).locator('.yes').count()).toBe(1)
    await cell(page, 0, 2).click()
    const corner = await page.locator('[data-corner]').boundingBox()
    if (corner === null) throw new Error('The corner is not in sight.')
    await page.mouse.move(corner.x + 4, corner.y + 4)
    await page.mouse.down()
    await page.mouse.move(corner.x + 4, corner.y + 40, { steps: 4 })
    await page.mouse.up()
    expect(await text(page, 1, 2)).toBe('Which village?')
  })

  it('rows are inserted, duplicated and deleted from the menu of a row', async () => {
    const page = await opened()
    const choose = async (item: string) => {
      await cell(page, 0, 1).click({ button: 'right' })
      await page.getByRole('menuitem', { name: item, exact: true }).click()
    }
    await choose('Insert above')
    expect((await names(page, 3)).slice(0, 2)).toEqual(['', 'village'])
    await choose('Delete rows')
    await choose('Duplicate')
    expect((await names(page, 3)).slice(0, 2)).toEqual(['village', 'village'])
  })
})
