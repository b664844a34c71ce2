// Forms as people fill them in: questions by their labels, on a page below /f/.
import type { Locator, Page } from 'playwright-core'
import { sheet } from './forms.js'

export const question = (page: Page, label: string): Locator =>
  page
    .locator('.question-container')
    .filter({ has: page.locator('label', { hasText: label }) })
    .first()

/** As people do it: fields of numbers listen to single keys. */
export const answer = async (page: Page, label: string, text: string): Promise<void> => {
  const field = question(page, label).locator('input, textarea').first()
  if ((await field.getAttribute('role')) === 'spinbutton') {
    await field.press('ControlOrMeta+a')
    await field.pressSequentially(text)
  } else await field.fill(text)
  await field.press('Tab')
}

export const formShown = (page: Page): Promise<unknown> => page.waitForSelector('.odk-form')

export const send = (page: Page): Promise<void> => page.locator('.odk-form button', { hasText: 'Send' }).click()

/** The smallest picture that there is. */
export const pixel = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

export const namedSheet = (formId: string, survey = 'text,name,Name\ninteger,age,Age', settings = {}): string =>
  sheet(`type,name,label\n${survey}`, { settings: { form_id: formId, form_title: `Form ${formId}`, ...settings } })
