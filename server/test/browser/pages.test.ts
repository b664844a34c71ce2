import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hasNoBrowser, openBrowser, watchedPage } from '../support/browser.js'
import { type ServerProcess, workplace } from '../support/process.js'

describe.skipIf(hasNoBrowser)('in a browser (needs Chromium on the PATH)', () => {
  let place: Awaited<ReturnType<typeof workplace>>
  let server: ServerProcess
  let browser: Browser

  beforeAll(async () => {
    place = await workplace()
    server = await place.start().ready()
    browser = await openBrowser()
  })
  afterAll(async () => {
    await browser?.close()
    await place?.clean()
  })

  it('the start page says what this is and leads to the documentation', async () => {
    const { page, faults } = await watchedPage(browser, server.address)
    await page.goto(server.address)
    expect(await page.textContent('h1')).toBe('Sheaf is running')
    await page.click('text=Read and try the API')
    await page.waitForSelector('.opblock-tag')
    expect(page.url()).toBe(`${server.address}/api/v1/docs`)
    expect(faults).toEqual([])
  })

  it('the documentation tries a call: registration answers 201, without leaving this server', async () => {
    const { page, faults } = await watchedPage(browser, server.address)
    await page.goto(`${server.address}/api/v1/docs/`)
    await page.locator('#operations-tag-profiles').click()
    const operation = page.locator('.opblock', { hasText: 'Register an account' })
    await operation.locator('.opblock-summary').click()
    await operation.locator('button.execute').click()
    const answer = operation.locator('.live-responses-table')
    await answer.waitFor()
    expect(await answer.locator('tbody .response-col_status').first().textContent()).toContain('201')
    expect(await answer.textContent()).toContain('"username": "ana"')
    expect(faults).toEqual([])
  })

  it('an avatar is a picture', async () => {
    const { page, faults } = await watchedPage(browser, server.address)
    const { avatar } = (await (await server.register('pictured')).json()) as { avatar: string }
    await page.goto(server.address)
    // As text: it runs in the page, whose globals this side does not have.
    const width = await page.evaluate(`new Promise((resolve, reject) => {
      const image = new Image()
      image.onload = () => resolve(image.naturalWidth)
      image.onerror = () => reject(new Error('no picture'))
      image.src = ${JSON.stringify(avatar)}
    })`)
    expect(width).toBe(128)
    expect(faults).toEqual([])
  })
})
