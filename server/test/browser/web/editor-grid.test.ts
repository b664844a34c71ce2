// The sheets of the form editor as a spreadsheet: keys, the clipboard, the pointer, and a finger.
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { hasNoBrowser } from '../../support/browser.js'
import { useEditors } from '../../support/editor.js'
import { cellAt, copiedText, focusedCell, pasteText, textAt, textsDown, typeAt } from '../../support/sheets.js'

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
  const at = useEditors()
  const { walk } = at

  const names = (page: Page, count: number) => textsDown(page, 1, count)
  /** A form whose survey was copied from a spreadsheet program, header and all. */
  const opened = async (): Promise<Page> => {
    const page = await walk.as(at.ana, `/projects/${at.project}`)
    // Columns that are out of sight are not on the page.
    await page.setViewportSize({ width: 2400, height: 900 })
    await page.locator('main a:has-text("New form")').first().click()
    await page.click('main button:has-text("Start from nothing")')
    await cellAt(page, 0, 0).click()
    await pasteText(page, survey)
    await expect.poll(() => textAt(page, 0, 1)).toBe('village')
    return page
  }
  it('a survey that is pasted with its headers stands in the columns of these names', async () => {
    const page = await opened()
    expect(await names(page, 6)).toEqual(['village', 'person', 'age', 'school', '', 'bye'])
    expect(await textAt(page, 2, 0)).toContain('Whole number')
    await walk.check(page)
  })

  it('typing replaces a cell, Enter goes down, Tab goes on, Escape leaves it as it was', async () => {
    const page = await opened()
    await typeAt(page, 0, 2, 'Village?')
    expect([await textAt(page, 0, 2), await focusedCell(page)]).toEqual(['Village?', '1:2'])
    await page.keyboard.type('People')
    await page.keyboard.press('Tab')
    expect([await textAt(page, 1, 2), await focusedCell(page)]).toEqual(['People', '1:3'])
    await cellAt(page, 2, 2).dblclick()
    await page.keyboard.type(' Really?')
    await page.keyboard.press('Escape')
    expect([await textAt(page, 2, 2), await focusedCell(page)]).toEqual(['How old?', '2:2'])
    await page.keyboard.press('F2')
    await page.keyboard.press('Alt+Enter')
    await page.keyboard.type('In years')
    await page.keyboard.press('Enter')
    await cellAt(page, 2, 2).click()
    expect(await copiedText(page)).toBe('"How old?\nIn years"')
  })

  it('a mistake stands at its cell, is read out there, and goes when it is mended', async () => {
    const page = await opened()
    await typeAt(page, 3, 5, '$'.concat('{agee} > 5'))
    await expect.poll(() => cellAt(page, 3, 5).getAttribute('aria-invalid')).toBe('true')
    await cellAt(page, 3, 5).click()
    const described = await cellAt(page, 3, 5).getAttribute('aria-describedby')
    expect(await page.locator(`[id="${described}"]`).innerText()).toContain("Did you mean 'age'?")
    await page.keyboard.press('Control+z')
    await expect.poll(() => cellAt(page, 3, 5).getAttribute('aria-invalid')).toBeNull()
  })

  it('a type is chosen by its plain name, and a group gets its end', async () => {
    const page = await opened()
    await cellAt(page, 6, 0).click()
    await page.keyboard.type('Whole')
    await page.waitForSelector('[role=option]')
    await page.keyboard.press('Enter')
    expect(await textAt(page, 6, 0)).toContain('Whole number')
    await typeAt(page, 7, 0, 'begin_group')
    expect(await textAt(page, 8, 0)).toContain('End of a group')
    await page.keyboard.press('Control+z')
    expect(await textAt(page, 7, 0)).toBe('')
  })

  it('references are completed within a condition, with the focus in the cell', async () => {
    const page = await opened()
    await cellAt(page, 5, 5).click()
    await page.keyboard.type('$'.concat('{vil'))
    await page.waitForSelector('[role=option]:has-text("village")')
    expect(await page.evaluate('document.activeElement.tagName')).toBe('TEXTAREA')
    await page.keyboard.press('Enter')
    await page.keyboard.type(" != ''")
    await page.keyboard.press('Enter')
    expect(await textAt(page, 5, 5)).toBe('$'.concat("{village} != ''"))
  })

  it('a name that is typed over changes where it is used, is told, and is taken back in one step', async () => {
    const page = await opened()
    await typeAt(page, 2, 1, 'years')
    expect(await textAt(page, 3, 5)).toBe('$'.concat('{years} > 5'))
    await page.waitForSelector('text=also in 1 other cell')
    await page.keyboard.press('Control+z')
    expect([await textAt(page, 2, 1), await textAt(page, 3, 5)]).toEqual(['age', '$'.concat('{age} > 5')])
    await page.keyboard.press('Control+y')
    expect([await textAt(page, 2, 1), await textAt(page, 3, 5)]).toEqual(['years', '$'.concat('{years} > 5')])
  })

  it('a range is copied and pasted, filled down and cleared', async () => {
    const page = await opened()
    await cellAt(page, 2, 1).click()
    await cellAt(page, 3, 2).click({ modifiers: ['Shift'] })
    const range = await copiedText(page)
    expect(range).toBe('age\tHow old?\nschool\tWhich school?')
    await cellAt(page, 8, 1).click()
    await pasteText(page, range)
    expect([await textAt(page, 8, 1), await textAt(page, 9, 2)]).toEqual(['age', 'Which school?'])
    await page.keyboard.press('Delete')
    expect(await textAt(page, 9, 2)).toBe('')
    await cellAt(page, 0, 2).click()
    await page.keyboard.press('Shift+ArrowDown')
    await page.keyboard.press('Shift+ArrowDown')
    await page.keyboard.press('Control+d')
    expect([await textAt(page, 1, 2), await textAt(page, 2, 2)]).toEqual(['Which village?', 'Which village?'])
  })

  it('rows move with their whole group, by keys and by their handle', async () => {
    const page = await opened()
    await cellAt(page, 1, 1).click()
    await page.keyboard.press('Alt+ArrowUp')
    expect(await names(page, 6)).toEqual(['person', 'age', 'school', '', 'village', 'bye'])
    expect(await focusedCell(page)).toBe('0:1')
    const number = page.locator('[data-row="5"]')
    await number.hover()
    const handle = await number.locator('[data-handle]').boundingBox()
    const target = await cellAt(page, 0, 0).boundingBox()
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
    await typeAt(page, 2, 2, 'Age?')
    await page.click('[data-fold="1"]')
    await expect.poll(() => cellAt(page, 2, 1).count()).toBe(0)
    await cellAt(page, 0, 0).click()
    await page.keyboard.press('Control+z')
    await expect.poll(() => cellAt(page, 2, 2).innerText()).toBe('How old?')
  })

  it('the corner of what is chosen fills down, and yes and no are ticked', async () => {
    const page = await opened()
    await cellAt(page, 0, 3).click()
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('Space')
    expect(await cellAt(page, 0, 4).locator('.yes').count()).toBe(1)
    await cellAt(page, 0, 2).click()
    const corner = await page.locator('[data-corner]').boundingBox()
    if (corner === null) throw new Error('The corner is not in sight.')
    await page.mouse.move(corner.x + 4, corner.y + 4)
    await page.mouse.down()
    await page.mouse.move(corner.x + 4, corner.y + 40, { steps: 4 })
    await page.mouse.up()
    expect(await textAt(page, 1, 2)).toBe('Which village?')
  })

  it('rows are inserted, duplicated and deleted from the menu of a row', async () => {
    const page = await opened()
    const choose = async (item: string) => {
      await cellAt(page, 0, 1).click({ button: 'right' })
      await page.getByRole('menuitem', { name: item, exact: true }).click()
    }
    await choose('Insert above')
    expect((await names(page, 3)).slice(0, 2)).toEqual(['', 'village'])
    await choose('Delete rows')
    await choose('Duplicate')
    expect((await names(page, 3)).slice(0, 2)).toEqual(['village', 'village'])
  })
})
