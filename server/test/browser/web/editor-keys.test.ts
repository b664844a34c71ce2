// What people know from spreadsheet programs, by keys and pointer, on a sheet of the form editor; and undo over all of it.
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { hasNoBrowser } from '../../support/browser.js'
import { useEditors } from '../../support/editor.js'
import { cellAt, copiedText, cutText, focusedCell, pasteText, textAt, textsDown, typeAt } from '../../support/sheets.js'

const survey = [
  ['type', 'name', 'label', 'hint'],
  ...['one', 'two', 'three', 'four', 'five'].map((name) => ['text', name, name.toUpperCase(), '']),
]
  .map((row) => row.join('\t'))
  .join('\r\n')

describe.skipIf(hasNoBrowser)('keys of the sheets (needs Chromium on the PATH)', () => {
  const at = useEditors()
  const { walk } = at

  /** As a spreadsheet program of Windows copies it: its line ends, and one behind the last row. */
  const opened = async (): Promise<Page> => {
    const page = await walk.as(at.ana, `/projects/${at.project}/new`)
    await page.setViewportSize({ width: 2400, height: 900 })
    await page.click('main button:has-text("Start from nothing")')
    await cellAt(page, 0, 0).click()
    await pasteText(page, `${survey}\r\n`)
    await expect.poll(() => textAt(page, 4, 1)).toBe('five')
    return page
  }
  const press = async (page: Page, ...keys: string[]) => {
    for (const key of keys) await page.keyboard.press(key)
  }
  const chosen = (page: Page): Promise<number> => page.locator('[role=gridcell][aria-selected="true"]').count()
  const names = (page: Page) => textsDown(page, 1, 5)
  const all = ['one', 'two', 'three', 'four', 'five']

  it('arrows with Ctrl go to the end of what is filled, Home and End to the ends of a row, with Shift they choose', async () => {
    const page = await opened()
    await cellAt(page, 1, 1).click()
    await press(page, 'Control+ArrowDown')
    expect(await focusedCell(page)).toBe('4:1')
    await press(page, 'Control+ArrowUp')
    expect(await focusedCell(page)).toBe('0:1')
    await press(page, 'Control+ArrowRight')
    expect(await focusedCell(page)).toBe('0:2')
    await press(page, 'Control+ArrowLeft')
    expect(await focusedCell(page)).toBe('0:0')
    await press(page, 'End')
    expect(await focusedCell(page)).toBe('0:8')
    await press(page, 'Home')
    expect(await focusedCell(page)).toBe('0:0')
    await press(page, 'Control+End')
    expect(await focusedCell(page)).toBe('4:8')
    await press(page, 'Control+Home', 'Shift+ArrowDown', 'Shift+ArrowRight')
    expect([await chosen(page), await focusedCell(page)]).toEqual([4, '0:0'])
    await press(page, 'Control+Shift+ArrowDown')
    expect(await chosen(page)).toBe(10)
    await press(page, 'ArrowDown')
    expect([await chosen(page), await focusedCell(page)]).toEqual([1, '1:0'])
  })

  it('a block goes out as a table that spreadsheet programs take, and comes back as it was', async () => {
    const page = await opened()
    await cellAt(page, 0, 2).dblclick()
    await page.keyboard.type(' "quoted"')
    await press(page, 'Alt+Enter')
    await page.keyboard.type('second line')
    await press(page, 'Enter')
    await cellAt(page, 0, 1).click()
    await cellAt(page, 1, 2).click({ modifiers: ['Shift'] })
    const table = await copiedText(page)
    expect(table).toBe('one\t"ONE ""quoted""\nsecond line"\ntwo\tTWO')
    expect(await copiedText(page, 'text/html')).toContain('<tr><td')
    await cellAt(page, 7, 1).click()
    await pasteText(page, table.replaceAll('\n', '\r\n').concat('\r\n'))
    await cellAt(page, 7, 2).click()
    expect(await copiedText(page)).toBe('"ONE ""quoted""\nsecond line"')
    expect(await textAt(page, 8, 2)).toBe('TWO')
    expect(await textAt(page, 9, 1)).toBe('')
  })

  it('cut, paste, clear, fill down and typing are each taken back and done again, one by one', async () => {
    const page = await opened()
    const states = [await textsDown(page, 2, 7)]
    const now = () => textsDown(page, 2, 7)
    const did = async () => states.push(await now())
    await cellAt(page, 0, 2).click()
    const cut = await cutText(page)
    await did()
    await cellAt(page, 5, 2).click()
    await pasteText(page, cut)
    await did()
    await cellAt(page, 1, 2).click()
    await press(page, 'Shift+ArrowDown', 'Delete')
    await did()
    await cellAt(page, 3, 2).click()
    await press(page, 'Shift+ArrowDown', 'Control+d')
    await did()
    await cellAt(page, 4, 2).click()
    await press(page, 'Control+ArrowUp')
    await typeAt(page, 0, 2, 'Typed')
    await did()
    expect(states.at(-1)).toEqual(['Typed', '', '', 'FOUR', 'FOUR', 'ONE', ''])
    for (const state of states.slice(0, -1).toReversed()) {
      await press(page, 'Control+z')
      await expect.poll(now).toEqual(state)
    }
    for (const state of states.slice(1)) {
      await press(page, 'Control+y')
      await expect.poll(now).toEqual(state)
    }
  })

  it('a number chooses its row and a header its column; both are copied whole', async () => {
    const page = await opened()
    await page.locator('[data-row="1"]').click()
    expect(await copiedText(page)).toMatch(/^text\ttwo\tTWO\t/)
    await page.locator('[data-row="3"]').click({ modifiers: ['Shift'] })
    expect((await copiedText(page)).split('\n').map((row) => row.split('\t')[1])).toEqual(['two', 'three', 'four'])
    await cellAt(page, -1, 1).click()
    expect(await copiedText(page)).toBe(all.join('\n'))
    await cellAt(page, -1, 2).click({ modifiers: ['Shift'] })
    expect((await copiedText(page)).split('\n')[4]).toBe('five\tFIVE')
    await cellAt(page, 2, 1).click()
    await press(page, 'Control+Space')
    expect(await copiedText(page)).toBe(all.join('\n'))
    await cellAt(page, 2, 1).click()
    await press(page, 'Shift+Space')
    expect(await copiedText(page)).toMatch(/^text\tthree\tTHREE\t/)
    await press(page, 'Control+a')
    expect((await copiedText(page)).split('\n').length).toBe(5)
  })

  it('several rows that are chosen are drawn together by the handle of one, and undo puts them back', async () => {
    const page = await opened()
    await page.locator('[data-row="0"]').click()
    await page.locator('[data-row="1"]').click({ modifiers: ['Shift'] })
    await page.locator('[data-row="1"]').hover()
    const handle = await page.locator('[data-row="1"] [data-handle]').boundingBox()
    const target = await cellAt(page, 4, 0).boundingBox()
    if (handle === null || target === null) throw new Error('The rows are not in sight.')
    await page.mouse.move(handle.x + 5, handle.y + 8)
    await page.mouse.down()
    await page.mouse.move(handle.x + 5, handle.y + 40, { steps: 4 })
    await page.mouse.move(handle.x + 5, target.y + 10, { steps: 4 })
    await page.mouse.up()
    expect(await names(page)).toEqual(['three', 'four', 'one', 'two', 'five'])
    await press(page, 'Control+z')
    expect(await names(page)).toEqual(all)
    await press(page, 'Control+y')
    expect(await names(page)).toEqual(['three', 'four', 'one', 'two', 'five'])
    expect(walk.faults(page)).toEqual([])
  })
})
