// The form editor on a phone: a finger, 360 px, one part of it at a time.
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { hasNoBrowser } from '../../support/browser.js'
import { useEditors } from '../../support/editor.js'

describe.skipIf(hasNoBrowser)('the form editor on a phone (needs Chromium on the PATH)', () => {
  const at = useEditors()
  const { walk } = at

  const phone = { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true }
  const pane = (page: Page, name: string) => page.locator('.choose').getByRole('button', { name, exact: true }).tap()
  const cell = (page: Page, row: number, column: number) => page.locator(`[data-cell="${row}:${column}"]`)
  const problems = (page: Page, words: string) => page.waitForSelector(`.problems button:has-text("${words}")`)
  const add = async (page: Page, kind: string, label: string) => {
    await page.locator('main button:has-text("Add question")').tap()
    await page.getByRole('menuitem', { name: kind, exact: true }).tap()
    const field = page.locator('aside [name=label]').first()
    await expect.poll(() => field.inputValue()).toBe('')
    await expect.poll(() => page.evaluate('document.activeElement?.name')).toBe('label')
    await page.keyboard.type(label)
  }
  /** Nothing is wider than the screen: the page does not slide sideways under a finger. */
  const isAsWide = async (page: Page) =>
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(360)
  const begun = async (): Promise<Page> => {
    const page = await walk.as(at.ana, `/projects/${at.project}/new`, phone)
    await page.locator('main button:has-text("Start from nothing")').tap()
    await page.waitForSelector('main button:has-text("Add question")')
    await add(page, 'Text', 'Village')
    await add(page, 'Whole number', 'How many people?')
    return page
  }

  it('questions are added, typed, given another type, deleted and brought back with a finger', async () => {
    const page = await begun()
    await isAsWide(page)
    await walk.picture(page, 'editor-phone-question')
    await walk.check(page)
    await page.selectOption('aside .what select', 'decimal')
    await pane(page, 'Table')
    await expect.poll(() => cell(page, 1, 0).innerText()).toContain('Number')
    expect(await cell(page, 1, 2).innerText()).toBe('How many people?')
    await walk.picture(page, 'editor-phone-table')
    await isAsWide(page)
    // The sheet has more than half of the screen.
    expect((await page.locator('[role=grid]').boundingBox())?.y).toBeLessThan(340)
    await cell(page, 1, 2).tap()
    await cell(page, 1, 2).tap()
    await page.waitForSelector('.editor.open.low')
    await page.keyboard.type(' About')
    await walk.picture(page, 'editor-phone-cell')
    await page.locator('.editor.open button:has-text("Done")').tap()
    await expect.poll(() => cell(page, 1, 2).innerText()).toBe('How many people? About')
    await pane(page, 'Question')
    await page.locator('aside button[aria-label="Remove"]').tap()
    await pane(page, 'Table')
    await expect.poll(() => cell(page, 1, 2).innerText()).toBe('')
    await page.locator('[role=toolbar] button[aria-label="Undo"]').tap()
    await expect.poll(() => cell(page, 1, 2).innerText()).toBe('How many people? About')
    await walk.check(page)
  })

  it('a type is chosen in its cell from a list that a finger can reach', async () => {
    const page = await begun()
    await pane(page, 'Table')
    await cell(page, 1, 0).tap()
    await cell(page, 1, 0).tap()
    await page.locator('[role=option]:has-text("Date")').first().scrollIntoViewIfNeeded()
    await walk.picture(page, 'editor-phone-types')
    await page.locator('[role=option]:has(code:text-is("date"))').tap()
    await expect.poll(() => cell(page, 1, 0).innerText()).toContain('Date')
    expect(await page.locator('.editor.open').count()).toBe(0)
  })

  it('mistakes are listed, lead to their cell, and the form is tried beside it', async () => {
    const page = await begun()
    await pane(page, 'Table')
    await problems(page, 'No mistakes')
    await cell(page, 1, 1).tap()
    await cell(page, 1, 1).tap()
    await page.keyboard.press('Control+a')
    await page.keyboard.type('village')
    await page.locator('.editor.open button:has-text("Done")').tap()
    await problems(page, '1 mistake')
    await page.locator('.problems button:has-text("1 mistake")').tap()
    await walk.picture(page, 'editor-phone-mistakes')
    await page.locator('.problems .list button').first().tap()
    await expect.poll(() => page.evaluate('document.activeElement?.dataset?.cell')).toBe('1:1')
    await page.locator('[role=toolbar] button[aria-label="Undo"]').tap()
    await problems(page, 'No mistakes')
    await pane(page, 'Preview')
    const beside = page.frameLocator('iframe[title="Preview"]')
    await beside.getByText('How many people?').waitFor()
    await walk.picture(page, 'editor-phone-preview')
    await isAsWide(page)
  })

  it('rows are chosen and inserted from the menu of rows, and the last edit is taken back', async () => {
    const page = await begun()
    await pane(page, 'Table')
    await cell(page, 0, 2).tap()
    await page.locator('[role=toolbar] button[aria-label="Tools of the sheet"]').tap()
    await page.getByRole('menuitem', { name: 'Insert below', exact: true }).tap()
    await expect.poll(() => cell(page, 2, 2).innerText()).toBe('How many people?')
    await page.locator('[role=toolbar] button[aria-label="Undo"]').tap()
    await expect.poll(() => cell(page, 1, 2).innerText()).toBe('How many people?')
  })
})
