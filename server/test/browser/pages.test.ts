import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hasNoBrowser, openBrowser, watchedPage } from '../support/browser.js'
import { type ServerProcess, workplace } from '../support/process.js'

describe.skipIf(hasNoBrowser)('in a browser (needs Chromium on the PATH)', () => {
  let place: Awaited<ReturnType<typeof workplace>>
  let server: ServerProcess
  let browser: Browser

  beforeAll(async () => {
    place = await workplace({ hasDatabase: true })
    server = await place.start().ready()
    browser = await openBrowser()
  })
  afterAll(async () => {
    await browser?.close()
    await place?.clean()
  })

  it('the start page of an empty installation leads to the first account', async () => {
    const { page, faults } = await watchedPage(browser, server.address)
    await page.goto(server.address)
    await page.waitForURL(`${server.address}/setup`)
    expect(await page.textContent('h1')).toBe('Welcome to Sheaf')
    expect(faults).toEqual([])
  })

  /** Opens an operation, fills nothing in, presses the button, and answers what is shown. */
  const tried = async (page: Page, group: string, summary: string): Promise<string> => {
    await page.goto(`${server.address}/api/v1/docs/${group}`)
    const operation = page.locator('.operation', { has: page.locator(`.words:text-is("${summary}")`) })
    await operation.locator('> summary').click()
    await operation.locator('button').click()
    const answer = operation.locator('.answer')
    await answer.locator('strong.good, strong.bad').waitFor()
    return (await answer.textContent()) ?? ''
  }

  it('the examples of the documentation work when they are tried: an account, a project, a form, its records', async () => {
    const { page, faults } = await watchedPage(browser, server.address)
    expect(await tried(page, 'profiles', 'Register an account')).toMatch(/^201.*"username": "ana"/s)
    const { password } = JSON.parse(
      (await page.locator('.operation:has-text("Register an account") textarea').inputValue()) ?? '',
    )
    await page.locator('.sign-in > summary').click()
    await page.locator('.sign-in input[name=name]').fill('ana')
    await page.locator('.sign-in input[name=secret]').fill(password)
    await page.locator('.sign-in button').click()
    expect(await page.locator('.sign-in output').textContent()).toBe('calls are made as ana')
    expect(await tried(page, 'projects', 'Make a project')).toMatch(/^201.*"projectid"/s)
    // The page remembers the ids of what was answered.
    expect(await tried(page, 'projects', 'One project')).toMatch(/^200/)
    expect(await tried(page, 'forms', 'Publish a form')).toMatch(/^201.*"formid"/s)
    expect(await tried(page, 'forms', 'One form')).toMatch(/^200/)
    expect(await tried(page, 'data', 'Records of a form')).toMatch(/^200.*\[\]/s)
    expect(faults).toEqual([])
  })

  it('the start page says what this is and leads to the documentation', async () => {
    const { page, faults } = await watchedPage(browser, server.address)
    await page.goto(server.address)
    await page.waitForSelector('h1')
    expect(await page.textContent('h1')).toBe('Forms out, answers in, all in one place')
    await page.click('text=Read and try the API')
    await page.waitForSelector('h2:has-text("Forms")')
    expect(page.url()).toBe(`${server.address}/api/v1/docs`)
    expect(faults).toEqual([])
  })

  it('the documentation is light: no page takes 100 KB or 5,000 elements, and none is wider than a phone', async () => {
    const { page, faults } = await watchedPage(browser, server.address)
    await page.setViewportSize({ width: 360, height: 640 })
    const session = await page.context().newCDPSession(page)
    await session.send('Network.enable')
    let bytes = 0
    session.on('Network.loadingFinished', ({ encodedDataLength }) => {
      bytes += encodedDataLength
    })
    for (const group of ['', '/data', '/forms', '/oauth', '/models-a-l', '/models-m-z']) {
      bytes = 0
      await page.goto(`${server.address}/api/v1/docs${group}`, { waitUntil: 'networkidle' })
      await page.evaluate("for (const one of document.querySelectorAll('details')) one.open = true")
      expect(await page.evaluate('document.documentElement.scrollWidth'), group).toBe(360)
      expect(bytes, group).toBeLessThan(100_000)
      expect(await page.evaluate("document.querySelectorAll('*').length"), group).toBeLessThan(5000)
    }
    expect(faults).toEqual([])
  })

  it('the documentation is found through by keyboard, and an operation has an address', async () => {
    const { page, faults } = await watchedPage(browser, server.address)
    await page.goto(`${server.address}/api/v1/docs/notes`)
    await page.keyboard.press('/')
    await page.waitForURL(`${server.address}/api/v1/docs?find`)
    await page.locator('input.filter:focus').waitFor()
    await page.keyboard.type('nothing of the kind')
    expect(await page.locator('.nothing').isVisible()).toBe(true)
    await page.locator('input.filter').fill('share form')
    expect(await page.locator('.list li:visible').allTextContents()).toEqual([expect.stringContaining('Share a form')])
    await page.keyboard.press('Tab')
    await page.locator('.list li:visible a').focus()
    await page.keyboard.press('Enter')
    await page.waitForURL(`${server.address}/api/v1/docs/forms#form.share`)
    const operation = page.locator('details[id="form.share"]')
    expect(await operation.getAttribute('open')).toBe('')
    expect(await operation.locator('pre.curl').textContent()).toContain(`${server.address}/api/v1/forms/12/share`)
    await page.locator('details[id="form.clone"] > summary').focus()
    await page.keyboard.press('Enter')
    await page.waitForURL(`${server.address}/api/v1/docs/forms#form.clone`)
    expect(faults).toEqual([])
  })

  it('the documentation is dark where the device is', async () => {
    const { page } = await watchedPage(browser, server.address)
    const background = async (colorScheme: 'light' | 'dark') => {
      await page.emulateMedia({ colorScheme })
      await page.goto(`${server.address}/api/v1/docs/forms`)
      return page.evaluate('getComputedStyle(document.body).backgroundColor')
    }
    expect([await background('light'), await background('dark')]).toEqual(['rgb(248, 248, 246)', 'rgb(19, 22, 21)'])
  })

  it('an avatar is a picture', async () => {
    const { page, faults } = await watchedPage(browser, server.address)
    const { avatar } = (await (await server.register('pictured')).json()) as { avatar: string }
    await page.goto(`${server.address}/api/v1/docs`)
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
