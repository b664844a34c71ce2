// A real browser that has kept a password for this server, on pages of other sites that would like to use it.
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hasNoBrowser, openBrowser } from '../support/browser.js'
import { type ServerProcess, workplace } from '../support/process.js'

const password = 'correct horse'
const basic = `Basic ${Buffer.from(`ana:${password}`).toString('base64')}`

describe.skipIf(hasNoBrowser)('pages of other sites in a browser (needs Chromium on the PATH)', () => {
  let place: Awaited<ReturnType<typeof workplace>>
  let server: ServerProcess
  let browser: Browser
  let trap: Server
  /** The same page at another site, and at the same site by another port. */
  let pages: { otherSite: string; sameSite: string }
  let api: string
  let project: number
  let token: string

  const asAna = (path: string, init: RequestInit = {}) =>
    server.call(`/api/v1${path}`, { ...init, headers: { authorization: basic } })

  beforeAll(async () => {
    place = await workplace({ hasDatabase: true })
    server = await place.start().ready()
    api = `${server.address}/api/v1`
    for (const name of ['ana', 'mallory']) expect((await server.register(name)).status).toBe(201)
    const made = await asAna('/projects', { method: 'POST', body: new URLSearchParams({ name: 'Wells' }) })
    project = ((await made.json()) as { projectid: number }).projectid
    token = ((await (await asAna('/user')).json()) as { api_token: string }).api_token
    trap = createServer((_request, response) => {
      response.setHeader('content-type', 'text/html')
      response.end(`<form method="post" action="${api}/projects/${project}/share">
        <input name="username" value="mallory"><input name="role" value="owner"><button>Win a prize</button></form>
        <a href="${api}/user/regenerate_auth_token">A kitten</a> <a href="${api}/user">A mirror</a>`)
    })
    await new Promise<void>((resolve) => trap.listen(0, resolve))
    const { port } = trap.address() as AddressInfo
    pages = { otherSite: `http://localhost:${port}/`, sameSite: `http://127.0.0.1:${port}/` }
    browser = await openBrowser()
  })
  afterAll(async () => {
    await browser?.close()
    await place?.clean()
    trap?.close()
  })

  /** A browser in which ana has once typed her password into its own dialog. */
  const visit = async (address: string): Promise<Page> => {
    const context = await browser.newContext({ httpCredentials: { username: 'ana', password } })
    const page = await context.newPage()
    const first = await page.goto(`${api}/user`)
    expect(first?.status()).toBe(200)
    await page.goto(address)
    return page
  }

  const click = async (page: Page, words: string): Promise<string> => {
    await Promise.all([page.waitForURL(`${api}/**`), page.getByText(words).click()])
    return (await page.textContent('body')) ?? ''
  }

  /** What a script on the page gets: the status, or that the browser refuses. As text: it runs in the page. */
  const fetched = (page: Page, path: string, init: object): Promise<unknown> =>
    page.evaluate(
      `fetch(${JSON.stringify(api + path)}, ${JSON.stringify(init)}).then((answer) => answer.status, () => 'refused')`,
    )

  const malloryMaySee = async () => {
    const authorization = `Basic ${Buffer.from(`mallory:${password}`).toString('base64')}`
    return (await server.call(`/api/v1/projects/${project}`, { headers: { authorization } })).status === 200
  }

  it.each(['otherSite', 'sameSite'] as const)(
    '403 for a form and a link of %s, though the password comes along',
    async (which) => {
      const page = await visit(pages[which])
      expect(await click(page, 'A mirror')).toContain('"username":"ana"')
      await page.goto(pages[which])
      expect(await click(page, 'Win a prize')).toContain('A page of another site')
      expect(await malloryMaySee()).toBe(false)
      await page.goto(pages[which])
      expect(await click(page, 'A kitten')).toContain('A page of another site')
      expect((await server.call('/api/v1/user', { headers: { authorization: `Token ${token}` } })).status).toBe(200)
      await page.context().close()
    },
  )

  it('nothing is done for a script that asks the browser for its password', async () => {
    const page = await visit(pages.otherSite)
    const body = 'username=mallory&role=owner'
    const form = { method: 'POST', body, headers: { 'content-type': 'application/x-www-form-urlencoded' } }
    for (const mode of ['cors', 'no-cors']) {
      await fetched(page, `/projects/${project}/share`, { ...form, mode, credentials: 'include' })
      await fetched(page, '/user/regenerate_auth_token', { mode, credentials: 'include' })
    }
    const json = {
      method: 'POST',
      body: '{"username":"mallory","role":"owner"}',
      headers: { 'content-type': 'application/json' },
    }
    const withPassword = { ...json, credentials: 'include' }
    expect(await fetched(page, `/projects/${project}/share`, withPassword)).toBe('refused')
    expect(await malloryMaySee()).toBe(false)
    expect((await server.call('/api/v1/user', { headers: { authorization: `Token ${token}` } })).status).toBe(200)
    await page.context().close()
  })

  it('204 for a program on another site that brings a token, or its own password with a preflight', async () => {
    const context = await browser.newContext()
    const page = await context.newPage()
    await page.goto(pages.otherSite)
    const star = (authorization: string, headers: object, body?: string) =>
      fetched(page, `/projects/${project}/star`, {
        method: 'POST',
        credentials: 'omit',
        headers: { authorization, ...headers },
        ...(body !== undefined && { body }),
      })
    const formType = { 'content-type': 'application/x-www-form-urlencoded' }
    expect(await star(`Token ${token}`, {})).toBe(204)
    expect(await star(`Token ${token}`, formType, 'a=b')).toBe(204)
    expect(await star(basic, { 'content-type': 'application/json' }, '{}')).toBe(204)
    expect(await star(basic, { ...formType, 'x-requested-with': 'XMLHttpRequest' }, 'a=b')).toBe(204)
    expect(await star(basic, formType, 'a=b')).toBe(403)
    expect(await fetched(page, '/user', { credentials: 'omit', headers: { authorization: basic } })).toBe(200)
    await context.close()
  })

  it('its own pages work with their forms', async () => {
    const page = await (await browser.newContext()).newPage()
    await page.goto(`${server.address}/accounts/login/`)
    await page.getByLabel('Username or e-mail address').fill('ana')
    await page.getByLabel('Password').fill(password)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.waitForURL('**/o/applications/')
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.waitForURL('**/accounts/login/')
    await page.context().close()
  })
})
