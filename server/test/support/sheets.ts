// A sheet of the form editor in a browser: its cells, the cell of the keyboard, and a clipboard as spreadsheet programs fill it.
import type { Locator, Page } from 'playwright-core'

export const cellAt = (page: Page, row: number, column: number): Locator =>
  page.locator(`[data-cell="${row}:${column}"]`)

export const textAt = (page: Page, row: number, column: number): Promise<string> =>
  cellAt(page, row, column).innerText()

/** Of one column, from the first row on. */
export const textsDown = (page: Page, column: number, count: number): Promise<string[]> =>
  Promise.all(Array.from({ length: count }, (_, row) => textAt(page, row, column)))

/** The cell that has the focus: `2:1`. */
export const focusedCell = (page: Page): Promise<string> => page.evaluate('document.activeElement?.dataset?.cell ?? ""')

export const pasteText = (page: Page, words: string): Promise<void> =>
  page.evaluate(`(() => {
    const data = new DataTransfer()
    data.setData('text/plain', ${JSON.stringify(words)})
    const event = new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true })
    document.activeElement.dispatchEvent(event)
  })()`)

const taken = (page: Page, kind: 'copy' | 'cut', type: string): Promise<string> =>
  page.evaluate(`(() => {
    const data = new DataTransfer()
    const event = new ClipboardEvent('${kind}', { clipboardData: data, bubbles: true, cancelable: true })
    document.activeElement.dispatchEvent(event)
    return data.getData('${type}')
  })()`)

export const copiedText = (page: Page, type = 'text/plain'): Promise<string> => taken(page, 'copy', type)
export const cutText = (page: Page): Promise<string> => taken(page, 'cut', 'text/plain')

export const typeAt = async (page: Page, row: number, column: number, words: string): Promise<void> => {
  await cellAt(page, row, column).click()
  await page.keyboard.type(words)
  await page.keyboard.press('Enter')
}
