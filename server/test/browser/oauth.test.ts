// The whole way in a real browser without script: from the registration of a client to a call with its access token.
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hasNoBrowser, openBrowser } from '../support/browser.js'
import { type ServerProcess, workplace } from '../support/process.js'

describe.skipIf(hasNoBrowser)('OAuth in a browser', () => {
  let place: Awaited<ReturnType<typeof workplace>>
  let server: ServerProcess
  let browser: Browser
  /** The program that asks, on two hosts. */
  let program: Server
  let callback: string
  let home: string

  beforeAll(async () => {
    program = createServer((request, response) => {
      const { pathname, search } = new URL(request.url ?? '', 'http://program')
      // As many programs do, it sends its visitor on to another host of its own.
      if (pathname === '/callback') return response.writeHead(302, { location: `${home}${search}` }).end()
      return response.setHeader('content-type', 'text/html').end(pathname === '/' ? 'back' : forgery(pathname.slice(1)))
    })
    await new Promise<void>((resolve) => program.listen(0, '127.0.0.1', resolve))
    const { port } = program.address() as AddressInfo
    callback = `http://127.0.0.1:${port}/callback`
    home = `http://localhost:${port}/`
    place = await workplace({ hasDatabase: true })
    server = await place.start().ready()
    await server.register('ana')
    browser = await openBrowser()
  })
  afterAll(async () => {
    await browser?.close()
    await place?.clean()
    program?.close()
  })

  const forgery = (clientId: string) => `<form method="post" action="${server.address}/o/authorize/">
    <input name="client_id" value="${clientId}"><input name="response_type" value="code">
    <input name="allow" value="true"><button>Win a prize</button></form>`

  /** A visitor without script, and what the browser complains about. */
  const visit = async (): Promise<{ page: Page; faults: string[] }> => {
    const context = await browser.newContext({ javaScriptEnabled: false, viewport: { width: 360, height: 740 } })
    const page = await context.newPage()
    const faults: string[] = []
    page.on('console', (message) => {
      if (message.type() === 'error') faults.push(message.text())
    })
    return { page, faults }
  }

  const signIn = async (page: Page) => {
    await page.getByLabel('Username or e-mail address').fill('ana')
    await page.getByLabel('Password').fill('correct horse')
    await page.getByRole('button', { name: 'Sign in' }).click()
  }

  /** The address to which the browser was sent, with what it carries. */
  const back = async (page: Page): Promise<URLSearchParams> => {
    await page.waitForURL(`${home}?**`)
    return new URL(page.url()).searchParams
  }

  it('registers a client, signs in, allows, and calls the API with the token; by keyboard and label, on a small screen', async () => {
    const { page, faults } = await visit()
    await page.goto(`${server.address}/o/applications/register/`)
    await signIn(page)
    expect(await page.textContent('h1')).toBe('Register a client')
    await page.getByLabel('Name', { exact: true }).fill('Field map')
    await page.getByLabel('Redirect addresses').fill(callback)
    await page.getByRole('button', { name: 'Register' }).press('Enter')
    const secret = (await page.textContent('#client_secret')) ?? ''
    const clientId = (await page.locator('dd code').first().textContent()) ?? ''
    // What is wider than the screen would have to be pushed sideways to be read.
    const width = await page.locator('body').evaluate((body) => body.scrollWidth)
    expect(width).toBeLessThanOrEqual(360)

    const asked = new URLSearchParams({
      client_id: clientId,
      response_type: 'code',
      state: 'a b',
      redirect_uri: callback,
    })
    await page.goto(`${server.address}/o/authorize?${asked}`)
    expect(await page.textContent('h1')).toBe('Allow Field map?')
    await page.getByRole('button', { name: 'Allow' }).click()
    const answer = await back(page)
    expect(answer.get('state')).toBe('a b')

    const response = await server.call('/o/token/', {
      method: 'POST',
      headers: { authorization: `Basic ${Buffer.from(`${clientId}:${secret}`).toString('base64')}` },
      body: new URLSearchParams({
        grant_type: 'authorization_code',
        code: answer.get('code') ?? '',
        client_id: clientId,
        redirect_uri: callback,
      }),
    })
    const { access_token: token } = (await response.json()) as { access_token: string }
    const user = await server.call('/api/v1/user', { headers: { authorization: `Bearer ${token}` } })
    expect([user.status, await user.json()]).toMatchObject([200, { username: 'ana' }])

    await page.goto(`${server.address}/o/authorized_tokens/`)
    await page.getByRole('button', { name: 'Take it back' }).click()
    await page.getByText('No program may act for you.').waitFor()
    const after = await server.call('/api/v1/user', { headers: { authorization: `Bearer ${token}` } })
    expect([after.status, faults]).toEqual([401, []])
  })

  it('a visitor who was not signed in comes back to the question, can refuse it, and can sign out', async () => {
    const { page, faults } = await visit()
    await page.goto(`${server.address}/o/applications/`)
    await signIn(page)
    await page.getByRole('link', { name: 'Field map' }).click()
    const clientId = (await page.locator('dd code').first().textContent()) ?? ''
    await page.getByRole('button', { name: 'Sign out' }).click()
    expect(await page.textContent('h1')).toBe('Sign in')

    const asked = new URLSearchParams({ client_id: clientId, response_type: 'code', state: 'xyz', scope: 'read' })
    await page.goto(`${server.address}/o/authorize/?${asked}`)
    await signIn(page)
    expect(await page.locator('main ul li').count()).toBe(1)
    await page.getByRole('button', { name: 'Refuse' }).click()
    const answer = await back(page)
    expect([answer.get('error'), answer.get('state'), answer.has('code')]).toEqual(['access_denied', 'xyz', false])
    expect(faults).toEqual([])
  })

  it('a page of another site cannot answer for somebody who is signed in', async () => {
    const { page } = await visit()
    await page.goto(`${server.address}/o/applications/`)
    await signIn(page)
    await page.getByRole('link', { name: 'Field map' }).click()
    const clientId = await page.locator('dd code').first().textContent()
    // Another port of the same host is the same site: the browser sends the cookie along.
    await page.goto(new URL(`/${clientId}`, callback).href)
    await page.getByRole('button', { name: 'Win a prize' }).click()
    await page.getByText('A page of another site').waitFor()
    expect(page.url()).toBe(`${server.address}/o/authorize/`)
  })
})
